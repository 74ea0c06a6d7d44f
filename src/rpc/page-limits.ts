/** How many models a page of a list holds. The API reference tells the same figures. */
export const pageLimits = {
  /** At most. */
  size: 500,
  /** Where the caller does not say. */
  defaultSize: 50,
} as const;
