import type { Rule } from "./phrases.ts";

export const sizeRules: readonly Rule[] = [];
