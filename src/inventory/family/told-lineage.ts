import { lineageWords } from "./lineage-words.ts";

const madeFrom =
  /\b(?:based on|built (?:up)?on|derived from|(?:fine-?tuned|distilled|quanti[sz]ed|trained|adapted) (?:version )?(?:of|from)|(?:version|variant) of|initiali[sz]ed (?:from|with))\s(?:the |an? |our )?([\w.+/-]{1,80}(?: [\w.+/-]{1,60}){0,2})/gi;

/**
 * The family of what a description says that a model was made from: "a fine-tuned version of roberta-base", "based on
 * BERT"; undefined where it names no lineage there.
 */
export function toldLineage(description: string): string | undefined {
  for (const [, words = ""] of description.matchAll(madeFrom)) {
    const found = lineageWords(words.toLowerCase().replaceAll("_", "-"));
    const first = found.find(({ lineage }) => !lineage.generic) ?? found[0];
    if (first !== undefined) return first.lineage.family;
  }
  return undefined;
}
