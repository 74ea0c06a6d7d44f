import { describe, expect, it } from "vitest";
import { InventoryService } from "../../gen/modelscout/v1/inventory_pb.ts";
import type { ModelEntry } from "../../gen/modelscout/v1/model_pb.ts";
import { type Recommendation, RecommendationService, type Sizing } from "../../gen/modelscout/v1/recommendation_pb.ts";
import {
  type AppliedCard,
  type Circumstance,
  choiceOf,
  circumstances,
  loadCatalogue,
  placesOf,
  purposes,
  SERVES,
  servingOf,
} from "../../src/catalogue/index.ts";
import { speedText } from "../../src/hardware/index.ts";
import { languageCodes, languageName } from "../../src/inventory/facts/languages.ts";
import { licenseFacts } from "../../src/inventory/licenses/licenses.ts";
import { grpcJsClient } from "../support/clients/grpc-js.ts";
import { needs } from "../support/needs.ts";
import { startApp } from "../support/service/start-app.ts";

const { url } = await startApp();
const client = grpcJsClient(url);
const { recommend } = RecommendationService.method;
const { getModel, listTaskModels } = InventoryService.method;

const codeModels = new Set(
  (await client.call(listTaskModels, { task: "code", pageSize: 500 })).models.map(({ name }) => name),
);
const entries = new Map<string, ModelEntry>();

async function entryOf(name: string): Promise<ModelEntry> {
  const known = entries.get(name) ?? (await client.call(getModel, { modelName: name }));
  entries.set(name, known);
  return known;
}

/** The facts that a sentence is checked against. */
interface Facts {
  score: number;
  entry: ModelEntry;
  sizing: Sizing | undefined;
  /** The catalogue's card of the model. */
  card: AppliedCard | undefined;
  /** The sizes of its variants in gigabytes. */
  sizes: number[];
  /** The models that the result names as alternatives. */
  alternatives: ModelEntry[];
}

/** A form of sentences, and a check that such a sentence is true; the groups are its figures and names. */
type Claim = readonly [form: RegExp, isTrue: (facts: Facts, ...groups: string[]) => boolean];

const size = String.raw`([\d.]+ [GM]B)`;
const count = String.raw`([\d.,]+(?: (?:million|billion|trillion))?)`;
const hardware =
  "an ordinary computer without a graphics card|an 8 GB graphics card|a 24 GB graphics card|a Mac with 16 GB of memory" +
  "|your [\\w. ]+";

/** Whether a model is of a family, by its entry or by its name: TinyLlama is a llama. */
function isOf({ family, name }: { family: string; name: string }, asked: string): boolean {
  return family === asked || name.toLowerCase().includes(asked);
}

/** Parses a size: 3.2 for "3.2 GB", 0.45 for "450 MB". */
function gigabytes(text: string): number {
  const [figure, unit] = text.split(" ");
  return Number(figure) * (unit === "MB" ? 1e-3 : 1);
}

function number(text: string): number {
  const [figure = "", word = ""] = text.split(" ");
  const scale = { million: 1e6, billion: 1e9, trillion: 1e12 }[word] ?? 1;
  return Number(figure.replaceAll(",", "")) * scale;
}

/** Whether a figure equals a fact, except for the rounding of sentences. */
function about(figure: number, fact: number | undefined): boolean {
  return fact !== undefined && Math.abs(figure - fact) <= 0.06 * Math.max(fact, 0.01);
}

const least = (sizes: readonly number[]) => (sizes.length === 0 ? undefined : Math.min(...sizes));
const isPlaced = ({ evaluations }: ModelEntry, place: string, of: string) =>
  evaluations.some(
    (evaluation) => evaluation.place === Number.parseInt(place.replaceAll(",", ""), 10) && evaluation.of === number(of),
  );
const titleIs = ({ entry }: Facts, title: string) => (licenseFacts(entry.license)?.title ?? entry.license) === title;
const languagesIn = (list: string) => list.split(/, and | and |, /);
const handles = (entry: ModelEntry, language: string) => entry.languages.map(languageName).includes(language);
/** Sentences and the figures of the answer are rounded alike. */
const isAt = (figure: string, speed: number | undefined) => speed !== undefined && figure === speedText(speed);

