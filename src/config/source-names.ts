/** Names of the sources that can be synced. */
export const sourceNames = ["huggingface", "localai", "ollama", "evaluations"] as const;

export type SourceName = (typeof sourceNames)[number];

/** Publishers of leaderboards that are read live, besides the Hub. */
export const boardPublishers = ["lmarena", "euroeval", "open-asr", "timm", "bfcl", "vectara", "openclip"] as const;

export type BoardPublisher = (typeof boardPublishers)[number];
