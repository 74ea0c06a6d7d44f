import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { WireModel } from "./servers/model-hub-server.ts";

/** The path of a file in test/fixtures. NOTICE.md there says where each comes from. */
export function fixturePath(name: string): string {
  return join(import.meta.dirname, "../fixtures", name);
}

/** Facts of a model of the Hugging Face Hub on 20 June 2026. */
export interface HubFacts {
  id: string;
  pipeline_tag?: string;
  library_name?: string;
  tags: string[];
  downloads: number;
  likes: number;
  /** A date. */
  lastModified: string;
  gated?: boolean | string;
  /** Parameters by data type. */
  safetensors?: Record<string, number>;
  files: string[];
}

/** 630 models of the Hugging Face Hub, most downloaded first. */
export function hubModels(): HubFacts[] {
  return readRows("hub/models.jsonl");
}

/** What the Hub says about the models of the starter catalogue that it lists. `license` is as in the Hub's tag. */
export function hubFactsOfStarter(): Array<{ id: string; pipeline_tag?: string; license?: string; downloads: number }> {
  return readRows("hub/starter.jsonl");
}

/** Names of models of the starter catalogue that stand in public code or on a leaderboard, not in the Hub's listing. */
export function namesFoundElsewhere(): string[] {
  return readFileSync(fixturePath("hub/found-elsewhere.txt"), "utf8").trim().split("\n");
}

/** A model in the form of the Hub's API. */
export function asWireModel({ files, safetensors, lastModified, ...facts }: HubFacts): WireModel {
  return {
    private: false,
    gated: false,
    author: facts.id.split("/")[0],
    ...facts,
    lastModified: `${lastModified}T00:00:00.000Z`,
    siblings: files.map((rfilename) => ({ rfilename })),
    ...(safetensors === undefined ? {} : { safetensors: { parameters: safetensors } }),
  };
}

function readRows<T>(name: string): T[] {
  const rows = readFileSync(fixturePath(name), "utf8").trim().split("\n");
  return rows.map((line) => JSON.parse(line) as T);
}
