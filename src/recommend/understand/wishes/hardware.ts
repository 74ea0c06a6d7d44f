import type { Rule } from "./phrases.ts";

export const hardwareRules: readonly Rule[] = [];
