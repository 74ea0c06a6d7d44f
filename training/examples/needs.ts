import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { TrainingExample } from "./example.ts";

/**
 * Reads the needs of training/needs: a file for each label, a need on each line. extra/ has more in the same form. A
 * need that a label has twice is read once.
 */
export function readNeeds(): TrainingExample[] {
  const folder = join(import.meta.dirname, "../needs");
  const files = [folder, join(folder, "extra")].flatMap((place) =>
    readdirSync(place)
      .filter((name) => name.endsWith(".txt"))
      .sort()
      .map((name) => join(place, name)),
  );
  const seen = new Set<string>();
  const found: TrainingExample[] = [];
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
