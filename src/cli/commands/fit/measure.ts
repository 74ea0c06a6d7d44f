import { z } from "zod";
import { CliError } from "../../errors.ts";
import { cleanText } from "../../terminal/text.ts";

/** A speed that a server on this machine reached. */
export interface ServerSpeed {
  tokensPerSecond: number;
  /** The form that it ran, such as Q4_K_M; undefined if the server does not say. */
  quantization: string | undefined;
  /** ollama or llama.cpp. */
  engine: string;
  /** The server's name of the model. */
  served: string;
}

const PROMPT = "Explain in a few paragraphs how a bicycle stays upright while it moves.";
const TOKENS = 128;
/** Fewer tokens say too little. A model may end its answer early. */
const LEAST_TOKENS = 16;
/** A server that listens answers at once. */
const LIST_TIMEOUT_MS = 5_000;
/** Loading a large model from a disk takes minutes. */
const RUN_TIMEOUT_MS = 600_000;
const MAX_BYTES = 4_000_000;

const tagsSchema = z.object({
  models: z.array(
    z.object({ name: z.string(), details: z.object({ quantization_level: z.string().optional() }).optional() }),
  ),
});
const generatedSchema = z.object({ eval_count: z.number().positive(), eval_duration: z.number().positive() });
const listSchema = z.object({ data: z.array(z.object({ id: z.string() })) });
const completedSchema = z.object({
  timings: z.object({ predicted_n: z.number(), predicted_per_second: z.number().positive() }),
});

/**
 * Lets Ollama or llama.cpp generate with a model, and times it.
 *
 * @param form the form that the user named, if any.
 * @param urls where the servers may listen; the first that answers is asked.
 * @throws CliError if none answers, has the model in this form or generates.
 */
export async function measure(model: string, form: string | undefined, urls: readonly string[]): Promise<ServerSpeed> {
  for (const url of urls) {
    const base = url.replace(/(?<!\/)\/+$/, "");
    const tags = await list(`${base}/api/tags`, tagsSchema);
    if (tags !== undefined) {
      return measureOllama(base, model, form, tags.models);
    }
    const served = await list(`${base}/v1/models`, listSchema);
    if (served !== undefined) {
      return measureLlamaCpp(base, model, form, served.data);
    }
  }
  throw new CliError(
    `Neither Ollama nor llama.cpp answers at ${urls.join(" or ")}. Start one with the model, or name its address with --measure-url, or give a speed with --measured`,
  );
}

async function measureOllama(
  base: string,
  model: string,
  form: string | undefined,
  models: z.infer<typeof tagsSchema>["models"],
): Promise<ServerSpeed> {
  const { name, details } = chosen(model, models, ({ name }) => name, `Ollama at ${base}`);
  const level = details?.quantization_level;
  const quantization = level === "" || level?.toLowerCase() === "unknown" ? undefined : level;
  refuseOtherForm(form, quantization, name);
  const body = { model: name, prompt: PROMPT, stream: false, options: { num_predict: TOKENS, temperature: 0 } };
  const { eval_count, eval_duration } = await ask(`${base}/api/generate`, body, generatedSchema);
  return {
    ...enough(eval_count, eval_count / (eval_duration / 1e9)),
    quantization,
    engine: "ollama",
    served: name,
  };
}

async function measureLlamaCpp(
  base: string,
  model: string,
  form: string | undefined,
  models: readonly { id: string }[],
): Promise<ServerSpeed> {
  const { id } = chosen(model, models, ({ id }) => id, `llama.cpp at ${base}`);
  const quantization = /(?:^|[-._:])((?:I?Q\d(?:_[A-Z0-9]{1,3}){1,2})|BF16|F16|MXFP4)(?:[-._]|$)/i
    .exec(id)?.[1]
    ?.toUpperCase();
  refuseOtherForm(form, quantization, id);
  const body = { model: id, prompt: PROMPT, n_predict: TOKENS, temperature: 0, cache_prompt: false };
  const { timings } = await ask(`${base}/completion`, body, completedSchema);
  return {
    ...enough(timings.predicted_n, timings.predicted_per_second),
    quantization,
    engine: "llama.cpp",
    served: id,
  };
}

