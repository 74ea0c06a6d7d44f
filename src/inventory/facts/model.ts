import type { Evaluation } from "../../evaluations/index.ts";
import type { Capability } from "./capabilities.ts";
import type { TaskType } from "./task-types.ts";

/** Figures of a model's attention, for the size of its key-value cache. Absent figures are unknown. */
export interface AttentionFacts {
  layers?: number;
  /** Layers that keep a cache; fewer than `layers` in hybrid models. */
  kv_layers?: number;
  kv_heads?: number;
  head_dim?: number;
  /** Tokens that a sliding-window layer looks back. */
  window?: number;
  /** Width of the compressed cache, with multi-head latent attention. */
  latent_dim?: number;
}

/** One downloadable form of a model. */
export interface Variant {
  quantization: string;
  format?: string;
  /** Download in 10^9 bytes. */
  sizeGb?: number;
  /** Where it is published, when not in the model's own repository. */
  repository?: string;
  /** Whether no repository is known to publish it, so that the user would have to convert the model. */
  unpublished?: boolean;
}

/** Variants without the unpublished ones that another of them replaces, because a repository publishes it. */
export function withoutReplaced<V extends { quantization: string; unpublished?: boolean }>(
  variants: readonly V[],
): V[] {
  const published = new Set(
    variants.filter((variant) => !variant.unpublished).map(({ quantization }) => quantization.toLowerCase()),
  );
  return variants.filter((variant) => !variant.unpublished || !published.has(variant.quantization.toLowerCase()));
}

/** A source that has the model. */
export interface SeenAt {
  name: string;
  url?: string;
  /** Milliseconds since 1970. */
  seenAt?: number;
}

/** A model of the inventory, normalised. A fact that is unknown is absent, never 0 or empty text. */
export interface Model {
  /** owner/model in lower case. Sources with the same key describe the same model. */
  key: string;
  name: string;
  family: string;
  series?: string;
  /** The hub's task labels, the main one first. */
  labels: string[];
  /** The task types of the labels, and `code` for models made for code. */
  types: TaskType[];
  source: string;
  sourceUrl?: string;
  license?: string;
  parameters?: number;
  activeParameters?: number;
  contextLength?: number;
  /** The smallest full-quality download in 10^9 bytes. */
  sizeGb?: number;
  downloads?: number;
  likes?: number;
  /** Milliseconds since 1970. */
  updatedAt?: number;
  library?: string;
  languages: string[];
  baseModel?: string;
  /** Whether it is `baseModel` in another format (GGUF, AWQ, MLX …) rather than a model trained further. */
  repackaging: boolean;
  /** The repackagings of it by others, where they were looked up. Not stored. */
  repackagings?: readonly Model[];
  gated?: boolean;
  /** What it can do besides its task, in the order of `capabilityNames`. Absent where none is known. */
  capabilities?: Capability[];
  tags: string[];
  description?: string;
  /** Largest first. */
  variants: Variant[];
  attention?: AttentionFacts;
  /** What boards found: at most one figure of each board. Absent where none is known. */
  evaluations?: Evaluation[];
  sources: SeenAt[];
  /** The origins of single facts, by field. */
  factsFrom: Record<string, string>;
}
