export { alternativesAmong } from "./alternatives.ts";
export type { Candidate } from "./candidate.ts";
export { byScore } from "./diversify.ts";
export { explain } from "./explain.ts";
export { formatCount, formatGb } from "./format-figures.ts";
export { meetsHardLimits, type Need } from "./need.ts";
export { namesHardware, type Profile, profileOf } from "./profile.ts";
export { type Answer, explained, type OnStage, type Recommendation, recommend, scoreCandidates } from "./recommend.ts";
export { shortNameOf } from "./score/names-model.ts";
export { adoptionOf, completenessOf, freshnessOf } from "./score/quality-signals.ts";
export { isForSuitable, mayScore, scoreModel, servedPurposes } from "./score/score.ts";
export { SUITABLE_TASK, taskMatch, type WantedTask } from "./tasks.ts";
export {
  createNeedReader,
  type NeedReaderOptions,
  type ReadingOutcome,
  type ReadNeed,
} from "./understand/language-model.ts";
export { publicAddressOf } from "./understand/language-model-call.ts";
export { readingSources, type Understanding, understand } from "./understand/understand.ts";
export { priorities, wishKinds } from "./understand/wishes/index.ts";
