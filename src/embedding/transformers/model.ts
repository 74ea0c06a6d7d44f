/** Only the worker imports this file, so nothing else loads transformers.js. */
import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import {
  AutoConfig,
  AutoModel,
  AutoTokenizer,
  env,
  LogLevel,
  ModelFileNotFoundError,
  ModelRegistry,
  type Tensor,
} from "@huggingface/transformers";
import { type Pooling, pool, poolingOf, toLengthOne } from "./pooling.ts";
import { type Dtype, type EncoderFacts, type ModelPlace, onnxFile } from "./protocol.ts";

/** More characters than a token has on average. Text beyond maxTokens times this is not even tokenized. */
const MAX_CHARS_PER_TOKEN = 64;

/** Files that every model has besides its weights. */
const tokenizerAndConfig = ["config.json", "tokenizer.json", "tokenizer_config.json"];

/** A model that runs in this thread. */
export interface TransformersModel {
  readonly facts: EncoderFacts;
  /** @returns the vectors of the texts, one after another. */
  encode(texts: string[]): Promise<Float32Array<ArrayBuffer>>;
  dispose(): Promise<unknown>;
}

/** Loads a model from its folder or the cache, or downloads it into the cache. */
export async function loadTransformersModel(place: ModelPlace): Promise<TransformersModel> {
  env.logLevel = LogLevel.NONE;
  env.allowRemoteModels = place.hubUrl !== undefined;
  if (place.hubUrl !== undefined) {
    env.remoteHost = place.hubUrl;
  }
  env.cacheDir = place.cacheDir;
  // The library looks here for a model id before it asks the hub.
  env.localModelPath = place.cacheDir;

  requireFiles(place);
  const config = await AutoConfig.from_pretrained(place.model);
  const pooling = poolingOf(await readPoolingConfig(place));
  const dtype = await chooseDtype(place);
  const tokenizer = await AutoTokenizer.from_pretrained(place.model);
  const model = await AutoModel.from_pretrained(place.model, { config, dtype, device: "cpu" });

  const maxTokens = Math.min(place.maxTokens, tokenizer.model_max_length ?? Infinity, positionsOf(config));
  const unknown = new Set<number>([...tokenizer.all_special_ids, tokenizer.unk_token_id ?? -1]);

  const run = async (texts: string[]) => {
    const cut = texts.map((text) => text.slice(0, maxTokens * MAX_CHARS_PER_TOKEN));
    const inputs = tokenizer(cut, { padding: true, truncation: true, max_length: maxTokens });
    const { input_ids: ids, attention_mask: mask } = inputs as { input_ids: Tensor; attention_mask: Tensor };
    const { vectors, dimensions } = toVectors(await model(inputs), mask, pooling);
    const length = ids.dims[1]!;
    for (let text = 0; text < texts.length; text++) {
      const tokens = Array.from(ids.data.slice(text * length, (text + 1) * length), Number);
      if (tokens.every((token) => unknown.has(token))) {
        vectors.fill(0, text * dimensions, (text + 1) * dimensions);
      }
    }
    return { vectors, dimensions };
  };

  const { dimensions } = await run(["text"]);
  const fingerprint = await fingerprintOf(place, dtype, `${pooling} ${maxTokens}`);
  return {
    facts: { dimensions, dtype, fingerprint },
    encode: async (texts) => (await run(texts)).vectors,
    dispose: () => model.dispose(),
  };
}

/** Says in words what was tried and how it failed. */
export function describeFailure(error: unknown, place: ModelPlace): string {
  const { message, cause } = error as { message?: string; cause?: { code?: string; message?: string } };
  const said = `${message ?? error}`.replace(/\.$/, "");
  if (place.hubUrl === undefined) {
    return `loading it from the folder ${place.files} failed: ${said}`;
  }
  if (error instanceof ModelFileNotFoundError) {
    return `downloading it from ${place.hubUrl} failed: ${said} (there is no such model, or it is not public, or it has no ONNX files)`;
  }
  if (message === "fetch failed" || message === "terminated") {
    const why = cause?.code ?? cause?.message ?? message;
    return `${place.files} holds no complete copy of it, and ${place.hubUrl} cannot be reached (${why}); this machine may be offline`;
  }
  return `loading it from ${place.hubUrl} into ${place.files} failed: ${said}`;
}

