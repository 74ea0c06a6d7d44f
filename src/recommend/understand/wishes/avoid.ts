import type { Rule } from "./phrases.ts";

export const avoidRules: readonly Rule[] = [];
