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
 * All known lineages. If a name contains several, the winner is one that is not generic, then the first in the name,
 * then the longer word. The order of the tables has no effect.
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
