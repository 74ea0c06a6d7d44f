import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { WatchMatchesResponse } from "../../../gen/modelscout/v1/interest_pb.ts";
import { createKeys } from "../../../src/access/keys.ts";
import { createApp } from "../../../src/app/app.ts";
import { readConfig } from "../../../src/config/config.ts";
import { Interests } from "../../../src/interests/interests.ts";
import { openStore } from "../../../src/store/open-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { insertMatches, takeNumbers } from "../../../src/store/tables/matches.ts";
import { atEnd } from "../../support/at-end.ts";
import type { ReceivedError } from "../../support/clients/received-error.ts";
import { startApp } from "../../support/service/start-app.ts";
import { matchStreams, type WatchMatches } from "../support/match-streams.ts";

const env = { MODELSCOUT_BURST: "off", MODELSCOUT_STREAMS_PER_OWNER: "3" };
const { url, home } = await startApp({ records: [], isUnlimited: false, env });
// As another process beside the service has it.
const store = await openStore({ home });
atEnd(() => store.close());
const names = matchStreams(url, "").map(([name]) => name);

interface Owner {
  ownerId: string;
  keyId: string;
  key: string;
  /** An interest of the owner. */
  interestId: string;
}

async function newOwner(at: Store = store): Promise<Owner> {
  const { key, record } = await createKeys(at).create({ tier: "pro" }, "test");
  const interest = await addInterest(record.ownerId, at);
  return { ownerId: record.ownerId, keyId: record.id, key, interestId: interest };
}

async function addInterest(ownerId: string, at: Store = store): Promise<string> {
  const interests = new Interests({ store: at, latestChange: async () => 0, most: 100 });
  const need = { description: "write poems", filter: {}, ignore: [] };
  return (await interests.create(ownerId, { name: "poems", need, minScore: 0.5 })).id;
}

let made = 0;

/** Records matches as the matcher does. @returns their models' names. */
async function addMatches(
  { ownerId, interestId }: Pick<Owner, "ownerId" | "interestId">,
  count: number,
  { at = store, reason = "because" } = {},
): Promise<string[]> {
  const keys = Array.from({ length: count }, () => `acme/m-${made++}`);
  await at.db.transaction().execute(async (transaction) => {
    const last = (await takeNumbers(transaction, [{ ownerId, count }])).get(ownerId) as number;
    const rows = keys.map((key, i) => ({
      id: `mat_${key.slice(5)}`,
      owner_id: ownerId,
      number: last - count + 1 + i,
      interest_id: interestId,
      model_key: key,
      cause: "added",
      score: 0.75,
      model: JSON.stringify({ name: key, family: "acme" }),
      reasons: JSON.stringify([reason]),
      tradeoffs: "[]",
      matched_at: Date.now(),
    }));
    for (let i = 0; i < rows.length; i += 1_000) {
      await insertMatches(transaction, rows.slice(i, i + 1_000));
    }
  });
  at.signals.send("matches");
  return keys;
}

/** What is read of a stream: matches as their models' names, heartbeats and closings as what they are. */
class Reader {
  readonly received: string[] = [];
  readonly cursors: string[] = [];
  readonly closings: string[] = [];
  readonly #leaving = new AbortController();
  readonly ended: Promise<unknown>;
  heartbeats = 0;

  constructor(watch: WatchMatches, request: Parameters<WatchMatches>[0] = {}) {
    this.ended = this.#read(watch(request, this.#leaving.signal)).catch((error: unknown) => error);
    atEnd(() => this.leave());
  }

  async #read(messages: AsyncIterable<WatchMatchesResponse>): Promise<void> {
    for await (const { event } of messages) {
      this.cursors.push((event.value as { cursor: string }).cursor);
      if (event.case === "match") {
        this.received.push(event.value.model?.name as string);
      } else if (event.case === "heartbeat") {
        this.heartbeats++;
      } else if (event.case === "closing") {
        this.closings.push(event.value.reason);
      }
    }
  }

  /** Waits until the stream has told so much; the test's time limit ends the wait. */
  async until(isSo: (reader: this) => boolean): Promise<this> {
    let error: unknown;
    this.ended.then((thrown) => {
      error = thrown;
    });
    while (!isSo(this)) {
      if (error !== undefined) {
        throw error;
      }
      await sleep(20);
    }
    return this;
  }

  async leave(): Promise<void> {
    this.#leaving.abort();
    await this.ended;
  }
}

