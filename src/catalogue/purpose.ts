import { readFileSync } from "node:fs";

/** Something that people want a model for: finer than a task label. */
export interface Purpose {
  /** Such as `handwriting`. */
  id: string;
  /** In plain words, such as "read handwriting". */
  name: string;
  /** The area that it belongs to, such as `chat`. A card is in the file of the area of its first purpose. */
  group: string;
  /** The Hub's task labels of models that can serve it, the most likely first. */
  tasks: readonly string[];
}

let loaded: ReadonlyMap<string, Purpose> | undefined;

/** All purposes by their ids. Reads them once a process. */
export function purposes(): ReadonlyMap<string, Purpose> {
  if (loaded === undefined) {
    const lines = readFileSync(new URL("purposes.jsonl", import.meta.url), "utf8")
      .trimEnd()
      .split("\n");
    loaded = new Map(lines.map((line) => JSON.parse(line) as Purpose).map((purpose) => [purpose.id, purpose]));
  }
  return loaded;
}
