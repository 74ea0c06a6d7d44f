/** How much a need may hold. The API reference tells the same figures. */
export const needLimits = {
  /** Characters of a description, after trimming. */
  descriptionCharacters: 2_000,
  /** Results of one answer. */
  topK: 50,
  /** Results where the caller does not say. */
  defaultTopK: 5,
  /** Results of a preview where the caller does not say. */
  defaultPreview: 10,
  /** Entries of `languages` and of `ignore`. */
  listEntries: 100,
  /** Needs of one call of BatchRecommend. */
  batchNeeds: 100,
  /** Needs of a batch in the background. */
  backgroundNeeds: 10_000,
  /** Characters of the name of a batch or an interest. */
  nameCharacters: 100,
} as const;