/** @throws CliError if the user named another form than the server has, whose speed would be kept for the wrong one. */
function refuseOtherForm(form: string | undefined, served: string | undefined, name: string): void {
  if (form !== undefined && served !== undefined && bareForm(form) !== bareForm(served)) {
    throw new CliError(
      `The server has ${cleanText(name)} as ${cleanText(served)}, and --quantization says ${cleanText(form)}; leave out --quantization, or load that form in the server`,
    );
  }
}

/** A form in one spelling: "UD-Q4_K_XL" is "q4kxl", and "fp16" is "f16". */
function bareForm(form: string): string {
  return form
    .trim()
    .toLowerCase()
    .replace(/^ud-/, "")
    .replace(/^fp16$/, "f16")
    .replace(/[-_]/g, "");
}

function enough(tokens: number, tokensPerSecond: number): { tokensPerSecond: number } {
  if (tokens < LEAST_TOKENS) {
    throw new CliError(`The model ended after ${tokens} tokens, too few to time it; try again, or give --measured`);
  }
  return { tokensPerSecond };
}

/** The model of a server that has a name: "Qwen/Qwen3-8B" is "qwen3:8b", and "hf.co/…/Qwen3-8B-GGUF:Q4_K_M". */
function chosen<T>(model: string, all: readonly T[], nameOf: (one: T) => string, where: string): T {
  const wanted = bareName(model);
  const found = all.find((one) => bareName(nameOf(one)) === wanted);
  if (found === undefined) {
    const names = all.slice(0, 10).map((one) => cleanText(nameOf(one)));
    throw new CliError(
      `${where} does not have ${cleanText(model)}; it has ${names.length === 0 ? "no models" : names.join(", ")}. Name one of these as the model, with --parameters if the inventory lacks it, or give a speed with --measured`,
    );
  }
  return found;
}

/** Words of a name that say how a model is packed, not which one it is. */
const PACKING = /^(?:latest|instruct|it|chat|hf|gguf|ud|i?q\d[a-z0-9]*|b?f16|fp16|mxfp4|[kmslx]|xl|x{2}s|xs|nl|\d)$/;

function bareName(name: string): string {
  const words = (name.split(/[/\\]/).at(-1) ?? "").toLowerCase().split(/[^a-z0-9]+/);
  const packed = words.findIndex((word) => /^i?q\d/.test(word));
  // Digits after the form belong to it ("q4_0"); before it they are the model's ("3.1").
  return words
    .filter((word, at) => !PACKING.test(word) || (/^\d$/.test(word) && (packed === -1 || at < packed)))
    .join("");
}

/** A list of models; undefined if nothing that speaks this protocol listens there. */
async function list<T>(url: string, schema: z.ZodType<T>): Promise<T | undefined> {
  try {
    const response = await fetch(url, { redirect: "error", signal: AbortSignal.timeout(LIST_TIMEOUT_MS) });
    return response.ok ? schema.parse(await readJson(response)) : undefined;
  } catch {
    return undefined;
  }
}

async function ask<T>(url: string, body: object, schema: z.ZodType<T>): Promise<T> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      redirect: "error",
      signal: AbortSignal.timeout(RUN_TIMEOUT_MS),
    });
    if (!response.ok) {
      throw new Error(`it answers ${response.status}`);
    }
    return schema.parse(await readJson(response));
  } catch (error) {
    const why = error instanceof z.ZodError ? "its answer has no timings" : error instanceof Error ? error.message : "";
    throw new CliError(`${url} did not generate: ${cleanText(why)}`);
  }
}

async function readJson(response: Response): Promise<unknown> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > MAX_BYTES) {
      throw new Error(`its answer has more than ${MAX_BYTES / 1e6} MB`);
    }
    parts.push(part);
  }
  return JSON.parse(Buffer.concat(parts).toString("utf8"));
}
