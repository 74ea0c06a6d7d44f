import { BatchSchema } from "../../gen/modelscout/v1/batch_pb.ts";
import { BatchRecommendRequestSchema, RecommendRequestSchema } from "../../gen/modelscout/v1/recommendation_pb.ts";
import { maxItems, maxLength } from "./text-limits.ts";

/** How much a need may hold. The API reference tells the same figures; those of texts and lists are the contract's. */
export const needLimits = {
  /** Characters of a description, after trimming. */
  descriptionCharacters: maxLength(RecommendRequestSchema.field.description),
  /** Results of one answer. */
  topK: 50,
  /** Results where the caller does not say. */
  defaultTopK: 5,
  /** Results of a preview where the caller does not say. */
  defaultPreview: 10,
  /** Entries of `languages`, and of `ignore`. */
  listEntries: maxItems(RecommendRequestSchema.field.languages),
  /** Needs of one call of BatchRecommend. */
  batchNeeds: maxItems(BatchRecommendRequestSchema.field.requests),
  /** Needs of a batch in the background. */
  backgroundNeeds: maxItems(BatchSchema.field.requests),
} as const;
