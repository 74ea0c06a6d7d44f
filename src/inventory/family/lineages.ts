import type { Lineage } from "./lineage.ts";
import { embeddingModels } from "./lineages/embedding-models.ts";
import { encoders } from "./lineages/encoders.ts";
import { imageMakers } from "./lineages/image-makers.ts";
import { languageModels } from "./lineages/language-models.ts";
import { otherModels } from "./lineages/other-models.ts";
import { soundModels } from "./lineages/sound-models.ts";
import { visionLanguageModels } from "./lineages/vision-language-models.ts";
import { visionModels } from "./lineages/vision-models.ts";

/**
 * All lineages that we know. Where a name has several, the first of these decides: a word that is not generic, then
 * the word that stands first in the name, then the longer word. The order of the tables is for readers only.
 */
export const lineages: readonly Lineage[] = [
  ...languageModels,
  ...visionLanguageModels,
  ...imageMakers,
  ...visionModels,
  ...soundModels,
  ...embeddingModels,
  ...encoders,
  ...otherModels,
];