const isOpen = ({ cursors }: Reader) => cursors.length > 0;
const watchOf = (name: string, key: string, at = url) =>
  matchStreams(at, key).find(([known]) => known === name)?.[1] as WatchMatches;

describe.each(names)("A stream of matches by %s", (name) => {
  it("replays from a cursor and continues live, without a gap or a duplicate", { timeout: 120_000 }, async () => {
    const owner = await newOwner();
    const stranger = await newOwner();
    const watch = watchOf(name, owner.key);
    const old = await addMatches(owner, 120);
    const all = new Reader(watch, { after: "0" });
    const fresh = await new Reader(watch).until(isOpen);
    expect(fresh.heartbeats).toBe(1);
    await all.until(({ received }) => received.length > 30);
    const live: string[] = [];
    for (let i = 0; i < 5; i++) {
      live.push(...(await addMatches(owner, 7)));
      await addMatches(stranger, 3);
    }
    await all.until(({ received }) => received.length >= old.length + live.length);
    await fresh.until(({ received }) => received.length >= live.length);
    expect(all.received).toEqual([...old, ...live]);
    expect(fresh.received).toEqual(live);
    const middle = all.cursors[
      all.received.indexOf(old[99] as string) + all.cursors.length - all.received.length
    ] as string;
    await all.leave();
    const resumed = new Reader(watch, { after: middle });
    await resumed.until(({ received }) => received.length >= 20 + live.length);
    expect(resumed.received).toEqual([...old.slice(100), ...live]);
  });

  it("sends the matches of the named interests only", { timeout: 120_000 }, async () => {
    const owner = await newOwner();
    const other = await addInterest(owner.ownerId);
    const reader = new Reader(watchOf(name, owner.key), { after: "0", interestIds: [other] });
    await reader.until(isOpen);
    await addMatches(owner, 60);
    const wanted = await addMatches({ ...owner, interestId: other }, 2);
    await reader.until(({ received }) => received.length >= 2);
    expect(reader.received).toEqual(wanted);
  });

  it("is refused with a reason", { timeout: 60_000 }, async () => {
    const [owner, stranger] = [await newOwner(), await newOwner()];
    const watch = watchOf(name, owner.key);
    await addMatches(stranger, 1);
    const theirs = await new Reader(watchOf(name, stranger.key), { after: "0" }).until(isOpen);
    for (const after of ["1", "x", theirs.cursors[0] as string, `1-${"0".repeat(8)}`, "-1", "1e3"]) {
      const error = (await new Reader(watch, { after }).ended) as ReceivedError;
      expect([after, error.code, error.fields]).toEqual([after, "INVALID_ARGUMENT", ["after"]]);
    }
    for (const id of [stranger.interestId, "int_none"]) {
      const error = (await new Reader(watch, { interestIds: [id] }).ended) as ReceivedError;
      expect([error.code, error.details.ErrorInfo?.reason]).toEqual(["NOT_FOUND", "INTEREST_NOT_FOUND"]);
    }
    for (let i = 0; i < 3; i++) {
      await new Reader(watch).until(isOpen);
    }
    const error = (await new Reader(watch).ended) as ReceivedError;
    expect(error).toMatchObject({
      code: "RESOURCE_EXHAUSTED",
      details: { QuotaFailure: { violations: [{ subject: "owner", description: "3 open streams an owner" }] } },
    });
  });

  it("ends with a cursor at a shutdown, and the next process continues there", { timeout: 120_000 }, async () => {
    const own = `${home}/${names.indexOf(name)}`;
    const { config } = readConfig({ PORT: "0", LOG_LEVEL: "silent", MODELSCOUT_HOME: own, MODELSCOUT_STARTER: "off" });
    const start = async () => {
      const app = await createApp(config);
      const listening = await app.listen();
      await app.ready;
      return { app, url: listening.url };
    };
    const first = await start();
    const beside = await openStore({ home: own });
    const owner = await newOwner(beside);
    const before = await new Reader(watchOf(name, owner.key, first.url)).until(isOpen);
    const received = await addMatches(owner, 3, { at: beside });
    await before.until((reader) => reader.received.length >= 3);
    await first.app.close();
    expect(await before.ended).toBeUndefined();
    expect(before.closings).toEqual(["shutting-down"]);
    const missed = await addMatches(owner, 2, { at: beside });
    const second = await start();
    const after = new Reader(watchOf(name, owner.key, second.url), { after: before.cursors.at(-1) as string });
    await after.until((reader) => reader.received.length >= 2);
    expect([...before.received, ...after.received]).toEqual([...received, ...missed]);
    await after.leave();
    await beside.close();
    await second.app.close({ force: true });
  });
});

