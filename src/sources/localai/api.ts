import { z } from "zod";

/**
 * An entry of LocalAI's gallery as its index.yaml has it, as far as we read it. People write these by hand, so that
 * what is not as expected in a single field is left out, and only an entry without a name is none.
 */

const text = z.string().nullish().catch(undefined);
const words = z
  .array(z.unknown())
  .transform((list): string[] => list.filter((word) => typeof word === "string"))
  .nullish()
  .catch(undefined);

/** Longer than any name of a model may be, and short enough for every pattern that reads it. */
const MOST_NAME_CHARS = 1_000;

export const galleryEntrySchema = z.object({
  // A name may be written as a number.
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
