import type { Lineage } from "./lineage.ts";
import { type Finding, lineageAtWordEnd, lineages, lineageWords, wordEnd } from "./lineages.ts";

/**
 * Well-known models whose name does not contain their lineage: a pattern for known words in the name (its groups do not
 * capture), and the family.
 */
// biome-ignore format: a table
export const renamed: ReadonlyArray<readonly [words: string, family: string]> = [
  ["vicuna|alpaca|wizardlm|stablebeluga|firefunction|saiga|llammlein|toolace|hermes|ilama|guanaco|airoboros|platypus2?", "llama"],
  ["tulu|meditron|goliath|xwin|nexusraven|ziya|mythomax|mythalion|mlewd|noromaid|tiefighter|psyfighter|orca-mini|orca-2", "llama"],
  ["euryale|stheno|anubis|llm-compiler", "llama"],
  // Abbreviations in the names of merges and fine-tunes: L3.3-70B-…, MN-12B-…, MS3.2-24B-….
  ["^l3(?:\\.[1-3])?(?=-)", "llama"],
  ["^mn(?=-)|^ms(?:3\\.[12])?(?=-2[24]b)", "mistral"],
  ["zephyr|vikhr-nemo|openchat|starling|sfr-embedding|openhermes|neural-chat|notux|notus|cydonia|magidonia|rocinante|kunoichi", "mistral"],
  ["gemmasutra", "gemma"],
  ["jan|intellect|sugoi|holo|carnice|qwopus|regtech|sakura-galtransl|readerlm|reader-lm|marco-o1|openthinker\\d?|sailor2?|sky-t1", "qwen"],
  ["ui-tars|tongyi-deepresearch|q3(?=-(?:8|14|30|32)b)", "qwen"],
  ["dolly-v[12]", "pythia"],
  ["koalpaca|kullm", "polyglot-ko"],
  ["codeparrot", "gpt2"],
  ["gpt4all-j", "gpt-j"],
  ["fimbulvetr", "solar"],
  ["illustrious|noobai|pony-diffusion|animagine|kohaku|juggernaut|dreamshaper|realvisxl|realistic-vision|novaanimexl|dvine82", "stable-diffusion"],
  ["ip-adapter|lcm-dreamshaper|openjourney|waifu-diffusion|dreamlike|anything-v\\d|protogen|counterfeit|analog-diffusion", "stable-diffusion"],
  ["nitro-diffusion|inkpunk|epicrealism|absolutereality|cyberrealistic|ghostmix|majicmix|rev-?animated|meinamix|abyssorangemix\\d?", "stable-diffusion"],
  ["chilloutmix|vintedois|redshift-diffusion|mo-di-diffusion|arcane-diffusion|pastel-mix|wai-(?:nsfw|ani|illustrious)|autismmix", "stable-diffusion"],
  ["sulphur", "ltx"],
  ["distil-(?:small|medium|large)", "whisper"],
  // LocalAI's names of Piper's voices: voice-en_US-amy-low.
  ["^voice-[a-z]{2}-[a-z0-9-]{1,60}-(?:low|medium|high)$", "piper"],
  ["openmed", "openmed"],
];

/** The parts of a model's name that show its lineage. */
export interface NameReading {
  /** The name without its owner, in lower case with dashes. */
  text: string;
  /** Best first: those that are not generic, then by place in the name. */
  findings: Finding[];
  /** The lineage that the owner publishes. */
  official?: Lineage;
  /** The family of a well-known fine-tune whose name does not contain it. */
  renamed?: string;
}

const lineageOfAccount = new Map(
  lineages.flatMap((lineage) => (lineage.accounts ?? []).map((account) => [account, lineage] as const)),
);
/** A group for each row of the table. */
const renamedWords = new RegExp(`(?<![a-z])(?:${renamed.map(([words]) => `(${words})`).join("|")})${wordEnd}`);

/** @param name `owner/model`, or a model without an owner. */
export function readModelName(name: string): NameReading {
  const slash = name.indexOf("/");
  const owner = name.slice(0, Math.max(slash, 0)).toLowerCase();
  const text = name
    .slice(slash + 1)
    // Names of Transformers' classes: Qwen2ForCausalLM.
    .replace(/For[A-Z]\w*/, "")
    .toLowerCase()
    // Llama-3_3 and internlm2_5 contain versions; in 3_2_1b the second underscore belongs to no version.
    .replace(/(?<=(?:^|[^\d_.])\d)_(?=\d(?!\d))/g, ".")
    .replaceAll("_", "-");
  const findings = lineageWords(text);
  findings.sort((a, b) => Number(a.lineage.generic ?? false) - Number(b.lineage.generic ?? false) || a.end - b.end);
  const official =
    findings.find((found) => found.lineage.owners?.includes(owner))?.lineage ?? lineageOfAccount.get(owner);
  if (findings.length > 0) {
    return { text, findings, official };
  }
  const atEnd = lineageAtWordEnd(text);
  if (atEnd !== undefined) {
    return { text, findings: [atEnd], official };
  }
  return { text, findings, official, renamed: familyOfFineTune(text) };
}

function familyOfFineTune(text: string): string | undefined {
  const groups = renamedWords.exec(text)?.slice(1);
  return groups && renamed[groups.findIndex((words) => words !== undefined)]?.[1];
}

// Most models of the hub share a few thousand base models. The cache is bounded, because names come from outside.
const MAX_CACHED = 20_000;
const readings = new Map<string, NameReading>();

/** `readModelName` with a cache, for names that repeat, such as those of base models. */
export function readKnownName(name: string): NameReading {
  const cached = readings.get(name);
  if (cached !== undefined) {
    return cached;
  }
  const reading = readModelName(name);
  if (readings.size >= MAX_CACHED) {
    readings.clear();
  }
  readings.set(name, reading);
  return reading;
}
