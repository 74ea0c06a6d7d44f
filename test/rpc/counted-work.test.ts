import { Code, ConnectError } from "@connectrpc/connect";
import { expect, it } from "vitest";
import type { Caller } from "../../src/access/caller.ts";
import { RequestCaller } from "../../src/rpc/callers/request-caller.ts";
import { describeAccess } from "../access/support/describe-access.ts";

const caller: Caller = { tier: "free", subject: "address:somebody" };
const late = new ConnectError("the deadline has passed", Code.DeadlineExceeded);

describeAccess("a unit of the daily quota", ({ openAccess }) => {
  async function open() {
    const { access } = await openAccess();
    const options = { caller, client: "somebody", access, burst: undefined, isOperator: () => {}, now: Date.now };
    return { called: new RequestCaller(options), used: async () => (await access.usage(caller)).used };
  }

  it("is used from the moment in which the work may begin, whatever happens then", async () => {
    const { called, used } = await open();
    const deadline = new AbortController();
    await called.takeUnit(deadline.signal);
    deadline.abort(late);
    expect(await used()).toBe(1);
  });

  it("is given back if the deadline has passed before, and not if the caller hangs up", async () => {
    const { called, used } = await open();
    await expect(called.takeUnit(AbortSignal.abort(late))).rejects.toBe(late);
    expect(await used()).toBe(0);
    const gone = new ConnectError("the caller has hung up", Code.Canceled);
    await expect(called.takeUnit(AbortSignal.abort(gone))).rejects.toBe(gone);
    expect(await used()).toBe(1);
  });
});
