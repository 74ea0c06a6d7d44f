import type { EvalNeed } from "./need.ts";
import { audioNeeds } from "./needs-audio.ts";
import { classifyNeeds } from "./needs-classify.ts";
import { embedNeeds } from "./needs-embed.ts";
import { imageNeeds } from "./needs-images.ts";
import { otherNeeds } from "./needs-other.ts";
import { secondNeeds } from "./needs-second.ts";
import { textNeeds } from "./needs-text.ts";
import { thirdNeeds } from "./needs-third.ts";
import { visionNeeds } from "./needs-vision.ts";

/**
 * Needs written for the starter catalogue, before anything answered them, with what somebody who knows its models would
 * expect. Nothing is trained on them: an answer that misses one is mended at its cause.
 */
export const needs: readonly EvalNeed[] = [
  ...textNeeds,
  ...embedNeeds,
  ...classifyNeeds,
  ...visionNeeds,
  ...imageNeeds,
  ...audioNeeds,
  ...otherNeeds,
  ...secondNeeds,
  ...thirdNeeds,
];
