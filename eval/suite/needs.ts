import type { EvalNeed } from "./need.ts";
import { audioNeeds } from "./needs-audio.ts";
import { classifyNeeds } from "./needs-classify.ts";
import { commonNeeds } from "./needs-common.ts";
import { embedNeeds } from "./needs-embed.ts";
import { imageNeeds } from "./needs-images.ts";
import { otherNeeds } from "./needs-other.ts";
import { secondNeeds } from "./needs-second.ts";
import { textNeeds } from "./needs-text.ts";
import { thirdNeeds } from "./needs-third.ts";
import { visionNeeds } from "./needs-vision.ts";
import { withSecondOpinion } from "./second-opinion.ts";

/**
 * Needs for the starter catalogue, written before the program answered them, with the expectations of a person who
 * knows its models. Nothing is trained on them: a wrong answer is mended at its cause.
 */
export const needs: readonly EvalNeed[] = withSecondOpinion([
  ...textNeeds,
  ...embedNeeds,
  ...classifyNeeds,
  ...visionNeeds,
  ...imageNeeds,
  ...audioNeeds,
  ...otherNeeds,
  ...secondNeeds,
  ...thirdNeeds,
  ...commonNeeds,
]);
