import { isNegated } from "./text/negation.ts";
import { type Rule, words } from "./text/phrases.ts";
import type { Text } from "./text/text.ts";
import type { Found } from "./wish.ts";

/** What is approved if one of these words follows, or a word that no noun is: "FDA approved model", not "… drugs". */
const approvable = words(
  "model models software tool tools system systems algorithm algorithms ai app product open medical diagnostic",
  "and or for that which to so if because in by as with on",
);
/** A name of a closed model counts with one of these words beside it: whoever runs "ChatGPT locally" wants another. */
const WEIGHTS = "weights|gguf|ggml|safetensors|checkpoint|checkpoints|download|torrent";
/** The first GPT whose weights are not published. */
const FIRST_CLOSED_GPT = 3;

/**
 * Things that are asked of a model and that no open model has, as far as the facts of any source say: an approval by an
 * authority, legal force, the weights of a model that its maker does not publish.
 */
export const unavailableRules: readonly Rule[] = [
  {
    phrases: [
      "fda cleared|approved|certified|clearance|approval",
      "ce marked|marking|certified",
      "mdr certified|approved|compliant",
      "approved|certified|registered|licensed as? a medical device|devices",
      "certified|approved by the fda|ema|authorities|regulator|regulators|court|courts",
      "medical device certification|approval|clearance",
    ],
    read: (text, from, to) =>
      approvable.has(text.after(to)) || text.endsSegment(to) ? unavailable(text, "approval", from, to) : undefined,
  },
  {
    phrases: [
      "legally valid|binding prescription|prescriptions|diagnosis|diagnoses|translation|translations|advice|decision|decisions|signature|signatures",
      "sworn|court|officially certified? translation|translations",
    ],
    read: (text, from, to) => unavailable(text, "legal-force", from, to),
  },
  {
    phrases: [
      `gpt #|4o mini|turbo|nano|pro|vision? ${WEIGHTS}`,
      `download the|a? gpt #|4o`,
      `weights|checkpoint of|for the? gpt #|4o`,
    ],
    read: (text, from, to) => {
      const version = text.description
        .slice(text.tokens[from]?.start, text.tokens[to]?.end)
        .match(/gpt[\s-]?(\d)/i)?.[1];
      return version !== undefined && Number(version) >= FIRST_CLOSED_GPT
        ? unavailable(text, `gpt-${version}`, from, to)
        : undefined;
    },
  },
  {
    phrases: [
      `chatgpt|claude|gemini|midjourney|suno|udio|elevenlabs|dalle|sora pro|flash|opus|sonnet|haiku|ultra? #? ${WEIGHTS}`,
    ],
    read: (text, from, to) => unavailable(text, text.word(from), from, to),
  },
  {
    phrases: [
      "download the? chatgpt|claude|gemini|midjourney|suno|udio|elevenlabs|dalle|sora",
      "weights|checkpoint of|for the? chatgpt|claude|gemini|midjourney|suno|udio|elevenlabs|dalle|sora",
    ],
    read: (text, from, to) => unavailable(text, text.word(to), from, to),
  },
];

function unavailable(text: Text, value: string, from: number, to: number): Found | undefined {
  return isNegated(text, from, to) ? undefined : { wish: { kind: "unavailable", value }, from, to };
}
