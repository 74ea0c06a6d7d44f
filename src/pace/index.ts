export { Bell } from "./bell.ts";
export { CallsInFlight } from "./calls-in-flight.ts";
export { eachUntilAborted, pause, untilAborted } from "./until-aborted.ts";
export { createYieldToEventLoop, type YieldToEventLoop } from "./yield-to-event-loop.ts";