/** A capability that the sentence names, as words of a need or a field ask for it. */
const capabilityNamed: Readonly<Record<string, string>> = {
  "calls functions and tools": "tools",
  "thinks before it answers": "reasoning",
  "reads images": "vision",
  "hears sound": "audio",
  "keeps to a JSON schema": "structured-output",
  "is made for code": "code",
};
const ability = `(${Object.keys(capabilityNamed).join("|")})`;

const claims: readonly Claim[] = [
  [
    new RegExp(`^It ${ability}\\.$`),
    ({ entry }, named) => entry.capabilities.includes(capabilityNamed[named as string] as string),
  ],
  [
    new RegExp(`^It is unknown whether it ${ability}\\.$`),
    ({ entry }, named) => !entry.capabilities.includes(capabilityNamed[named as string] as string),
  ],
  [
    /^It is made for .+ \(([\w-]+)\)(, and for code in particular)?, which is (?:what you describe|the (?:first|second) of the two things you describe|the task closest to what you describe)\.$/,
    ({ entry }, label, code) =>
      entry.taskTypes.includes(label as string) && (code === undefined || codeModels.has(entry.name)),
  ],
  [
    new RegExp(
      `^It (?:is small: ${count} parameters|has ${count} parameters, (?:so it is not the small model you asked for|so it is slow for its task))\\.$`,
    ),
    ({ entry }, few, many) => about(number(few ?? many), entry.parameters),
  ],
  [/^It is of the family (\S+), as you asked\.$/, ({ entry }, family) => isOf(entry, family as string)],
  [
    /^It is of the family (\S+), but you asked for (\S+)\.$/,
    ({ entry }, family, asked) => entry.family === family && !isOf(entry, asked as string),
  ],
  // Only true of low scores; other tests check the scores.
  [/^It is one of the closest models found, but may not do what you describe\.$/, ({ score }) => score < 0.5],
  [
    /^The catalogue lists it as (made for|good at) this: (.+?)(?: \(according to the entry of (\S+), which it repackages\))?\.$/,
    ({ card }, grade, name, base) => {
      return card?.purposes[idOf(name)] === (grade === "made for" ? 3 : 2) && card?.inherited_from === base;
    },
  ],
  [
    /^The catalogue lists it as good at .+, whatever its label\.$/,
    ({ card }) => Object.values(card?.purposes ?? {}).some((grade) => Number(grade) >= 2),
  ],
  [
    /^It is among the catalogue's first choices for this: (.+?)(?: \(according to the entry of (\S+), which it repackages\))?\.$/,
    ({ card }, name, base) => choiceOf(card, idOf(name)) === 3 && card?.inherited_from === base,
  ],
  [
    /^The catalogue names it among the best for this (if it must be small|on a laptop or desktop|where many items or a short wait decide|where quality alone decides): (.+?)(?: \(according to the entry of (\S+), which it repackages\))?\.$/,
    ({ card }, where, name, base) => {
      const circumstance = circumstances[
        ["if it must", "on a laptop", "where many", "where quality"].findIndex((begin) => where?.startsWith(begin))
      ] as Circumstance;
      return (
        (placesOf(card, idOf(name))[circumstance] ?? 9) <= 3 &&
        card?.superseded_by === undefined &&
        card?.inherited_from === base
      );
    },
  ],
  [
    /^The catalogue has clearly better choices for this: (.+)\.$/,
    ({ card }, name) => (choiceOf(card, idOf(name)) ?? 2) < 2,
  ],
  [
    /^The uses that the catalogue lists for it imply this one too: (.+?)(?: \(according to the entry of (\S+), which it repackages\))?\.$/,
    ({ card }, name, base) => {
      const id = idOf(name);
      return card?.purposes[id] === undefined && servingOf(card, id) >= SERVES && card?.inherited_from === base;
    },
  ],
  [
    /^The catalogue does not have it, but lists (\S+), (?:a model of the same line|from which it was trained), as good at this: (.+)\.$/,
    ({ card }, other, name) => card?.inherited_from === other && servingOf(card, idOf(name)) >= SERVES,
  ],
  [
    /^The catalogue lists no open model for this: (.+)\.$/,
    (_facts, name) => loadCatalogue().modelsFor(idOf(name)).length === 0,
  ],
  [
    /^Only a heavily compressed form of it \((.+)\) runs on (.+)\. This form is clearly worse than the full model\.$/,
    ({ sizing }, quantization) => sizing?.quantization === quantization && /[123]/.test(quantization as string),
  ],
  [/^Its strengths, as the catalogue judges: (.+)\.$/s, ({ card }, list) => card?.strengths?.join("; ") === list],
  [/^Its weaknesses, as the catalogue judges: (.+)\.$/s, ({ card }, list) => card?.weaknesses?.join("; ") === list],
  [/^It does not run alone; it needs: (.+)\.$/s, ({ card }, list) => card?.needs_beside === list],
  [/^The catalogue now prefers (\S+\/\S+) at a similar size\.$/, ({ card }, name) => card?.superseded_by === name],
  [
    /^It is a part of a system and does nothing by itself\.$/,
    ({ card }) => card?.readiness === "adapter" || card?.readiness === "component",
  ],
  [
    /^It must be trained on your own data before it is useful\.$/,
    ({ card }) => card?.readiness === "base" || card?.readiness === "backbone",
  ],
  [/^Its weights are only for testing software\.$/, ({ card }) => card?.readiness === "test"],
  [
    /^No independent measurement is known\.$/,
    ({ entry }) => entry.evaluations.every(({ evidence }) => evidence === "claimed"),
  ],
  [
    /^No independent measurement for this need is known\.$/,
    ({ entry }) => entry.evaluations.some(({ evidence }) => evidence !== "claimed"),
  ],
  [
    /^Claimed by its authors, not measured independently: .+\.$/s,
    ({ entry }) => entry.evaluations.some(({ evidence }) => evidence === "claimed"),
  ],
  [
    /^(?:It is (\S+) of ([\d,]+) on|On) the (.+?): .+\.$/s,
    ({ entry }, place, of) =>
      entry.evaluations.some(
        (evaluation) =>
          place === undefined ||
          (evaluation.place === Number.parseInt(place.replaceAll(",", ""), 10) &&
            evaluation.of === Number(of?.replaceAll(",", ""))),
      ),
  ],
  [
    /^The alternative (\S+) measures better \((\S+) of ([\d,]+) on the .+, and this one (\S+) of ([\d,]+)\)(?:, but (?:needs .+ of memory instead of .+|its licence forbids commercial use))*\.$/,
    ({ entry, alternatives }, name = "", place = "", of = "", own = "", ownOf = "") => {
      const other = alternatives.find((alternative) => alternative.name === name);
      const isAhead = Number.parseInt(place.replaceAll(",", ""), 10) < Number.parseInt(own.replaceAll(",", ""), 10);
      return other !== undefined && isAhead && isPlaced(other, place, of) && isPlaced(entry, own, ownOf);
    },
  ],
  [
    /^It is made for .+ \(([\w-]+)\), (?:and can also be used for .+|not specifically for .+|which does not seem to be what you describe)\.$/,
    ({ entry }, label) => entry.taskTypes[0] === label,
  ],
  [/^The task it is made for is unknown\.$/, ({ entry }) => entry.taskTypes.length === 0],
  [
    /^Its description, tags or other facts mention (.+)\.$/,
    ({ entry }, list) => wordsIn(list as string).every((word) => mentions(entry, word)),
  ],
  [
    /^Its licence, (.+), is an open licence\.$/,
    (facts, title) => titleIs(facts, title as string) && countsAs(facts.entry, "open"),
  ],
  [
    /^Its licence, (.+), is permissive\.$/,
    (facts, title) => titleIs(facts, title as string) && facts.entry.licenseTerms?.class === "permissive",
  ],
  [
    /^Its licence, (.+), allows commercial use\.$/,
    (facts, title) => titleIs(facts, title as string) && facts.entry.licenseTerms?.commercialUse === true,
  ],
  [
    /^Its licence, (.+), forbids commercial use\.$/,
    (facts, title) => titleIs(facts, title as string) && facts.entry.licenseTerms?.commercialUse === false,
  ],
  [
    /^Its licence, (.+), (?:has conditions|suits few products): (.+)\.$/,
    (facts, title, conditions) =>
      titleIs(facts, title as string) && facts.entry.licenseTerms?.conditions === conditions,
  ],
  [/^Its licence is unknown; check it before use\.$/, ({ entry }) => entry.license === undefined],
  [
    /^It is unknown what its licence \((.+)\) allows; read it before use\.$/,
    ({ entry }, id) => entry.license === id && entry.licenseTerms?.class === "unknown",
  ],
  [
    /^Its licence is (.+), but you asked for (.+)\.$/,
    (facts, title, wanted) => titleIs(facts, title as string) && !countsAs(facts.entry, wanted as string),
  ],
  [/^Its licence is (.+?)(?:, as you asked)?\.$/, (facts, title) => titleIs(facts, title as string)],
  [
    new RegExp(`^Its (.+) download of ${size} is within your limit of ${size}\\.$`),
    ({ sizing }, quantization, figure, limit) =>
      sizing?.quantization === quantization &&
      !sizing?.unpublished &&
      about(gigabytes(figure as string), sizing?.sizeGb) &&
      (sizing?.sizeGb ?? Infinity) <= 1.06 * gigabytes(limit as string),
  ],
  [
    new RegExp(`^Its size of ${size} as (.+) is within your limit of ${size}\\.$`),
    ({ sizing }, figure, quantization, limit) =>
      sizing?.quantization === quantization &&
      sizing?.unpublished === true &&
      about(gigabytes(figure as string), sizing.sizeGb) &&
      (sizing.sizeGb ?? Infinity) <= 1.06 * gigabytes(limit as string),
  ],
  [
    /^No repository is known that publishes it as (.+): search for a copy, or convert it yourself\.$/,
    ({ sizing }, quantization) => sizing?.quantization === quantization && sizing?.unpublished === true,
  ],
  [
    new RegExp(`^It is a large download: ${size} as (.+)\\.$`),
    ({ sizing }, large, form) =>
      !sizing?.unpublished &&
      about(gigabytes(large as string), sizing?.sizeGb) &&
      sizing?.quantization === form &&
      (sizing?.sizeGb ?? 0) >= 5,
  ],
  // Only said where nothing else speaks for a model.
  [/^Of all models found, its description is among the closest to what you wrote\.$/, ({ score }) => score < 0.5],
  [
    new RegExp(`^Its smallest form takes ${size}, within the ${size} you asked for\\.$`),
    ({ sizes }, figure, limit) =>
      about(gigabytes(figure as string), least(sizes)) &&
      (least(sizes) ?? Infinity) <= 1.06 * gigabytes(limit as string),
  ],
  [
    new RegExp(
      `^Its smallest form \\(not counting copies by others\\) takes ${size}, more than the ${size} you asked for\\.$`,
    ),
    // The entry lists the copies too, so a smaller one may be among its sizes.
    ({ sizes }, figure, limit) =>
      sizes.some((listed) => about(gigabytes(figure as string), listed)) &&
      1.06 * gigabytes(figure as string) > gigabytes(limit as string),
  ],
  [
    new RegExp(
      `^Calculated from its parameters, its full weights take about ${size}, (within|more than) the ${size} you asked for\\.$`,
    ),
    ({ entry }, figure, relation, limit) =>
      about(gigabytes(figure as string), ((entry.parameters ?? Number.NaN) * 2) / 1e9) &&
      (relation === "within"
        ? gigabytes(figure as string) <= 1.06 * gigabytes(limit as string)
        : 1.06 * gigabytes(figure as string) > gigabytes(limit as string)),
  ],
  [/^Its download size is unknown\.$/, ({ sizes }) => sizes.length === 0],
  [
    new RegExp(
      `^It has ${count} parameters, (?:within the limit you asked for|about the size you asked for|(?:more|(?:far )?fewer) than the ${count} you asked for)\\.$`,
    ),
    ({ entry }, figure) => about(number(figure as string), entry.parameters),
  ],
  [/^Its number of parameters is unknown\.$/, ({ entry }) => entry.parameters === undefined],
  [
    new RegExp(
      `^As (.+) it needs about ${size} of memory and runs on .+?(?:, at an estimated (?:([\\d.]+) to ([\\d.]+) tokens a second|(.+)))?\\.$`,
    ),
    ({ sizing }, quantization, memory, low, high, rate) =>
      sizing?.quantization === quantization &&
      about(gigabytes(memory as string), sizing?.memoryGb) &&
      sizing?.fit === "fits" &&
      sizing.throughput?.summary === rate &&
      (low === undefined
        ? sizing.tokensPerSecond === undefined
        : isAt(low, sizing.tokensPerSecond?.low) && isAt(high as string, sizing.tokensPerSecond?.high)),
  ],
  [
    new RegExp(
      `^The memory of .+ holds it \\(about ${size} as (.+)\\), but it needs a graphics card, as the catalogue judges\\.$`,
    ),
    ({ sizing }, memory, quantization) =>
      sizing?.quantization === quantization &&
      about(gigabytes(memory as string), sizing?.memoryGb) &&
      sizing?.fit === "fits",
  ],
  [
    new RegExp(`^As (.+) it needs about ${size} of memory, more than the ${size} available on .+\\.$`),
    ({ sizing }, quantization, memory, room) =>
      sizing?.quantization === quantization &&
      about(gigabytes(memory as string), sizing?.memoryGb) &&
      gigabytes(memory as string) >= gigabytes(room as string) &&
      ["offload", "too-large"].includes(sizing?.fit ?? ""),
  ],
  [
    new RegExp(`^It is a tight fit: it needs about ${size} of the ${size} available on .+\\.$`),
    ({ sizing }, memory, room) =>
      sizing?.fit === "tight" &&
      about(gigabytes(memory as string), sizing?.memoryGb) &&
      gigabytes(memory as string) <= 1.01 * gigabytes(room as string),
  ],
  [
    new RegExp(
      `^It needs about ${size} of memory, more than the ${size} (?:you have|available on (?:${hardware}))\\.$`,
    ),
    (_facts, memory, room) => gigabytes(memory as string) > gigabytes(room as string),
  ],
  [new RegExp(`^No known variant of it runs on (?:${hardware})\\.$`), () => true],
  [/^Its memory needs are unknown\.$/, ({ entry, sizing }) => sizing === undefined && entry.hardware.length === 0],
  [
    /^It is slow on .+: an estimated ([\d.]+) to ([\d.]+) tokens a second\.$/,
    ({ sizing }, low, high) =>
      isAt(low as string, sizing?.tokensPerSecond?.low) && isAt(high as string, sizing?.tokensPerSecond?.high),
  ],
  [
    /^It generates about ([\d.]+) tokens a second, fewer than the ([\d.]+) you asked for\.$/,
    ({ sizing }, figure, wanted) =>
      Math.abs(Number(figure) - (sizing?.tokensPerSecond?.likely ?? Number.NaN)) <= 0.51 &&
      Number(figure) < Number(wanted),
  ],
  [
    /^On .+ it is estimated to (?:do|take) (.+)(?:; you asked for .+|, and so is likely too slow for .+)\.$/,
    ({ sizing }, summary) => sizing?.throughput?.summary === summary,
  ],
  [
    /^To run well it needs hardware such as a graphics card with more than 8 GB\.$/,
    ({ sizing }) => sizing?.hardware === "gpu-24gb" && sizing.fit === "fits",
  ],
  [
    /^It handles many rare languages; whether .+ is one of them is unknown\.$/,
    ({ card }) =>
      ["asr-low-resource", "translation-low-resource"].some((purpose) => Number(card?.purposes[purpose]) >= 2),
  ],
  [/^It handles (\d+) languages\.$/, ({ entry }, figure) => entry.languages.length === Number(figure)],
  [
    /^It (?:handles|may handle) (.+?)(?: poorly)?, as the catalogue judges\.$/,
    ({ entry, card }, language) =>
      entry.languages.length === 0 && (card?.languages?.[codeOf(language)] ?? card?.languages?.mul) !== undefined,
  ],
  [
    /^The catalogue lists (one language|only (\d) languages) for it\.$/,
    ({ card }, _count, several = "1") => Object.keys(card?.languages ?? {}).length === Number(several),
  ],
  [
    /^It handles only (\d) languages: (.+)\.$/,
    ({ entry }, count, list) =>
      entry.languages.length === Number(count) && languagesIn(list as string).length === Number(count),
  ],
  [
    /^(.+) is not among the languages that the catalogue lists for it\.$/,
    ({ card }, language) => card?.languages?.[codeOf(language)] === undefined,
  ],
  [
    /^It handles (.+)\.$/,
    ({ entry }, list) => languagesIn(list as string).every((language) => handles(entry, language)),
  ],
  [
    /^It translates only from (.+) to (.+)\.$/,
    ({ entry, card }, from, to) =>
      card?.translates !== undefined ||
      ([from, to].every((language) => handles(entry, language as string)) &&
        entry.name.endsWith(`-${languageCodes([from as string])}-${languageCodes([to as string])}`)),
  ],
  [/^No source says that it handles (.+)\.$/, ({ entry }, language) => !handles(entry, language as string)],
  [/^No source says that an authority has approved or certified it\.$/, ({ score }) => score < 0.3],
  [/^What it writes has no legal force .+\.$/, ({ score }) => score < 0.3],
  [
    /^It is another model: the weights of (.+) are not published\.$/,
    ({ entry }, name) => !entry.name.toLowerCase().endsWith(`/${name}`),
  ],
  [/^It is unknown whether it handles (.+)\.$/, ({ entry }) => entry.languages.length === 0],
  [
    /^(.+) is not among its listed languages(?: \((.+)\))?\.$/,
    ({ entry }, language, list) =>
      entry.languages.length > 0 &&
      !handles(entry, language as string) &&
      (list === undefined || languagesIn(list).length === entry.languages.length),
  ],
  [
    /^(.+) is its only listed language\.$/,
    ({ entry }, language) => entry.languages.length === 1 && handles(entry, language as string),
  ],
  [
    new RegExp(`^It accepts up to ${count} tokens at once\\.$`),
    ({ entry }, figure) => about(number(figure as string), entry.contextLength),
  ],
  [
    new RegExp(`^It accepts ${count} tokens at once, fewer than the ${count} that your text needs\\.$`),
    ({ entry }, figure, wanted) =>
      about(number(figure as string), entry.contextLength) && number(figure as string) < number(wanted as string),
  ],
  [/^Its context length is unknown\.$/, ({ entry }) => entry.contextLength === undefined],
  [
    new RegExp(
      `^It is (?:widely used|little used so far): ${count} downloads in its source's latest counting period\\.$`,
    ),
    ({ entry }, figure) => about(number(figure as string), entry.downloads),
  ],
  [
    /^Its series was released in (\w+ \d{4})(?:; newer models may do better)?\.$/,
    ({ entry }, month) => isPlausibleRelease(entry, month as string),
  ],
  [/^Its source requires you to accept terms before the download\.$/, ({ entry }) => entry.gated === true],
  [/^It matches “.+”, which you asked to avoid\.$/, () => true],
];

