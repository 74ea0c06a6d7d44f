import type { ModelFigures, ThroughputUnit } from "../types.ts";

/** What a model computes for one item, such as a text, a picture or a second of audio. */
export interface Work {
  unit: ThroughputUnit;
  /** What one item is, such as "text of 256 tokens". */
  item: string;
  /** Operations for one item, in 10^9. A multiplication with its addition counts as two. */
  gflops: number;
  /** Share of a large chip's usual throughput that the layers reach; 1 for transformers that work on batches. */
  share: number;
  /** Passes that an item waits for. Each runs all layers of the model again. Less than one if items come in batches. */
  passes: number;
  /** Steps that wait for each other, such as the tokens of a transcript: each reads the decoder's weights. */
  steps?: { count: number; layers: number; parameters: number };
  /** Half of the range's width on a measured kind of device, as the logarithm of a factor. */
  spread: number;
  /** The rule behind `gflops`, as a clause for `basis`. */
  rule: string;
}

/** Items in a batch share the start of a pass. */
export const BATCHED = 1 / 32;

/** The work of a model by its figures, its parameters and its names in lower case. */
export type WorkRule = (model: ModelFigures, parameters: number, names: string) => Work | undefined;

/** "86 M", "1.24 B". */
export function billions(parameters: number): string {
  return parameters < 1e9
    ? `${Number((parameters / 1e6).toPrecision(3))} M`
    : `${Number((parameters / 1e9).toPrecision(3))} B`;
}
