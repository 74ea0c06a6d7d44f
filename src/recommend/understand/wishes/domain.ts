import type { Rule } from "./phrases.ts";

export const domainRules: readonly Rule[] = [];
