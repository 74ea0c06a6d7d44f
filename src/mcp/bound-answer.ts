import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { JsonSchema } from "../openapi/index.ts";

/**
 * Largest structured content in characters of JSON: with its text, 12,000 tokens at some four characters a token, less
 * a reserve, because names and figures take more tokens than prose. Hosts cut longer answers anywhere, or refuse them.
 */
const MOST_CHARACTERS = 36_000;
/** Texts longer than this are cut once no list is left that may be shortened. */
const LONG_TEXT = 500;

/** The schema of the field that says what was left out of an answer. */
export const shortenedSchema: JsonSchema = {
  type: "array",
  description: "What was left out so that the answer is not too long. Absent if nothing was.",
  items: { type: "string" },
};

/** A list inside an answer, with its path such as `results[0].reasons`. */
interface Place {
  path: string;
  list: JsonValue[];
  characters: number;
}

/**
 * Shortens the longest lists of an answer from their ends until it is small enough, and says in its field `shortened`
 * what was left out. An answer that is small enough stays as it is.
 *
 * @param whole the names of lists that are shortened only if that of all others, and of long texts, is not enough.
 */
export function boundAnswer(answer: JsonObject, whole: readonly string[] = []): JsonObject {
  if (charactersOf(answer) <= MOST_CHARACTERS) {
    return answer;
  }
  const bounded = structuredClone(answer);
  const before = new Map<string, number>();
  // The sentences about what was left out take room too.
  const excess = () => charactersOf({ ...bounded, shortened: sentences(bounded, before) }) - MOST_CHARACTERS;
  const shorten = (keep: readonly string[]) => {
    for (let over = excess(); over > 0; over = excess()) {
      const place = heaviest(bounded, keep);
      if (place === undefined) {
        return;
      }
      const { path, list } = place;
      before.set(path, before.get(path) ?? list.length);
      let removed = 0;
      while (list.length > 1 && removed < over) {
        removed += charactersOf(list.pop() as JsonValue) + 1;
      }
    }
  };
  shorten(whole);
  if (excess() > 0) {
    cutTexts(bounded);
    shorten([]);
  }
  const shortened = sentences(bounded, before);
  if (cutPage(bounded, before) !== undefined) {
    bounded.next_page_token = "";
  }
  return shortened.length > 0 ? { ...bounded, shortened } : bounded;
}

/** The list of at least two entries with the most characters, the outermost of equal ones. */
function heaviest(answer: JsonObject, whole: readonly string[]): Place | undefined {
  let found: Place | undefined;
  for (const place of listsIn(answer, "")) {
    const name = place.path.slice(place.path.lastIndexOf(".") + 1);
    const mayShorten = place.list.length > 1 && !whole.includes(name);
    if (mayShorten && (found === undefined || place.characters > found.characters)) {
      found = place;
    }
  }
  return found;
}

function* listsIn(value: JsonValue, path: string): Generator<Place> {
  if (Array.isArray(value)) {
    yield { path, list: value, characters: charactersOf(value) };
    for (const [index, entry] of value.entries()) {
      yield* listsIn(entry, `${path}[${index}]`);
    }
  } else if (typeof value === "object" && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      yield* listsIn(inner, path === "" ? name : `${path}.${name}`);
    }
  }
}

/** The entries left in a page that was shortened; undefined if none was. The token of the next page skips the others. */
function cutPage(answer: JsonObject, before: ReadonlyMap<string, number>): number | undefined {
  const cut = Object.entries(answer).find(([name, list]) => Array.isArray(list) && before.has(name));
  return answer.next_page_token ? (cut?.[1] as JsonValue[] | undefined)?.length : undefined;
}

/** A sentence for each list that was shortened and is still there, and one for the token of a page that was. */
function sentences(answer: JsonObject, before: ReadonlyMap<string, number>): string[] {
  const lists = [...listsIn(answer, "")].flatMap(({ path, list }) => {
    const count = before.get(path);
    return count === undefined ? [] : [`${path} has the first ${list.length} of ${count} entries`];
  });
  const left = cutPage(answer, before);
  const again = `next_page_token would skip the others and is left out; ask again with a page_size of at most ${left}`;
  return left === undefined ? lists : [...lists, again];
}

/** Cuts long texts. */
function cutTexts(value: JsonValue): void {
  if (typeof value !== "object" || value === null) {
    return;
  }
  const holder = value as Record<string, JsonValue>;
  for (const [name, inner] of Object.entries(holder)) {
    if (typeof inner === "string" && inner.length > LONG_TEXT) {
      holder[name] = `${inner.slice(0, LONG_TEXT).toWellFormed()}…`;
    } else {
      cutTexts(inner);
    }
  }
}

function charactersOf(value: JsonValue): number {
  return JSON.stringify(value).length;
}
