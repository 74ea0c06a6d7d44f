import type { DescField, DescMessage } from "@bufbuild/protobuf";
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
    const distance = editDistance(wanted, simplify(candidate), limit);
    if (distance < limit) {
      nearest = candidate;
      limit = distance;
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

/** Letters added, dropped, changed or swapped with the next one; `limit` if it is that or more. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) {
    return limit;
  }
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      let distance = Math.min(last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1), last[j]! + 1, row[j - 1]! + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        distance = Math.min(distance, beforeLast[j - 2]! + 1);
      }
      row.push(distance);
    }
    beforeLast = last;
    last = row;
  }
  return Math.min(last[b.length]!, limit);
}

/** The real field nearest to an unknown name, in the spelling (snake_case or lowerCamelCase) of that name. */
export function nearestField(desc: DescMessage, name: string): string | undefined {
  const camelCase = /[A-Z]/.test(name) && !name.includes("_");
  return nearestName(
    name,
    desc.fields.map((field) => (camelCase ? field.jsonName : field.name)),
  );
}
