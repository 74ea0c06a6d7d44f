import { z } from "zod";

/**
 * The parts of the Hub's models that we read, as its API sends them. Fields that the Hub computes are strict, so that a
 * broken record is noticed. Owners may write anything into their cards, so an invalid field there is left out.
 */

const count = z.number().nonnegative().nullish();
const text = z.string().nullish();

/** A list that an owner writes; entries of other types are left out. */
const words = z
  .union([z.string(), z.array(z.unknown())])
  .transform((value): string[] => [value].flat().filter((word) => typeof word === "string"))
  .nullish()
  .catch(undefined);

const cardDataSchema = z
  .object({
    license: words,
    license_name: text.catch(undefined),
    license_link: text.catch(undefined),
    language: words,
    base_model: words,
  })
  .nullish()
  .catch(undefined);

const namedTemplates = z.array(z.object({ name: text.catch(undefined), template: z.string() }));

/** A template, or several with names. The usual one, whose name is `default`, comes first. */
const template = z
  .union([
    z.string().transform((only) => [only]),
    namedTemplates.transform((all) => {
      const usual = all.find(({ name }) => name === "default") ?? all[0];
      return usual && [usual, ...all.filter((each) => each !== usual)].map((each) => each.template);
    }),
  ])
  .nullish()
  .catch(undefined);

/** A model in a page of `GET /api/models`. */
export const hubModelSchema = z.object({
  id: z.string().min(1),
  private: z.boolean().nullish(),
  disabled: z.boolean().nullish(),
  gated: z.union([z.boolean(), z.string()]).nullish(),
  pipeline_tag: text,
  library_name: text,
  tags: z.array(z.string()).nullish(),
  downloads: count,
  likes: count,
  lastModified: z.iso
    .datetime({ offset: true })
    .nullish()
    .transform((time) => time ?? undefined),
  sha: text,
  siblings: z.array(z.object({ rfilename: z.string(), size: count })).nullish(),
  safetensors: z
    .object({ parameters: z.record(z.string(), z.number().nonnegative()).nullish(), total: count })
    .nullish(),
  gguf: z
    .object({ total: count, context_length: count, architecture: text, chat_template: template })
    .nullish()
    .catch(undefined),
  /** The chat template is in a file of its own or in the tokenizer's configuration. */
  config: z
    .object({
      chat_template_jinja: template,
      tokenizer_config: z.object({ chat_template: template }).nullish().catch(undefined),
    })
    .nullish()
    .catch(undefined),
  cardData: cardDataSchema,
});

export type HubModel = z.infer<typeof hubModelSchema>;

/** The fields that the listing asks for, as values of `expand`; `id` always comes. */
export const hubFields = [
  "pipeline_tag",
  "private",
  "gated",
  "downloads",
  "likes",
  "lastModified",
  "tags",
  "library_name",
  "safetensors",
  "siblings",
  "cardData",
  "sha",
  "disabled",
  "gguf",
  "config",
] as const satisfies ReadonlyArray<keyof HubModel>;

/** A model's name as a path of the Hub, with special characters escaped. JSON may contain half a surrogate pair. */
export function hubPath(name: string): string {
  return name.toWellFormed().split("/").map(encodeURIComponent).join("/");
}
