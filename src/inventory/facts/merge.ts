import { hash } from "node:crypto";
import { loadCatalogue } from "../../catalogue/index.ts";
import { boardOf, bundledEvaluations, type Evaluation, strongestEvaluations } from "../../evaluations/index.ts";
import { version } from "../../version.ts";
import { licenseFacts } from "../licenses/licenses.ts";
import { CATALOGUE_CARD, capabilitiesOf } from "./capabilities.ts";
import { type Model, type SeenAt, withoutReplaced } from "./model.ts";
import { normalise, taggedFacts } from "./normalise.ts";
import { type FieldsOf, fieldsOf, MAX_ITEMS, type SourceRecord } from "./record.ts";
import { searchableText } from "./search-text.ts";
import { describesModel, type SourceFacts } from "./source-facts.ts";

/**
 * Kinds of sources: the Hub, the catalogue that ships with the project, LocalAI's gallery, an Ollama server, and
 * imported files, which have any other name.
 */
const kinds = ["huggingface", "catalogue", "localai", "ollama", "file"] as const;
type Kind = (typeof kinds)[number];

/**
 * Which source wins if they differ, best first. The Hub comes first, because the models are published there and the
 * service reads it directly. The catalogue was gathered from it earlier. LocalAI's gallery is written by hand about the
 * models of others. Ollama knows one machine's copies.
 */
const usual: readonly Kind[] = kinds;

/** Facts with another order. */
const special: { readonly [F in keyof SourceRecord]?: readonly Kind[] } = {
  // Descriptions for people are best, those by the operator first. The Hub has only the beginning of a card.
  description: ["file", "catalogue", "localai", "huggingface", "ollama"],
  // Ollama reads it from the header of the weights, which is more reliable than a table in a gallery.
  context_length: ["huggingface", "catalogue", "ollama", "localai", "file"],
  // For the Hub, the layout is derived from keys of a configuration. The other sources state it, which is more
  // reliable.
  attention: ["file", "catalogue", "ollama", "localai", "huggingface"],
};

/**
 * Orders sources by rank for a fact, best first. Of two files the one that was read later comes first, then by name.
 */
export function ranked(facts: readonly SourceFacts[], fact?: keyof SourceRecord): SourceFacts[] {
  const order = (fact && special[fact]) ?? usual;
  return [...facts].sort(
    (a, b) =>
      order.indexOf(kindOf(a)) - order.indexOf(kindOf(b)) ||
      b.seenAt - a.seenAt ||
      (a.source < b.source ? -1 : a.source > b.source ? 1 : 0),
  );
}

function kindOf(facts: SourceFacts): Kind {
  if (facts.catalogue) {
    return "catalogue";
  }
  return kinds.find((kind) => kind === facts.source && kind !== "catalogue") ?? "file";
}

/** The origin of facts from the project's own catalogue of models. */
const STARTER_CATALOGUE = "modelscout's starter catalogue";

/** A model and its searched text. */
export interface MergedModel {
  model: Model;
  text: string;
}

/**
 * Merges the facts of several sources into one model, field by field (see `recordFields`). A source without a fact
 * never hides the fact of another one. `source` is the best source, and `factsFrom` names the sources of the other
 * facts. Pure: equal facts give equal models, in any order.
 *
 * @param facts of one model, by at least one source that describes models.
 */
export function mergeFacts(facts: readonly SourceFacts[]): MergedModel {
  const described = facts.filter(describesModel);
  const [best, ...others] = ranked(described) as [SourceFacts, ...SourceFacts[]];
  const merged = others.length === 0 ? best.record : mergeRecords(described, best);
  const record = withCatalogueLicense(merged, [best, ...others]);
  const model = normalise(record, { source: best.source, seenAt: best.seenAt });
  const evaluations = evaluationsOf(facts, model);
  const { capabilities, origins } = capabilitiesOf(model, ranked(described).map(statedCapabilities));
  const { capabilities: _, ...factsFrom } = model.factsFrom;
  return {
    model: {
      ...model,
      ...(capabilities.length > 0 && { capabilities }),
      factsFrom: { ...factsFrom, ...(origins !== undefined && { capabilities: origins }) },
      ...(evaluations.length > 0 && { evaluations }),
      sources: placesOf([best, ...others]),
    },
    text: searchableText(model, record.card),
  };
}

/**
 * The record with the licence that the catalogue's own card of the model states. A card states one only if the sources
 * state none or a wrong one, so it comes before all of them: in filters, in the ranking and in answers.
 *
 * @param facts that the record was merged from, best first. The origin is that of the first one that states the same
 * licence.
 */
function withCatalogueLicense(record: SourceRecord, facts: readonly SourceFacts[]): SourceRecord {
  const license = loadCatalogue().licenseOf(record.name.toLowerCase());
  if (license === undefined || license === taggedFacts(record).license) {
    return record;
  }
  const same = facts.find((from) => taggedFacts(from.record).license === license);
  const origin = same === undefined ? CATALOGUE_CARD : originOf("license", same, facts[0] as SourceFacts);
  const { license: _, ...origins } = record.facts_from ?? {};
  return { ...record, license, facts_from: { ...origins, ...(origin !== undefined && { license: origin }) } };
}

/** The capabilities that a source states, and where it has them from. */
function statedCapabilities({ source, catalogue, record }: SourceFacts) {
  const origin = record.facts_from?.capabilities ?? (catalogue ? STARTER_CATALOGUE : source);
  return { names: record.capabilities ?? [], origin };
}

