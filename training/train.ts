import { writeFileSync } from "node:fs";
import { wordsOf } from "../src/embedding/static-tokens.ts";
import { definitions, needs } from "./lib/examples.ts";
import { loadGlove } from "./lib/glove.ts";
import { buildVocabulary, vocabularyBytes } from "./lib/vocabulary.ts";

const examples = needs();
const labels = new Set(examples.map(({ label }) => label));
const all = [...examples, ...definitions(labels)];
const data = buildVocabulary(
  loadGlove(),
  all.map(({ text }) => wordsOf(text)),
);
const bytes = vocabularyBytes(data);
writeFileSync(new URL("../src/embedding/static/words.bin", import.meta.url), bytes);
console.log(`${data.words.length} words, ${bytes.length} bytes`);
