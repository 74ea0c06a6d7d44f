import type { Lineage } from "./lineage.ts";
import { type Finding, lineageAtWordEnd, lineageWords, wordEnd } from "./lineage-words.ts";
import { lineages } from "./lineages.ts";
import { renamed } from "./renamed.ts";

/** What a model's name tells of its lineage. */
export interface NameReading {
  /** The name without its owner, in lower case with dashes. */
  text: string;
  /** Best first: what is not generic, then what stands first. */
  findings: Finding[];
  /** The lineage that the name's owner makes. */
  official?: Lineage;
  /** The family of a well-known fine-tune whose name names none. */
  renamed?: string;
}

const lineageOfAccount = new Map(
  lineages.flatMap((lineage) => (lineage.accounts ?? []).map((account) => [account, lineage] as const)),
);
/** A group for each row of the table. */
const renamedWords = new RegExp(`(?<![a-z])(?:${renamed.map(([words]) => `(${words})`).join("|")})${wordEnd}`);

/** @param name `owner/model`, or a model without an owner. */
export function readName(name: string): NameReading {
  const slash = name.indexOf("/");
  const owner = name.slice(0, Math.max(slash, 0)).toLowerCase();
  const text = name
    .slice(slash + 1)
    // What Transformers calls its classes: Qwen2ForCausalLM.
    .replace(/For[A-Z]\w*/, "")
    .toLowerCase()
    // Llama-3_3 and internlm2_5 are versions, the second of 3_2_1b is not.
    .replace(/(?<=(?:^|[^\d_.])\d)_(?=\d(?!\d))/g, ".")
    .replaceAll("_", "-");
  const findings = lineageWords(text);
  findings.sort((a, b) => Number(a.lineage.generic ?? false) - Number(b.lineage.generic ?? false) || a.end - b.end);
  const official =
    findings.find((found) => found.lineage.owners?.includes(owner))?.lineage ?? lineageOfAccount.get(owner);
  if (findings.length > 0) return { text, findings, official };
  const atEnd = lineageAtWordEnd(text);
  if (atEnd !== undefined) return { text, findings: [atEnd], official };
  return { text, findings, official, renamed: familyOfFineTune(text) };
}

function familyOfFineTune(text: string): string | undefined {
  const groups = renamedWords.exec(text)?.slice(1);
  return groups && renamed[groups.findIndex((words) => words !== undefined)]?.[1];
}

// Base models repeat: a few thousand of them are behind most of the hub. Bounded, because names come from outside.
const MAX_CACHED = 20_000;
const readings = new Map<string, NameReading>();

/** The same, remembered: for names that come again, as those of base models do. */
export function readKnownName(name: string): NameReading {
  const cached = readings.get(name);
  if (cached !== undefined) return cached;
  const reading = readName(name);
  if (readings.size >= MAX_CACHED) readings.clear();
  readings.set(name, reading);
  return reading;
}
