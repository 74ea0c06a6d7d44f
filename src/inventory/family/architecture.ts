import type { Lineage } from "./lineage.ts";
import { lineageWords } from "./lineages.ts";

/**
 * Tags that only look like an architecture: tools, tasks, training methods, and the code of a language (Yiddish) that
 * is also the name of a lineage.
 */
const noArchitecture =
  /^(?:llama[-_.]?(?:cpp|factory|index|file)|mistral-common|yi|ast|sam|dac|got|aria|flux-lora|model2vec-.*|ppo|dqn|a2c|td3|controlnet|piper)$/;

const pipelineTag = "diffusers:";
const LONGEST_TAG = 40;

// Tags repeat. The cache is bounded, because tags come from outside.
const MAX_CACHED = 20_000;
const tagLineages = new Map<string, Lineage | null>();

/** The lineage of the first tag that names an architecture: `bert`, `qwen3_5_moe`, `diffusers:FluxPipeline`. */
export function architecture(tags: readonly string[]): Lineage | undefined {
  for (const tag of tags) {
    const lineage = lineageOfTag(tag);
    if (lineage !== undefined) {
      return lineage;
    }
  }
  return undefined;
}

function lineageOfTag(tag: string): Lineage | undefined {
  const text = tag.startsWith(pipelineTag) ? tag.slice(pipelineTag.length) : tag;
  // Tags with a colon describe other things, and there are too many to cache.
  if (text.length > LONGEST_TAG || text.includes(":")) {
    return undefined;
  }
  const known = tagLineages.get(text);
  if (known !== undefined) {
    return known ?? undefined;
  }
  const lineage = readTag(text.toLowerCase().replaceAll("_", "-"));
  if (tagLineages.size >= MAX_CACHED) {
    tagLineages.clear();
  }
  tagLineages.set(text, lineage ?? null);
  return lineage;
}

function readTag(text: string): Lineage | undefined {
  if (/[/ ]/.test(text) || noArchitecture.test(text)) {
    return undefined;
  }
  const first = lineageWords(text)[0];
  return first !== undefined && text.startsWith(first.word) ? first.lineage : undefined;
}
