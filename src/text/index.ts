export { hideKeys, keyText } from "./hide-keys.ts";
export { nearestNames } from "./nearest.ts";