function toVectors(outputs: Record<string, Tensor>, mask: Tensor, pooling: Pooling) {
  // Present in exports that include sentence-transformers' pooling and its later layers.
  const whole = outputs.sentence_embedding;
  if (whole !== undefined) {
    const vectors = Float32Array.from(whole.data as Float32Array);
    const dimensions = whole.dims.at(-1)!;
    for (let at = 0; at < vectors.length; at += dimensions) {
      toLengthOne(vectors.subarray(at, at + dimensions));
    }
    return { vectors, dimensions };
  }
  const tokens = outputs.last_hidden_state ?? outputs.token_embeddings;
  if (tokens === undefined) {
    throw new Error(`the model's outputs are ${Object.keys(outputs).join(", ")}; vectors need last_hidden_state`);
  }
  const values = { data: tokens.data as Float32Array, dims: tokens.dims };
  return { vectors: pool(values, mask.data as BigInt64Array, pooling), dimensions: tokens.dims.at(-1)! };
}

function positionsOf(config: object): number {
  const { max_position_embeddings: positions } = config as { max_position_embeddings?: unknown };
  return typeof positions === "number" && positions > 0 ? positions : Infinity;
}

/** Reports missing files of a folder more clearly than the library does. */
function requireFiles(place: ModelPlace): void {
  if (place.hubUrl !== undefined) {
    return;
  }
  const missing = tokenizerAndConfig.filter((name) => !existsSync(join(place.files, name)));
  if (missing.length > 0) {
    throw new Error(`it has no ${missing.join(" and no ")}`);
  }
}

/** Uses a downloaded file without asking the hub, so that a machine with the model works offline. */
async function chooseDtype(place: ModelPlace): Promise<Dtype> {
  const present = place.dtypes.find((dtype) => existsSync(join(place.files, onnxFile(dtype))));
  if (present !== undefined) {
    return present;
  }
  if (place.hubUrl !== undefined) {
    for (const dtype of place.dtypes) {
      if ((await ModelRegistry.get_file_metadata(place.model, onnxFile(dtype))).exists) {
        return dtype;
      }
    }
  }
  throw new ModelFileNotFoundError(`it has no ${place.dtypes.map(onnxFile).join(" and no ")}`);
}

/** Reads the pooling file, which the library ignores. For a model without one, an empty one is cached. */
async function readPoolingConfig(place: ModelPlace): Promise<Record<string, unknown>> {
  const file = join(place.files, "1_Pooling", "config.json");
  if (!existsSync(file)) {
    if (place.hubUrl === undefined) {
      return {};
    }
    await mkdir(dirname(file), { recursive: true });
    const partial = `${file}.${process.pid}.tmp`;
    await writeFile(partial, await downloadPoolingConfig(place.model, place.hubUrl));
    await rename(partial, file);
  }
  return JSON.parse(await readFile(file, "utf8")) as Record<string, unknown>;
}

async function downloadPoolingConfig(model: string, hubUrl: string): Promise<string> {
  const url = new URL(`${model}/resolve/main/1_Pooling/config.json`, `${hubUrl.replace(/(?<!\/)\/+$/, "")}/`);
  // Like the library, sends the token to Hugging Face only.
  const token = ["huggingface.co", "hf.co"].includes(url.hostname) ? process.env.HF_TOKEN : undefined;
  const response = await fetch(url, { headers: token ? { authorization: `Bearer ${token}` } : {} });
  if (response.status === 404) {
    return "{}";
  }
  if (!response.ok) {
    throw new Error(`${url} answered ${response.status}`);
  }
  return response.text();
}

async function fingerprintOf(place: ModelPlace, dtype: Dtype, use: string): Promise<string> {
  const hash = createHash("sha256").update(use);
  const weights = (await readdir(join(place.files, "onnx"))).map((name) => `onnx/${name}`);
  // Large weights are in extra files beside the ONNX file, whose names begin with its name.
  const files = weights.filter((name) => name.startsWith(onnxFile(dtype)) && !name.includes(".tmp.")).sort();
  for (const name of [...tokenizerAndConfig, ...files]) {
    hash.update(`\0${name}\0`);
    await pipeline(createReadStream(join(place.files, name)), hash, { end: false });
  }
  return hash.digest("hex").slice(0, 12);
}
