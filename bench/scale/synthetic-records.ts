import type { SourceRecord } from "../../src/inventory/facts/record.ts";
import {
  accountEndings,
  cardSentences,
  details,
  fineTuneSuffixes,
  languages,
  licences,
  lineageNames,
  modelDomains,
  syllables,
  type TaskFragments,
  tasks,
} from "./fragments.ts";
import { type Random, randomOf } from "./random.ts";

/** The number of families; a large inventory has nearly all of them. */
const FAMILIES = 5_000;
const ACCOUNTS = 8_000;
const GGUF_QUANTIZATIONS = [
  ["Q8_0", 8.5],
  ["Q6_K", 6.6],
  ["Q5_K_M", 5.7],
  ["Q4_K_M", 4.85],
  ["IQ3_XS", 3.3],
] as const;

/**
 * Generates synthetic models with the distribution of a large hub: families and tasks of very unequal sizes, downloads
 * by Zipf's law with many models without any, repackagings of other models, sparse descriptions and few cards. The same
 * seed gives the same records, and a larger count starts with the records of a smaller one.
 */
export function* syntheticRecords(count: number, seed = 1): Generator<SourceRecord> {
  const random = randomOf(seed);
  for (let i = 0; i < count; i++) {
    yield recordOf(i, random);
  }
}

function recordOf(i: number, random: Random): SourceRecord {
  const family = random.zipf(FAMILIES);
  // A family has one task, with exceptions.
  const task = random.chance(0.85) ? familyTask(family) : taskAt(random.next());
  const millions = random.pick(task.sizes);
  const base = `${accountOf(family)}/${familyName(family)}-${sizeName(millions)}`;
  const isRepackaging = millions > 500 && random.chance(0.18);
  const isBase = !isRepackaging && random.chance(0.02);
  const domain = random.pick(modelDomains);
  const account = isBase ? accountOf(family) : accountOf(random.below(ACCOUNTS));
  const place = i.toString(36);
  // The name of a base contains only its family and size, which identify the family.
  const ending = isBase ? `r${i}` : `${words(domain)}-${random.pick(fineTuneSuffixes)}-${place}`;
  const name = `${account}/${familyName(family)}-${sizeName(millions)}-${ending}`;
  const spoken = random.chance(0.3) ? ["en", ...languagesOf(random)] : random.chance(0.5) ? ["en"] : [];
  const licence = licenceOf(random);
  const parameters = millions * 1e6;
  return {
    // A repackaging must have its base's name to be recognised.
    name: isRepackaging ? `${account}-${place}/${base.split("/")[1]}-GGUF` : name,
    source: "synthetic",
    source_url: `https://models.example/${i}`,
    task_types: task.label === undefined ? undefined : [task.label],
    tags: tagsOf(task, domain, spoken, licence, isRepackaging ? base : undefined),
    description: isRepackaging || random.chance(0.5) ? undefined : describe(task, domain, random),
    card: random.chance(0.05) ? cardOf(task, domain, random) : undefined,
    license: licence,
    parameters: random.chance(0.7) ? parameters : undefined,
    context_length: millions > 500 ? 2 ** (11 + random.below(7)) : undefined,
    size_gb: isRepackaging ? undefined : (parameters * 2) / 1e9,
    downloads: downloadsOf(random),
    likes: Math.floor(downloadsOf(random) / 500),
    updated_at: new Date(Date.UTC(2022, 0, 1) + random.below(1_600) * 86_400_000).toISOString(),
    library: isRepackaging ? "gguf" : task.library,
    languages: spoken.length > 0 ? spoken : undefined,
    base_model: isBase ? undefined : base,
    gated: random.chance(0.03),
    variants: isRepackaging
      ? GGUF_QUANTIZATIONS.map(([quantization, bits]) => ({
          quantization,
          format: "gguf",
          size_gb: (parameters * bits) / 8e9,
        }))
      : [{ quantization: "bf16", format: "safetensors", size_gb: (parameters * 2) / 1e9 }],
  };
}

/** Half of the models have few downloads or none; the most downloaded of a million has some hundred million. */
function downloadsOf(random: Random): number {
  return Math.min(3e8, Math.floor(4 * (random.next() + 1e-9) ** -1.25) - 4);
}

function describe(task: TaskFragments, domain: string, random: Random): string {
  const sentence = `A model that ${random.pick(task.does)}, made for ${domain}.`;
  return random.chance(0.5) ? sentence : `${sentence} ${random.pick(details)}`;
}

function cardOf(task: TaskFragments, domain: string, random: Random): string {
  const body = Array.from({ length: 4 + random.below(8) }, () => random.pick(cardSentences));
  return [describe(task, domain, random), ...body].join(" ");
}

function tagsOf(
  task: TaskFragments,
  domain: string,
  spoken: readonly string[],
  licence: string | undefined,
  quantizedFrom: string | undefined,
): string[] {
  return [
    task.library,
    "safetensors",
    ...(task.label === undefined ? [] : [task.label]),
    words(domain),
    ...spoken,
    ...(licence === undefined ? [] : [`license:${licence}`]),
    ...(quantizedFrom === undefined ? [] : ["gguf", `base_model:quantized:${quantizedFrom}`]),
    "endpoints_compatible",
    "region:us",
  ];
}

function languagesOf(random: Random): string[] {
  return [
    ...new Set(Array.from({ length: 1 + random.below(4) }, () => languages[random.zipf(languages.length)] as string)),
  ];
}

function licenceOf(random: Random): string | undefined {
  let rest = random.below(100);
  return licences.find(([, share]) => {
    rest -= share;
    return rest < 0;
  })?.[0];
}

const allShares = tasks.reduce((sum, task) => sum + task.share, 0);

function taskAt(place: number): TaskFragments {
  let rest = place * allShares;
  return tasks.find((task) => {
    rest -= task.share;
    return rest < 0;
  }) as TaskFragments;
}

const familyTasks = Array.from({ length: FAMILIES }, (_, family) => {
  const label = lineageNames[family]?.[1];
  return tasks.find((task) => label !== undefined && task.label === label) ?? taskAt(randomOf(family).next());
});

function familyTask(family: number): TaskFragments {
  return familyTasks[family] as TaskFragments;
}

function familyName(family: number): string {
  const known = lineageNames[family]?.[0];
  if (known !== undefined) {
    return known;
  }
  const coined = coin(family);
  return `${coined[0]?.toUpperCase()}${coined.slice(1)}-${1 + (family % 4)}`;
}

function accountOf(account: number): string {
  return `${coin(account + FAMILIES)}${accountEndings[account % accountEndings.length]}`;
}

/** Makes a word of three or four syllables; different numbers give different words. */
function coin(number: number): string {
  const at = (power: number) => syllables[Math.floor(number / syllables.length ** power) % syllables.length] as string;
  const short = at(2) + at(0) + at(1);
  return number < syllables.length ** 3 ? short : at(3) + short;
}

function sizeName(millions: number): string {
  return millions >= 1_000 ? `${millions / 1_000}B` : `${millions}M`;
}

function words(text: string): string {
  return text.toLowerCase().replaceAll(" ", "-");
}
