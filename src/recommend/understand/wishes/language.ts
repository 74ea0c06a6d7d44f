import type { Rule } from "./phrases.ts";

export const languageRules: readonly Rule[] = [];
