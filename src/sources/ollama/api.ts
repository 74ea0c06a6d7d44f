import { z } from "zod";

/** Ollama's models as its API sends them, as far as we read them; see docs/api.md of its project. */

const text = z.string().nullish().catch(undefined);
const words = z.array(z.string()).nullish().catch(undefined);

const detailsSchema = z
  .object({
    format: text,
    family: text,
    families: words,
    /** `8.0B`, `137M` */
    parameter_size: text,
    quantization_level: text,
  })
  .nullish()
  .catch(undefined);

/** A model in the list of `GET /api/tags`. */
export const ollamaTagSchema = z.object({
  name: z.string().min(1),
  size: z.number().nonnegative().nullish(),
  details: detailsSchema,
  /** Set for models that run in Ollama's cloud and are only named here. */
  remote_host: text,
});

export type OllamaTag = z.infer<typeof ollamaTagSchema>;

/** The answer of `GET /api/tags`. */
export const ollamaTagsSchema = z.object({ models: z.array(z.unknown()) });

/** The answer of `POST /api/show`. */
export const ollamaShowSchema = z.object({
  /** The licence's whole text. */
  license: z
    .union([z.string(), z.array(z.string()).transform((texts) => texts.join("\n"))])
    .nullish()
    .catch(undefined),
  details: detailsSchema,
  /** The file's metadata, by GGUF key: `general.parameter_count`, `llama.context_length`. */
  model_info: z.record(z.string(), z.unknown()).nullish().catch(undefined),
  capabilities: words,
});

export type OllamaShow = z.infer<typeof ollamaShowSchema>;
