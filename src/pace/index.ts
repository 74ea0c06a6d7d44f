export { CallsInFlight } from "./calls-in-flight.ts";
export { createYieldToEventLoop, type YieldToEventLoop } from "./yield-to-event-loop.ts";
