import { z } from "zod";

/**
 * The parts of a gallery entry that we read, as LocalAI's index.yaml has them. The entries are written by hand, so an
 * invalid field is left out, and only an entry without a name is refused.
 */

const text = z.string().nullish().catch(undefined);
const words = z
  .array(z.unknown())
  .transform((list): string[] => list.filter((word) => typeof word === "string"))
  .nullish()
  .catch(undefined);

/** No name of a model is longer, and every pattern reads this many quickly. */
const MOST_NAME_CHARS = 1_000;

export const galleryEntrySchema = z.object({
  // YAML may have read a name as a number.
  name: z.union([z.string(), z.number()]).transform(String).pipe(z.string().trim().min(1).max(MOST_NAME_CHARS)),
  urls: words,
  description: text,
  license: text,
  tags: words,
  size: text,
  files: z
    .array(z.object({ filename: text, uri: text }).nullish().catch(undefined))
    .nullish()
    .catch(undefined),
  overrides: z
    .object({
      backend: text,
      known_usecases: words,
    })
    .nullish()
    .catch(undefined),
});

export type GalleryEntry = z.infer<typeof galleryEntrySchema>;
