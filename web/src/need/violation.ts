/** One fault of a request. */
export interface Violation {
  /** The field by its name in the contract. */
  readonly field: string;
  /** What is wrong with it, and what would be right. */
  readonly description: string;
}
