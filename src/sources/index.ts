export { type EvaluationsOptions, evaluationsSource } from "./evaluations/evaluations.ts";
export { readRecords, type SkippedLine } from "./file.ts";
export { openCardCache } from "./huggingface/cards.ts";
export { huggingFaceSource } from "./huggingface/huggingface.ts";
export { localAiSource } from "./localai/localai.ts";
export { ollamaSource } from "./ollama/ollama.ts";
export { type FaultKind, type SkippedRecord, type Source, SourceError, type SourceFault } from "./source.ts";
export { checkStarter, STARTER_GATHERED_AT, STARTER_MODELS, starterRecordOf, starterRecords } from "./starter.ts";
