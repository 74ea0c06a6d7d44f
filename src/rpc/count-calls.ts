import type { CallsInFlight } from "../batches/calls-in-flight.ts";

/** The unary methods of a service, each call counted until it is answered. */
export function countCalls<T extends object>(service: T, calls: CallsInFlight): T {
  const counted = Object.entries(service).map(([name, method]) => [
    name,
    (...args: unknown[]) => calls.during(async () => method(...args)),
  ]);
  return Object.fromEntries(counted) as T;
}
