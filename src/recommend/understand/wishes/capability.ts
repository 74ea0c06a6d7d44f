import type { Capability } from "../../../inventory/index.ts";
import type { Rule } from "./text/phrases.ts";
import { words } from "./text/text.ts";
import type { Found } from "./wish.ts";

/** Makes a rule for phrases that say what the model must be able to do, unless a word after them means something else. */
function rule(capability: Capability, phrases: readonly string[], unlessBefore = ""): Rule {
  const others = unlessBefore === "" ? new Set<string>() : words(unlessBefore);
  return {
    phrases,
    unlessNegated: true,
    read: (text, from, to): Found | undefined =>
      others.has(text.after(to))
        ? undefined
        : { wish: { kind: "capability", value: capability, capability }, from, to },
  };
}

/**
 * What a model must be able to do beside its task. Phrases that name a task have no rule: a need to describe pictures has
 * that task and needs no wish.
 */
export const capabilityRules: readonly Rule[] = [
  rule("tools", [
    "call|calls|calling|invoke|invokes|execute|executes our|my|your|its|external|other? functions|tools|apis",
    "function|tool|tools call|calls|calling",
    "use|uses|using our|my|external? tools",
    "tool use|usage",
    "works|work as|for an? agent",
    "mcp tools|servers|client",
  ]),
  rule("structured-output", [
    "json output|outputs|mode|schema|schemas|answers|responses|replies",
    "output|outputs|outputting|return|returns|returning|produce|produces|emit|emits|answer|answers|reply|replies|respond|responds valid|strict|pure|only? in|as|with? valid|strict|pure|clean|structured? json",
    "structured|schema output|outputs|generation",
    "in|as|with valid|strict|structured json",
    "follow|follows|keep|keeps|stick|sticks to? a|the|our|my? json? schema",
  ]),
  rule(
    "reasoning",
    [
      "reasoning|thinking model|models|llm|llms|mode",
      "show|shows|showing|display|displays|see its|the|their? thinking|reasoning|thoughts",
      "think|thinks|reason|reasons before it|they? answers|answering|answer|replies|responding",
      "think|thinks|reason|reasons|reasoning step by step",
      "chain of thought",
    ],
    "training data dataset datasets benchmark benchmarks research paper papers",
  ),
  rule("vision", [
    "can|also|could|and see|sees|look|looks|view|read|reads at? images|pictures|photos|screenshots",
    "sees images|pictures|photos|screenshots",
    "image|images|picture|vision|screenshot input|inputs|understanding|capabilities|capability|support|capable",
    "accept|accepts|take|takes both|text? and? images|pictures|photos|screenshots as? input",
  ]),
  rule("audio", [
    "audio|speech|voice input|inputs",
    "can|also hear|hears|listen|listens to? audio|speech|sound|sounds|voice|recordings",
  ]),
];

/** "FDA approved" is a wish if one of these words follows: "FDA approved model", and not "FDA approved drugs". */
const approvable = words(
  "model models software tool tools system systems algorithm algorithms ai app product open medical diagnostic",
  "and or for that which to so if because in by as with on",
);
/** The name of a closed model counts only beside one of these words. "ChatGPT locally" asks for a similar open model. */
const WEIGHTS = "weights|gguf|ggml|safetensors|checkpoint|checkpoints|download|torrent";
/** The first GPT whose weights are not published. */
const FIRST_CLOSED_GPT = 3;

/**
 * What no open model has, as far as any source says: an approval by an authority, legal force, or the weights of a model
 * whose maker does not publish them.
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
    unlessNegated: true,
    read: (text, from, to) =>
      approvable.has(text.after(to)) || text.endsSegment(to) ? unavailable("approval", from, to) : undefined,
  },
  {
    phrases: [
      "legally valid|binding prescription|prescriptions|diagnosis|diagnoses|translation|translations|advice|decision|decisions|signature|signatures",
      "sworn|court|officially certified? translation|translations",
    ],
    unlessNegated: true,
    read: (_text, from, to) => unavailable("legal-force", from, to),
  },
  {
    phrases: [
      `gpt #|4o mini|turbo|nano|pro|vision? ${WEIGHTS}`,
      `download the|a? gpt #|4o`,
      `weights|checkpoint of|for the? gpt #|4o`,
    ],
    unlessNegated: true,
    read: (text, from, to) => {
      const version = text.description
        .slice(text.tokens[from]?.start, text.tokens[to]?.end)
        .match(/gpt[\s-]?(\d)/i)?.[1];
      return version !== undefined && Number(version) >= FIRST_CLOSED_GPT
        ? unavailable(`gpt-${version}`, from, to)
        : undefined;
    },
  },
  {
    phrases: [
      `chatgpt|claude|gemini|midjourney|suno|udio|elevenlabs|dalle|sora pro|flash|opus|sonnet|haiku|ultra? #? ${WEIGHTS}`,
    ],
    unlessNegated: true,
    read: (text, from, to) => unavailable(text.word(from), from, to),
  },
  {
    phrases: [
      "download the? chatgpt|claude|gemini|midjourney|suno|udio|elevenlabs|dalle|sora",
      "weights|checkpoint of|for the? chatgpt|claude|gemini|midjourney|suno|udio|elevenlabs|dalle|sora",
    ],
    unlessNegated: true,
    read: (text, from, to) => unavailable(text.word(to), from, to),
  },
];

const unavailable = (value: string, from: number, to: number): Found => ({
  wish: { kind: "unavailable", value },
  from,
  to,
});
