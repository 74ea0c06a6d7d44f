import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { Turns } from "../../../src/server/listener/turns.ts";
import { openSession, request } from "./support/h2-client.ts";
import { startListener } from "./support/start-listener.ts";

const EACH_TURN = 8;

it("A few requests begin at once, the others some in each turn, and one of each client before more of any", async () => {
  const turns = new Turns();
  const begun: string[] = [];
  const ask = (client: string, i: number) =>
    turns.begin(
      () => client,
      () => void begun.push(`${client}${i}`),
    );
  for (let i = 0; i < 3 * EACH_TURN; i++) {
    ask("a", i);
  }
  ask("b", 0);
  ask("c", 0);
  expect(begun).toEqual(["a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7"]);
  await nextTurn();
  expect(begun.slice(EACH_TURN)).toEqual(["a8", "b0", "c0", "a9", "a10", "a11", "a12", "a13"]);
  await nextTurn();
  expect(begun).toHaveLength(3 * EACH_TURN);
  await nextTurn();
  expect(begun).toHaveLength(3 * EACH_TURN + 2);
  await nextTurn();
  ask("a", 99);
  expect(begun.at(-1)).toBe("a99");
});

it("Streams that arrive in one packet begin in several turns, and all are answered", async () => {
  const inTurn: number[] = [];
  let isCounting = false;
  const { url } = await startListener((_req, res) => {
    if (!isCounting) {
      isCounting = true;
      inTurn.push(0);
      setImmediate(() => {
        isCounting = false;
      });
    }
    inTurn.push((inTurn.pop() ?? 0) + 1);
    res.end("answered");
  });
  const session = await openSession(url);
  const answers = await Promise.all(Array.from({ length: 100 }, () => request(session, { ":path": "/" })));
  expect(answers.map(({ body }) => body)).toEqual(Array(100).fill("answered"));
  // Two halves of turns, because the one counts from the first request on.
  expect(Math.max(...inTurn)).toBeLessThanOrEqual(2 * EACH_TURN);
});
