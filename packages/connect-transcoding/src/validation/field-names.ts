import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { distance } from "fastest-levenshtein";
import { checkLimits } from "../check-limits.ts";

const cache = new WeakMap<DescMessage, ReadonlyMap<string, DescField>>();

/** The fields of a message by their proto name and by their JSON name. */
export function messageFields(desc: DescMessage): ReadonlyMap<string, DescField> {
  let fields = cache.get(desc);
  if (fields === undefined) {
    const map = new Map<string, DescField>();
    for (const field of desc.fields) {
      map.set(field.name, field).set(field.jsonName, field);
    }
    fields = map;
    cache.set(desc, fields);
  }
  return fields;
}

/**
 * The candidate that a mistyped name most likely means; undefined if none is close. It is the same except for case and
 * underscores, or at most a third of its letters (three at most) differ; otherwise it is the shortest candidate that
 * contains the name as a word (`gpu` for `gpu_name`). Long names are not compared.
 */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > checkLimits.comparedCharacters) {
    return undefined;
  }
  const wanted = simplify(name);
  let nearest: string | undefined;
  const all = [...candidates];
  let limit = Math.min(3, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of all) {
    const edits = editsBetween(wanted, simplify(candidate));
    if (edits < limit) {
      nearest = candidate;
      limit = edits;
    }
  }
  return nearest ?? shortest(all.filter((candidate) => inWords(candidate).includes(inWords(name))));
}

function shortest(names: readonly string[]): string | undefined {
  return names.reduce<string | undefined>(
    (best, name) => (best !== undefined && best.length <= name.length ? best : name),
    undefined,
  );
}

/** `_gpu_name_` for gpu_name and gpuName. */
function inWords(name: string): string {
  return `_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replaceAll("-", "_")}_`;
}

function simplify(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, "");
}

/** Letters added, dropped or changed. Two neighbours that are swapped count as one. */
function editsBetween(a: string, b: string): number {
  return isSwap(a, b) ? 1 : distance(a, b);
}

/** Whether two texts differ only by two neighbouring letters that are swapped. */
function isSwap(a: string, b: string): boolean {
  let at = 0;
  while (at < a.length && a[at] === b[at]) {
    at++;
  }
  return at < a.length - 1 && a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}

/** The real field nearest to an unknown name, in the spelling (snake_case or lowerCamelCase) of that name. */
export function nearestField(desc: DescMessage, name: string): string | undefined {
  const camelCase = /[A-Z]/.test(name) && !name.includes("_");
  return nearestName(
    name,
    desc.fields.map((field) => (camelCase ? field.jsonName : field.name)),
  );
}
