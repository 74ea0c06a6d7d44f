import { expect, it } from "vitest";
import { ServiceError } from "../../../src/error.ts";
import { OutageLog } from "../../../src/rpc/call/errors.ts";
import { storageFull, unavailable } from "../../../src/store/errors.ts";

it("logs an outage once a minute for each reason, with the number of calls, and nothing else", () => {
  let now = 0;
  const received: unknown[] = [];
  const log = new OutageLog(
    (outage) => void received.push(outage),
    () => now,
  );
  const [full, gone] = [new Error("database or disk is full"), new Error("connection refused")];
  for (let call = 0; call < 100; call++) {
    log.note(storageFull(full));
  }
  log.note(unavailable(gone));
  log.note(new ServiceError("OVERLOADED"));
  log.note(new Error("a fault of ours"));
  expect(received).toEqual([
    { reason: "STORAGE_FULL", calls: 1, err: full },
    { reason: "STATE_UNAVAILABLE", calls: 1, err: gone },
  ]);
  now = 60_000;
  log.note(storageFull(full));
  expect(received.slice(2)).toEqual([{ reason: "STORAGE_FULL", calls: 100, err: full }]);
});
