import type { SourceRecord } from "./record.ts";
import type { Told } from "./row-state.ts";

/**
 * What kind of source told something: the Hub, the catalogue that ships with the project, LocalAI's gallery, an Ollama
 * server, or any other name, which is a file that was imported.
 */
const kinds = ["huggingface", "catalogue", "localai", "ollama", "file"] as const;
type Kind = (typeof kinds)[number];

/**
 * Whose word holds, best first, where sources differ. The Hub comes first because the models are published there and
 * it is asked directly; the catalogue was gathered from it earlier; LocalAI's gallery is written by hand about others'
 * models; Ollama tells of one machine's copies.
 */
const usual: readonly Kind[] = kinds;

/** The facts for which another order holds. */
const special: { readonly [F in keyof SourceRecord]?: readonly Kind[] } = {
  // Written by people for people, best by the operator's own; what the Hub has is the beginning of a card.
  description: ["file", "catalogue", "localai", "huggingface", "ollama"],
  // Ollama reads it from the weights' own header, which is more than a table in a gallery says.
  context_length: ["huggingface", "catalogue", "ollama", "localai", "file"],
  attention: ["huggingface", "catalogue", "ollama", "localai", "file"],
};

/** What is told, in the order in which it holds for a fact. Of two files the one seen later, then by name. */
export function ranked(told: readonly Told[], fact?: keyof SourceRecord): Told[] {
  const order = (fact && special[fact]) ?? usual;
  return [...told].sort(
    (a, b) =>
      order.indexOf(kindOf(a)) - order.indexOf(kindOf(b)) ||
      b.seenAt - a.seenAt ||
      (a.source < b.source ? -1 : a.source > b.source ? 1 : 0),
  );
}

function kindOf(told: Told): Kind {
  if (told.catalogue) return "catalogue";
  return kinds.find((kind) => kind === told.source && kind !== "catalogue") ?? "file";
}
