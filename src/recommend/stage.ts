/** The steps of a recommendation, in order. */
export const stages = ["understand", "encode", "retrieve", "score", "explain"] as const;

export type Stage = (typeof stages)[number];

/** Told when a step is done, with the milliseconds it took. */
export type OnStage = (stage: Stage, ms: number) => void;

/** A clock that is started now. Each call says which step has just ended. */
export function stageClock(onStage: OnStage = () => {}): (ended: Stage) => void {
  let began = performance.now();
  return (ended) => {
    const now = performance.now();
    onStage(ended, now - began);
    began = now;
  };
}