/** The figures of all sources and the bundled figures, one for each board. */
function evaluationsOf(facts: readonly SourceFacts[], { key, repackaging, baseModel }: Model): Evaluation[] {
  const ofSources = ranked(facts).flatMap(({ record }) => record.evaluations ?? []);
  const ofBase = repackaging && baseModel !== undefined ? bundledEvaluations(baseModel.toLowerCase()) : [];
  // Quantized weights answer nearly as the original ones do; how fast they do depends on their form.
  const inherited = ofBase.filter(({ board }) => boardOf(board)?.aspect === "quality");
  return strongestEvaluations([
    ...ofSources,
    ...bundledEvaluations(key),
    ...inherited.map((evaluation) => ({ ...evaluation, evidence: "base" as const })),
  ]);
}

/** The places where the model was seen: one for each source, best source first. */
function placesOf(facts: readonly SourceFacts[]): SeenAt[] {
  const places = new Map<string, SeenAt>();
  for (const { source, seenAt, record } of facts) {
    if (places.has(source)) {
      continue;
    }
    places.set(source, { name: source, ...(record.source_url && { url: record.source_url }), seenAt });
  }
  return [...places.values()];
}

function mergeRecords(facts: readonly SourceFacts[], best: SourceFacts): SourceRecord {
  const merged: Partial<Record<keyof SourceRecord, unknown>> = {};
  const factsFrom: Record<string, string> = {};
  const take = (field: keyof SourceRecord, value: unknown, from: SourceFacts) => {
    merged[field] = value;
    const origin = originOf(field, from, best);
    if (origin !== undefined) {
      factsFrom[field] = origin;
    }
  };
  for (const field of fieldsOf("best")) {
    if (best.record[field] !== undefined) {
      merged[field] = best.record[field];
    }
  }
  for (const field of fieldsOf("first")) {
    const from = ranked(facts, field).find(({ record }) => isGiven(record[field]));
    if (from !== undefined) {
      take(field, from.record[field], from);
    }
  }
  const tagged = ranked(facts).map((from) => ({ from, values: taggedFacts(from.record) }));
  for (const field of fieldsOf("tagged")) {
    const first = tagged.find(({ values }) => isGiven(values[field]));
    if (first !== undefined) {
      take(field, first.values[field], first.from);
    }
  }
  for (const field of fieldsOf("license")) {
    const first =
      // A known licence from any source is more useful than `other`.
      tagged.find(({ values }) => licenseFacts(values[field]) !== undefined) ??
      tagged.find(({ values }) => values[field] !== undefined);
    if (first !== undefined) {
      take(field, first.values[field], first.from);
    }
  }
  for (const field of fieldsOf("union")) {
    const { values, from } = unions[field](ranked(facts, field), best);
    const [first, ...others] = from;
    if (first === undefined) {
      continue;
    }
    take(field, values, first);
    if (others.length > 0) {
      factsFrom[field] = [...new Set(from.map((each) => originOf(field, each, best) ?? each.source))].join("; ");
    }
  }
  if (Object.keys(factsFrom).length > 0) {
    merged.facts_from = factsFrom;
  }
  return merged as SourceRecord;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0);
}

/** The origin of a fact; undefined if it is the best source itself. */
function originOf(fact: string, from: SourceFacts, best: SourceFacts): string | undefined {
  const stated = from.record.facts_from?.[fact];
  if (stated !== undefined || from === best) {
    return stated;
  }
  return from.catalogue ? STARTER_CATALOGUE : from.source;
}

/** The values of all sources, and these sources, best first. */
interface Union {
  values: readonly unknown[];
  from: SourceFacts[];
}

/** The functions that unite the values of a field. @param facts best source for the field first. */
const unions: Readonly<Record<FieldsOf<"union">, (facts: readonly SourceFacts[], best: SourceFacts) => Union>> = {
  tags: uniteTags,
  variants: uniteVariants,
};

/**
 * The first source's tags and the plain words of the others, whose tags with a colon describe their own publications.
 */
function uniteTags(facts: readonly SourceFacts[]): Union {
  const [first, ...others] = facts.filter(({ record }) => isGiven(record.tags));
  if (first === undefined) {
    return { values: [], from: [] };
  }
  const words = others.flatMap(({ record }) => record.tags ?? []).filter((tag) => !tag.includes(":"));
  return { values: [...new Set([...(first.record.tags ?? []), ...words])].slice(0, MAX_ITEMS), from: [first] };
}

type Variant = NonNullable<SourceRecord["variants"]>[number];

/**
 * All variants. Where several sources list one, the best source's. An unpublished one is dropped if any source knows a
 * repository that publishes its quantization.
 */
function uniteVariants(facts: readonly SourceFacts[], best: SourceFacts): Union {
  const united = new Map<string, { variant: Variant; from: SourceFacts }>();
  for (const from of facts) {
    for (const variant of from.record.variants ?? []) {
      const { quantization, format = "", repository = best.record.name } = variant;
      const id = [quantization, format, repository].join("\n").toLowerCase();
      if (!united.has(id)) {
        united.set(id, { variant, from });
      }
    }
  }
  const all = [...united.values()];
  const variants = new Set(withoutReplaced(all.map(({ variant }) => variant)));
  const kept = all.filter(({ variant }) => variants.has(variant)).slice(0, MAX_ITEMS);
  return { values: kept.map(({ variant }) => variant), from: [...new Set(kept.map(({ from }) => from))] };
}

/**
 * Hash of what an entry is made from. With equal digests the row need not be written again: the facts are the same,
 * whenever they were read, and so is the version of the program that reads them.
 */
export function digestOf(facts: readonly SourceFacts[]): string {
  const hashed = facts.map(({ source, catalogue, goneAt, record }) => [
    source,
    catalogue,
    goneAt !== undefined,
    record,
  ]);
  return hash("sha256", JSON.stringify([version, hashed]), "base64url");
}