// What ends a stream is the same for all protocols, and each waits for the next check of its key.
describe.each(["connect-node, gRPC", "REST, lines"])("A stream of matches by %s", (name) => {
  it("ends with a cursor when its key is revoked, and others continue", { timeout: 60_000 }, async () => {
    const owner = await newOwner();
    const keys = createKeys(store);
    const { key } = await keys.create({ tier: "pro", ownerName: owner.ownerId }, "test");
    const [ending, staying] = [new Reader(watchOf(name, owner.key)), new Reader(watchOf(name, key))];
    await Promise.all([ending.until(isOpen), staying.until(isOpen)]);
    const [first] = await addMatches(owner, 1);
    await ending.until(({ received }) => received.includes(first as string));
    await keys.revoke(owner.keyId, "test");
    expect(await ending.ended).toBeUndefined();
    expect(ending.closings).toEqual(["key-invalid"]);
    const missed = await addMatches(owner, 2);
    await staying.until(({ received }) => received.length >= 3);
    const resumed = new Reader(watchOf(name, key), { after: ending.cursors.at(-1) as string });
    await resumed.until(({ received }) => received.length >= 2);
    expect(resumed.received).toEqual(missed);
  });
});

describe("A stream of matches", () => {
  it("prefers Last-Event-ID to after", { timeout: 60_000 }, async () => {
    const owner = await newOwner();
    const models = await addMatches(owner, 3);
    const all = await new Reader(watchOf("REST, lines", owner.key), { after: "0" }).until(
      ({ received }) => received.length === 3,
    );
    const leaving = new AbortController();
    const answer = await fetch(`${url}/models/matches:watch?after=0`, {
      headers: { "x-api-key": owner.key, accept: "text/event-stream", "last-event-id": all.cursors[1] as string },
      signal: leaving.signal,
    });
    const { value } = await (answer.body as ReadableStream<Uint8Array>).getReader().read();
    leaving.abort();
    expect(Buffer.from(value as Uint8Array).toString()).toContain(models[2]);
  });

  it("replays from the oldest match if those after the cursor are deleted", { timeout: 60_000 }, async () => {
    const owner = await newOwner();
    const watch = watchOf("connect-node, gRPC", owner.key);
    await addMatches(owner, 2);
    const before = await new Reader(watch, { after: "0" }).until(({ received }) => received.length === 2);
    const kept = await addMatches(owner, 3);
    const late = kept.slice(1);
    await store.db.deleteFrom("matches").where("owner_id", "=", owner.ownerId).where("number", "<=", 3).execute();
    const after = await new Reader(watch, { after: before.cursors[0] as string }).until(
      ({ received }) => received.length >= 2,
    );
    expect(after.received).toEqual(late);
  });

  it("sends heartbeats", { timeout: 120_000 }, async () => {
    const owner = await newOwner();
    await addMatches(owner, 1);
    const reader = new Reader(watchOf("connect-node, gRPC", owner.key));
    await reader.until(({ heartbeats }) => heartbeats >= 2);
    expect(reader.received).toEqual([]);
    expect(reader.cursors[1]).toBe(reader.cursors[0]);
  });

  it("waits for a slow reader, and delays no other", { timeout: 240_000 }, async () => {
    const owner = await newOwner();
    // More than what sockets hold.
    const reason = "x".repeat(4_000);
    const models: string[] = [];
    for (let i = 0; i < 5; i++) {
      models.push(...(await addMatches(owner, 1_000, { reason })));
    }
    const watch = watchOf("connect-node, gRPC", owner.key);
    const leaving = new AbortController();
    const slow = watch({ after: "0" }, leaving.signal)[Symbol.asyncIterator]();
    const received: unknown[] = [];
    const next = async () => {
      const { value } = await slow.next();
      if (value?.event.case === "match") {
        received.push(value.event.value.model?.name);
      }
    };
    await next();
    const fast = new Reader(watchOf("REST, lines", owner.key), { after: "0" });
    await fast.until((reader) => reader.received.length >= models.length);
    const [live] = await addMatches(owner, 1);
    await fast.until((reader) => reader.received.includes(live as string));
    while (received.length < models.length + 1) {
      await next();
    }
    expect(received).toEqual([...models, live]);
    expect(fast.received).toEqual([...models, live]);
    leaving.abort();
  });
});
