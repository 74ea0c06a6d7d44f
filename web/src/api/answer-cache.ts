import { type DescMessage, fromJsonString, type MessageShape, toJsonString } from "@bufbuild/protobuf";
import { readStored, removeStored, writeStored } from "../state/stored.ts";

const MAX_ANSWERS = 12;
const NAME = "modelscout.answers";

/** Caches the answers of counted calls for this tab, so that reloading and going back use no quota. */
export const answerCache = {
  get<O extends DescMessage>(key: string, schema: O): MessageShape<O> | undefined {
    const text = entries().find(([name]) => name === key)?.[1];
    if (text === undefined) {
      return undefined;
    }
    try {
      return fromJsonString(schema, text);
    } catch {
      // Written by another version of the page.
      return undefined;
    }
  },

  set<O extends DescMessage>(key: string, schema: O, answer: MessageShape<O>): void {
    const others = entries().filter(([name]) => name !== key);
    const kept = [...others, [key, toJsonString(schema, answer)] as const].slice(-MAX_ANSWERS);
    writeStored("tab", NAME, JSON.stringify(kept));
  },

  /** Deletes all answers: another key may see different ones. */
  clear(): void {
    removeStored("tab", NAME);
  },
};

function entries(): (readonly [string, string])[] {
  try {
    return JSON.parse(readStored("tab", NAME) ?? "[]");
  } catch {
    return [];
  }
}
