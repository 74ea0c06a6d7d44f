import type { Rule } from "./phrases.ts";

export const licenseRules: readonly Rule[] = [];
