import { z } from "zod";

/** The parts of Ollama's models that we read, as its API sends them (docs/api.md of its project). */

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
  /** Set for models that run in Ollama's cloud and are only listed here. */
  remote_host: text,
});

export type OllamaTag = z.infer<typeof ollamaTagSchema>;

/** The answer of `GET /api/tags`. */
export const ollamaTagsSchema = z.object({ models: z.array(z.unknown()) });

/** The answer of `POST /api/show`. */
export const ollamaShowSchema = z.object({
  /** The full text of the licence. */
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
