import type { Rule } from "./phrases.ts";

export const contextRules: readonly Rule[] = [];
