import { isNegated } from "./negation.ts";
import { type Rule, words } from "./phrases.ts";

const notRealTime = words("strategy data prices price information payments payment clock kernel");

export const speedRules: readonly Rule[] = [
  {
    phrases: ["real time", "realtime"],
    read: (text, from, to) =>
      isNegated(text, from, to) || notRealTime.has(text.after(to))
        ? undefined
        : { wish: { kind: "speed", value: "realtime", preference: "realtime" }, from, to },
  },
];
