export { addEntries, fileOf } from "./add-entries.ts";
export type { AppliedCard, KnownWords } from "./card.ts";
export { gradeOf, impliedBy, loadCatalogue, SERVES, servingOf } from "./catalogue.ts";
export { cardsFolder, checkCatalogue, shippedFiles } from "./check-catalogue.ts";
export {
  type Circumstance,
  choiceOf,
  circumstances,
  circumstancesInWords,
  hasGoodChoice,
  MOST_RANKED,
  placesOf,
  shippedChoices,
} from "./choice.ts";
export { type Purpose, purposes } from "./purpose.ts";
export {
  choiceIn,
  gradeAt,
  isListedIn,
  type PurposeGrades,
  placeIn,
  placeOfPurpose,
  purposeGradesOf,
  purposeIn,
  servingIn,
} from "./purpose-grades.ts";
