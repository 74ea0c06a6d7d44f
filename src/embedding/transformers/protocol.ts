/** The suffix of the ONNX file's name for each precision, as in transformers.js. */
export const dtypeSuffixes = {
  fp32: "",
  fp16: "_fp16",
  q8: "_quantized",
  int8: "_int8",
  uint8: "_uint8",
  q4: "_q4",
  q4f16: "_q4f16",
  bnb4: "_bnb4",
} as const satisfies Record<string, string>;

/** A precision of the weights. */
export type Dtype = keyof typeof dtypeSuffixes;

/** A model's ONNX file, relative to the model's folder. */
export function onnxFile(dtype: Dtype): string {
  return `onnx/model${dtypeSuffixes[dtype]}.onnx`;
}

/** The model that the worker loads, and from where. */
export interface ModelPlace {
  /** Model id on the hub, or an absolute folder. */
  model: string;
  /** Folder of the model's files, once they are downloaded. */
  files: string;
  /** The hub to download from. Undefined for a folder. */
  hubUrl: string | undefined;
  /** Folder of downloaded models. */
  cacheDir: string;
  /** Acceptable precisions, best first. */
  dtypes: readonly Dtype[];
  /** Most tokens of a text that are read. */
  maxTokens: number;
}

/** The worker's facts about a loaded model. */
export interface EncoderFacts {
  dimensions: number;
  dtype: Dtype;
  /** Changes with the model's files and with the options. */
  fingerprint: string;
}

/** A request to the worker: a list of texts to encode, answered in order, or to stop after that. */
export type WorkerRequest = { kind: "encode"; texts: string[] } | { kind: "end" };

/** A message of the worker: first `opened` or `refused`, then an answer for each list of texts, in order. */
export type WorkerMessage =
  | { kind: "opened"; facts: EncoderFacts }
  | { kind: "refused"; tried: string }
  /** The vectors, one after another. */
  | { kind: "encoded"; vectors: Float32Array<ArrayBuffer> }
  | { kind: "failed"; problem: string };
