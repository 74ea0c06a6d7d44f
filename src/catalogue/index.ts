export type { AppliedCard } from "./card.ts";
export { gradeOf, impliedBy, loadCatalogue, SERVES, servingOf } from "./catalogue.ts";
export { checkCatalogue, shippedFiles } from "./check-catalogue.ts";
export { type Purpose, purposes } from "./purpose.ts";
