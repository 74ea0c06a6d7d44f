export { Bell, eachUntilAborted, inOrder, pause, untilAborted } from "./waiting.ts";
export { CallsInFlight, createYieldToEventLoop, type YieldToEventLoop } from "./yield-to-event-loop.ts";
