/** Ending of the ONNX file's name for each precision of the weights, as transformers.js names them. */
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

/** Which model the worker is to load, and from where. */
export interface ModelPlace {
  /** Model id on the hub, or the absolute folder. */
  model: string;
  /** Where the model's files are, or will be once they are downloaded. */
  files: string;
  /** The hub to download from; undefined for a folder. */
  hubUrl: string | undefined;
  /** Folder of downloaded models. */
  cacheDir: string;
  /** Precisions that will do, the best first. */
  dtypes: readonly Dtype[];
  /** Tokens of a text that are read: at most this many. */
  maxTokens: number;
}

/** What the worker says of a loaded model. */
export interface ModelFacts {
  dimensions: number;
  dtype: Dtype;
  /** Changes with the model's files and with how they are used. */
  fingerprint: string;
}

/** What the worker is sent: texts to encode, one list after the other is answered; or to end when that is done. */
export type WorkerRequest = { kind: "encode"; texts: string[] } | { kind: "end" };

/** What the worker sends: once `opened` or `refused`, then an answer for each list of texts, in order. */
export type WorkerMessage =
  | { kind: "opened"; facts: ModelFacts }
  | { kind: "refused"; tried: string }
  /** The vectors one after the other. */
  | { kind: "encoded"; vectors: Float32Array<ArrayBuffer> }
  | { kind: "failed"; problem: string };
