export { BatchRunner, type BatchRunnerOptions } from "./batch-runner.ts";
export { Batches, type PlacedAnswer } from "./batches.ts";
