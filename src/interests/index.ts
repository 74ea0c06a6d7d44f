export { DEFAULT_MIN_SCORE, type Interest } from "./interest.ts";
export { Interests, type InterestValues } from "./interests.ts";
export { preview } from "./judge-model.ts";
export { type Match, readCursor, writeCursor } from "./match.ts";
export { Matcher } from "./matcher.ts";
export { Matches } from "./matches.ts";
