export { hasKeyInUrl, hideKeys, keyText } from "./keys-in-text.ts";
export { isNearAddress } from "./near-address.ts";
export { didYouMean, nearestNames } from "./nearest.ts";
export { retryAfterMs } from "./retry-after.ts";
export { StringPool } from "./string-pool.ts";
