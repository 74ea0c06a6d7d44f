import { isNegated } from "./negation.ts";
import { type Rule, words } from "./phrases.ts";
import type { Found } from "./wish.ts";

type Way = "offline" | "local" | "on-premises" | "no-cloud" | "private";

const wish = (value: Way, from: number, to: number): Found => ({ wish: { kind: "privacy", value }, from, to });

/** "Offline" in trade and in machine learning. */
const notOffline = words(
  "store stores retail retailer retailers shop shops shopping marketing sales customers event events conversion",
  "conversions reinforcement rl policy advertising channel channels business purchases orders evaluation",
);

export const privacyRules: readonly Rule[] = [
  {
    phrases: ["offline"],
    read: (text, from, to) =>
      isNegated(text, from, to) || notOffline.has(text.after(to)) ? undefined : wish("offline", from, to),
  },
];
