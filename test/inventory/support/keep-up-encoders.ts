import type { Encoder } from "../../../src/embedding/encoder.ts";
import { wordEncoder } from "./word-encoder.ts";

/** The encoders of the processes that keep-up.ts runs in, and of those that look at what they left. */
export const keepUpEncoders: Readonly<Record<string, Encoder>> = {
  one: wordEncoder("one", 16),
  two: wordEncoder("two", 24),
};
