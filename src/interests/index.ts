export { DEFAULT_MIN_SCORE, type Interest } from "./interest.ts";
export { Interests, type InterestValues } from "./interests.ts";
export { type Match, readCursor, writeCursor } from "./match.ts";
export { Matcher } from "./matcher.ts";
export { Matches } from "./matches.ts";
export { preview } from "./preview.ts";
