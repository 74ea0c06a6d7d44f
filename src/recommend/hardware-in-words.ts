import type { HardwareClass } from "../hardware/index.ts";

/** The hardware classes in words, as they stand in a sentence after "on". */
export const hardwareInWords: Readonly<Record<HardwareClass, string>> = {
  cpu: "an ordinary computer without a graphics card",
  "gpu-8gb": "an 8 GB graphics card",
  "gpu-24gb": "a 24 GB graphics card",
  "apple-silicon": "a Mac with 16 GB of memory",
};
