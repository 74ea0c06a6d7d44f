/** One of the four hardware classes of the contract, with its reference device. */
export interface HardwareClassInfo {
  readonly id: string;
  readonly label: string;
  /** For narrow places. */
  readonly short: string;
  /** Memory and bandwidth of the device. */
  readonly device: string;
  /** Usable memory in gigabytes. */
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

/** How a model fits a device: the contract's values, and labels for them. */
export const fits = {
  fits: { label: "Fits", meaning: "with room left" },
  tight: { label: "Tight", meaning: "fits with little room" },
  offload: { label: "Offloads", meaning: "runs partly from system memory, so it is slow" },
  "too-large": { label: "Too large", meaning: "does not run" },
} as const;

/** Label and meaning of a value; the value itself if a newer service has another one. */
export function fitOf(fit: string): { label: string; meaning: string } {
  return Object.hasOwn(fits, fit) ? fits[fit as keyof typeof fits] : { label: fit, meaning: "" };
}

/** Graphics cards and chips that the calculator suggests; the service knows many more. */
export const gpuSuggestions = [
  "RTX 3060",
  "RTX 3090",
  "RTX 4060",
  "RTX 4070",
  "RTX 4090",
  "RTX 5090",
  "RX 7900 XTX",
  "A100 80GB",
  "H100",
  "L4",
  "T4",
  "M1",
  "M3 Max",
  "M4 Pro",
] as const;
