import type { Encoder } from "../../../src/embedding/static/static-encoder.ts";
import { wordEncoder } from "./word-encoder.ts";

/** The encoders of the processes that run keep-up.ts, and of those that check their results. */
export const keepUpEncoders: Readonly<Record<string, Encoder>> = {
  one: wordEncoder("one", 16),
  two: wordEncoder("two", 24),
};
