export { alternativesAmong } from "./alternatives.ts";
export type { Candidate } from "./candidate.ts";
export { byScore } from "./diversify.ts";
export { explain } from "./explain.ts";
export { formatCount, formatGb } from "./format-figures.ts";
export { meetsHardLimits, type Need } from "./need.ts";
export { namesHardware, profileOf } from "./profile.ts";
export { type Answer, explained, type OnStage, type Recommendation, recommend, scoreCandidates } from "./recommend.ts";
export { MatchingPage } from "./score/many-needs/matching-page.ts";
export { type PreparedNeed, PreparedNeeds } from "./score/many-needs/prepared-needs.ts";
export { adoptionOf, completenessOf, freshnessOf } from "./score/quality-signals.ts";
export { scoreModel } from "./score/score.ts";
export {
  createNeedReader,
  type NeedReaderOptions,
  type ReadingOutcome,
  type ReadNeed,
} from "./understand/language-model.ts";
export { publicAddressOf } from "./understand/language-model-call.ts";
export { readingSources, type Understanding, understand } from "./understand/understand.ts";
export { priorities, wishKinds } from "./understand/wishes/wish.ts";
