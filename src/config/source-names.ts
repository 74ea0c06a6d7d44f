/** Names of the sources that can be synced. */
export const sourceNames = ["huggingface", "localai", "ollama"] as const;

export type SourceName = (typeof sourceNames)[number];