/** The id of a purpose with this name. */
function idOf(name: string | undefined): string {
  return [...purposes().values()].find((purpose) => purpose.name === name)?.id ?? "";
}

function codeOf(language: string | undefined): string {
  return String(languageCodes([language as string]));
}

function wordsIn(list: string): string[] {
  return [...list.matchAll(/“([^”]+)”/g)].map(([, word]) => word as string);
}

/** Whether a model's name, tasks, tags, languages or description contain a word, in any of its forms. */
function mentions(entry: ModelEntry, word: string): boolean {
  const { name, family, taskTypes, tags, description = "", library = "" } = entry;
  const code = codeModels.has(name) ? "code programming software" : "";
  const languages =
    entry.languages.length <= 8 ? entry.languages.map(languageName).join(" ") : "multilingual many languages";
  const text = [name, family, ...taskTypes, ...tags, description, library, code, languages].join(" ").toLowerCase();
  return text.includes(word.slice(0, Math.max(3, word.length - 4)));
}

function countsAs({ license, licenseTerms: terms }: ModelEntry, word: string): boolean {
  switch (word) {
    case "permissive":
      return terms?.class === "permissive";
    case "open":
      return terms?.class === "permissive" || terms?.class === "open";
    case "commercial":
      return terms?.commercialUse === true;
    default:
      return license === word;
  }
}

