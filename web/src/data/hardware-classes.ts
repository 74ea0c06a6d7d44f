/** One of the four hardware classes of the contract, with its reference device. */
export interface HardwareClassInfo {
  readonly id: string;
  readonly label: string;
  /** For narrow places. */
  readonly short: string;
  /** What the device has. */
  readonly device: string;
  /** What a model may take of it, in gigabytes. */
  readonly usableGb: number;
}

/** The contract's classes, least usable memory first. */
export const hardwareClasses = [
  { id: "gpu-8gb", label: "8 GB graphics card", short: "8 GB GPU", device: "8 GB, 272 GB/s", usableGb: 7.4 },
  { id: "apple-silicon", label: "Apple silicon", short: "Apple", device: "16 GB unified, 120 GB/s", usableGb: 11 },
  { id: "cpu", label: "Computer without a GPU", short: "CPU", device: "16 GB RAM, 50 GB/s", usableGb: 12 },
  { id: "gpu-24gb", label: "24 GB graphics card", short: "24 GB GPU", device: "24 GB, 936 GB/s", usableGb: 23 },
] as const satisfies readonly HardwareClassInfo[];

/** A class by its id. */
export function hardwareClass(id: string): HardwareClassInfo | undefined {
  return hardwareClasses.find((known) => known.id === id);
}
