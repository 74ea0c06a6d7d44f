/** The sources that can be synced, as people name them. */
export const sourceNames = ["huggingface", "localai", "ollama"] as const;

export type SourceName = (typeof sourceNames)[number];
