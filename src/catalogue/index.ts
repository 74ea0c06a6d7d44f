export { type AppliedCard, gradeOf, gradeValue, loadCatalogue } from "./catalogue.ts";
export { checkCatalogue, shippedFiles } from "./check-catalogue.ts";
export { type Purpose, purposes } from "./purpose.ts";