/**
 * Whether the month of a release is plausible: after 2014, not in the future, and not after the model's last change.
 */
function isPlausibleRelease({ updatedAt }: ModelEntry, month: string): boolean {
  const out = Date.parse(`1 ${month} UTC`);
  return (
    out > Date.UTC(2015, 0) && out < Date.now() && (updatedAt === undefined || out <= Number(updatedAt.seconds) * 1_000)
  );
}

/** Returns the sentences of a result that are not true of the model, or that have no form above. */
async function untrue({ score, model, sizing, reasons, tradeoffs, ...rest }: Recommendation): Promise<string[]> {
  const entry = await entryOf(model?.name ?? "");
  const alternatives = await Promise.all(rest.alternatives.map(entryOf));
  const forms = entry.variants.length > 0 ? entry.variants : [{ sizeGb: entry.sizeGb }];
  const card = loadCatalogue().cardOf(entry.name.toLowerCase(), { base: entry.baseModel });
  const sizes = forms.flatMap(({ sizeGb }) => sizeGb ?? []);
  const facts = { score, entry, sizing, card, sizes, alternatives };
  return [...reasons, ...tradeoffs].flatMap((sentence) => {
    for (const [form, isTrue] of claims) {
      const [, ...groups] = form.exec(sentence) ?? [];
      if (!form.test(sentence)) {
        continue;
      }
      return isTrue(facts, ...groups) ? [] : [`${entry.name}: untrue: ${sentence}`];
    }
    return [`${entry.name}: has no known form: ${sentence}`];
  });
}

