import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { TASKS_DATA } from "@huggingface/tasks";
import type { TrainingExample } from "./example.ts";

/** Reads the descriptions of tasks in @huggingface/tasks (MIT): summaries, and the paragraphs of its pages on uses. */
export function readDefinitions(labels: ReadonlySet<string>): TrainingExample[] {
  const require = createRequire(import.meta.url);
  const pages = join(dirname(require.resolve("@huggingface/tasks")), "../../src/tasks");
  const found: TrainingExample[] = [];
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
    // Some tasks share the page of another, which does not describe them.
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

/** A model of the starter catalogue as texts. */
export interface ModelText {
  labels: string[];
  /** Its name and its tags. */
  name: string;
  description: string;
}

/** Reads the starter catalogue of the project. */
export function readModels(): ModelText[] {
  const folder = join(import.meta.dirname, "../../src/sources/starter");
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

/** Makes each description of a model an example of its first task, at a low weight. */
export function modelExamples(labels: ReadonlySet<string>): TrainingExample[] {
  return readModels().flatMap(({ labels: [label = ""], description, name }) =>
    labels.has(label) && description !== ""
      ? [{ text: `${description} ${name.split(". ")[1] ?? ""}`, label, weight: 0.25, origin: "model" }]
      : [],
  );
}
