import { describe, expect, it } from "vitest";
import { errorOf, failureOf } from "../../../src/app/background/task.ts";
import { OperatorError, ServiceError } from "../../../src/error.ts";
import { explainedFault } from "../../../src/inventory/table/table-fault.ts";
import { StoreError } from "../../../src/store/errors.ts";

/** Sends an error as it goes from process to process. */
function travelled(thrown: unknown): Error {
  return errorOf(structuredClone(failureOf(thrown)));
}

const fullForLance = new Error("lance error: LanceError(IO): Generic LocalFileSystem error: No space left on device");
const system = (code: string) => Object.assign(new Error(`${code}: no space left on device, write`), { code });
const sqliteFull = Object.assign(new Error("database or disk is full"), { errcode: 13 });

describe("A failure of the background process", () => {
  it.each<[what: string, thrown: unknown]>([
    ["LanceDB's own", fullForLance],
    ["LanceDB's, in words for the operator", explainedFault(fullForLance, "/inventory")],
    ["of the lock's file, by the system", system("ENOSPC")],
    ["of a user's part of the disk", system("EDQUOT")],
    ["of the state of a sync, by SQLite", sqliteFull],
    ["of the state, in words for the operator", new StoreError("cannot be opened", { cause: sqliteFull })],
  ])("is STORAGE_FULL on a full disk: %s", (_what, thrown) => {
    const error = travelled(thrown);
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ reason: "STORAGE_FULL", details: { retryAfterMs: 10_000 } });
    // For the log.
    expect((error.cause as Error).message).toMatch(/no space left on device|disk is full/i);
  });

  it("keeps its reason, and is INTERNAL where it has none", () => {
    const running = travelled(new ServiceError("SYNC_RUNNING", { source: "localai" }));
    expect(running).toMatchObject({
      reason: "SYNC_RUNNING",
      message: expect.stringMatching(/^A sync of localai is already running/),
    });
    for (const thrown of [new Error("on purpose"), new OperatorError("on purpose"), "on purpose"]) {
      const error = travelled(thrown);
      expect(error).not.toBeInstanceOf(ServiceError);
      expect(error.message).toBe("on purpose");
    }
  });
});