describe("Reasons and trade-offs", () => {
  const limits = [
    {},
    { hardware: "cpu", license: "commercial" },
    { hardware: "gpu-8gb", maxSizeGb: 6, languages: ["en"] },
    { license: "permissive", minContextLength: 4_096 },
    { license: "apache-2.0", maxSizeGb: 0.5 },
    { hardware: "apple-silicon", languages: ["de", "en"] },
    { hardware: "gpu-24gb", license: "open" },
  ];

  it.each(limits)("state only true figures of their models, with %j", { timeout: 180_000 }, async (fields) => {
    const wrong: string[] = [];
    let said = 0;
    for (const description of needs) {
      const { results } = await client.call(recommend, { description, topK: 15, ...fields });
      for (const result of results) {
        said += result.reasons.length + result.tradeoffs.length;
        wrong.push(...(await untrue(result)));
      }
    }
    expect(said).toBeGreaterThan(100);
    expect(wrong).toEqual([]);
  });

  it("keep to the family and the size that a need asks for", async () => {
    const { results, understood } = await client.call(recommend, { description: "70b llama", topK: 3 });
    expect(understood?.wishes.map(({ kind, value }) => `${kind}=${value}`)).toEqual([
      "size=70B parameters",
      "family=llama",
    ]);
    for (const { model, reasons } of results) {
      expect(reasons).toContain("It is of the family llama, as you asked.");
      expect(Number(model?.parameters)).toBeGreaterThanOrEqual(49e9);
      expect(Number(model?.parameters)).toBeLessThanOrEqual(71e9);
    }
    expect(results).toHaveLength(3);
    const without = await client.call(recommend, { description: "70b llama", ignore: ["family"] });
    expect(without.results.flatMap(({ reasons }) => reasons).join()).not.toContain("as you asked");
    expect(without.results.some(({ model }) => model?.family !== "llama")).toBe(true);
  });

  it("put a model first that a need names without the end of its name", async () => {
    for (const [description, name] of [
      ["llama 3.3 70b", "meta-llama/Llama-3.3-70B-Instruct"],
      ["phi-4 mini", "microsoft/Phi-4-mini-instruct"],
      ["stable diffusion xl", "stabilityai/stable-diffusion-xl-base-1.0"],
    ]) {
      const { results } = await client.call(recommend, { description });
      expect(results[0]).toMatchObject({ model: { name } });
      expect(results[0]?.score).toBeGreaterThanOrEqual(0.9);
    }
  });

  it("never offer a model far larger than the small one that a need asks for", async () => {
    const { results } = await client.call(recommend, {
      description: "tiny language model for teaching students how transformers work",
      topK: 10,
    });
    for (const { model, score } of results) {
      // More than four times 4B.
      expect(Number(model?.parameters ?? 0) <= 16e9 || score < 0.3).toBe(true);
    }
    expect(Number(results[0]?.model?.parameters)).toBeLessThanOrEqual(4e9);
  });

  it.each([
    ["GPT-5 weights", /the weights of gpt-5 are not published/],
    ["an FDA cleared model that reads lung scans", /No source says that an authority has approved/],
    [
      "a chatbot that speaks Kusunda",
      /No source says that it handles Kusunda|whether Kusunda is one of them is unknown/,
    ],
  ])("say what no model has, and no model scores 0.5: %s", async (description, sentence) => {
    const { results } = await client.call(recommend, { description });
    for (const result of results) {
      expect(result.score).toBeLessThan(0.5);
      expect(result.tradeoffs).toContainEqual(expect.stringMatching(sentence));
      expect(await untrue(result)).toEqual([]);
    }
    expect(results.length).toBeGreaterThan(0);
    // Whoever knows better ignores the wish.
    const kind = description.includes("Kusunda") ? "language" : "unavailable";
    const without = await client.call(recommend, { description, ignore: [kind] });
    for (const { tradeoffs } of without.results) {
      expect(tradeoffs).not.toContainEqual(expect.stringMatching(sentence));
    }
  });

  it("speak of the licence once among the reasons", async () => {
    let said = 0;
    for (const description of ["code autocompletion permissive licence", "code autocompletion, commercial use"]) {
      for (const license of ["", "commercial", "permissive", "apache-2.0"]) {
        const { results } = await client.call(recommend, { description, topK: 15, ...(license && { license }) });
        for (const { reasons } of results) {
          const times = reasons.filter((sentence) => /^Its licence/.test(sentence)).length;
          expect(times).toBeLessThanOrEqual(1);
          said += times;
        }
      }
    }
    expect(said).toBeGreaterThan(80);
  });

  it("ask for training only of models that the catalogue does not list for the need", async () => {
    const { results } = await client.call(recommend, { description: "code autocompletion in the editor", topK: 30 });
    const untrained = results.filter(({ model }) => {
      const readiness = loadCatalogue().cardOf(model?.name.toLowerCase() ?? "")?.readiness;
      return readiness === "base" || readiness === "backbone";
    });
    const listed = untrained.filter(({ reasons }) =>
      reasons.some((it) => /^(?:The catalogue lists it as|It is among the catalogue's first choices)/.test(it)),
    );
    expect(listed.length).toBeGreaterThan(0);
    for (const { tradeoffs } of listed) {
      expect(tradeoffs).not.toContain("It must be trained on your own data before it is useful.");
    }
  });

  it("say that a wish is met or broken, not both, and no sentence is a reason and a trade-off", async () => {
    for (const description of needs) {
      const { results } = await client.call(recommend, { description, topK: 15 });
      for (const { reasons, tradeoffs } of results) {
        expect(reasons.filter((sentence) => tradeoffs.includes(sentence))).toEqual([]);
        const says = (sentences: readonly string[], form: RegExp) => sentences.some((sentence) => form.test(sentence));
        expect(
          says(reasons, /allows commercial use|is permissive/) &&
            says(tradeoffs, /^(?!The alternative ).*forbids commercial use/),
        ).toBe(false);
        expect(says(reasons, /and runs on/) && says(tradeoffs, /^In .* it needs about/)).toBe(false);
        expect(says(reasons, /widely used/) && says(tradeoffs, /little used/)).toBe(false);
      }
    }
  });
});
