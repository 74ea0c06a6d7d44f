import type { Device } from "../types.ts";

/** The four hardware classes of the API, with their reference devices. */
export const hardwareClasses = {
  cpu: {
    name: "cpu",
    kind: "cpu",
    architecture: "cpu",
    memoryGb: 16,
    usableGb: 12,
    bandwidthGbS: 50,
    count: 1,
    // Eight cores with AVX2, in a desktop.
    processor: { coresGbS: 72, memoryShare: 0.7, cores: 8 },
    assumed: [],
    doubt: 1.2,
  },
  "gpu-8gb": {
    name: "gpu-8gb",
    kind: "gpu",
    architecture: "ada",
    memoryGb: 8,
    usableGb: 7.4,
    bandwidthGbS: 272,
    // As an RTX 4060: 15.1 TFLOPS of single precision.
    fp16Tflops: 60,
    count: 1,
    systemMemoryGb: 16,
    systemBandwidthGbS: 50,
    assumed: [],
    doubt: 1.1,
  },
  "gpu-24gb": {
    name: "gpu-24gb",
    kind: "gpu",
    architecture: "ampere",
    memoryGb: 24,
    usableGb: 23,
    bandwidthGbS: 936,
    // As an RTX 3090: 35.6 TFLOPS of single precision.
    fp16Tflops: 142,
    count: 1,
    systemMemoryGb: 32,
    systemBandwidthGbS: 50,
    assumed: [],
    doubt: 1.1,
  },
  "apple-silicon": {
    name: "apple-silicon",
    kind: "unified",
    architecture: "apple-m4",
    memoryGb: 16,
    usableGb: 11,
    bandwidthGbS: 120,
    // As an M4 with 10 GPU cores.
    fp16Tflops: 3.8,
    count: 1,
    assumed: [],
    doubt: 1.1,
  },
} as const satisfies Record<string, Device>;

/** cpu, gpu-8gb, gpu-24gb or apple-silicon. */
export type HardwareClass = keyof typeof hardwareClasses;

/** The least memory of all cards of a class together, in GB as sold. */
const LEAST_GPU_8GB = 7.5;
const LEAST_GPU_24GB = 23;

/** The strongest class that is not stronger than a device. */
export function classOf(device: Device): HardwareClass {
  const { kind, architecture, memoryGb, count } = device;
  const reference = referenceClass(device);
  if (reference !== undefined) {
    return reference;
  }
  if (architecture.startsWith("apple")) {
    return "apple-silicon";
  }
  return kind === "gpu" ? cardClass(memoryGb * count) : "cpu";
}

/** The strongest class that is not stronger than graphics cards. @param memoryGb of all of them, as sold. */
export function cardClass(memoryGb: number): HardwareClass {
  return memoryGb >= LEAST_GPU_24GB ? "gpu-24gb" : memoryGb >= LEAST_GPU_8GB ? "gpu-8gb" : "cpu";
}

/**
 * The class whose reference device this is, if any. The name does not decide: a device that is in no table keeps the
 * caller's words as its name.
 */
export function referenceClass(device: Device): HardwareClass | undefined {
  const { name } = device;
  return isHardwareClass(name) && device === hardwareClasses[name] ? name : undefined;
}

/** Whether a text names one of the four classes. */
export function isHardwareClass(text: string): text is HardwareClass {
  return Object.hasOwn(hardwareClasses, text);
}
