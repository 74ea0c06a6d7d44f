import { sql } from "kysely";
import { expect, it } from "vitest";
import { serviceReadiness } from "../../src/app/state.ts";
import { Ready } from "../../src/rpc/call/ready.ts";
import type { Store } from "../../src/store/store.ts";
import { insertOwner } from "../../src/store/tables/owners.ts";
import { describeStore } from "../support/database/describe-store.ts";

/** Fills the disk as far as the database is concerned, or makes room again. */
async function setFull({ db, dialect }: Store, isFull: boolean): Promise<void> {
  if (dialect === "sqlite") {
    const { page_count } = (await sql<{ page_count: number }>`pragma page_count`.execute(db)).rows[0] as {
      page_count: number;
    };
    await sql`pragma max_page_count = ${sql.lit(isFull ? page_count : 1_000_000)}`.execute(db);
    return;
  }
  // What PostgreSQL says where a file cannot grow, from a trigger: its disk is not ours to fill.
  await sql`create or replace function no_room() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`.execute(db);
  for (const table of ["owners", "settings"]) {
    await (isFull
      ? sql`create trigger no_room before insert on ${sql.table(table)} execute function no_room()`
      : sql`drop trigger no_room on ${sql.table(table)}`
    ).execute(db);
  }
}

describeStore("a store on a full disk", ({ open }) => {
  const owner = { id: "own_1", name: "x".repeat(100_000), created_at: 1 };

  it("reports it, is not ready meanwhile, and continues when there is room", async () => {
    const store = await open();
    const opened = new Ready<{ store: typeof store }>("");
    opened.set({ store });
    const { signal: shutdownSignal } = new AbortController();
    // What is known of a store counts for a second, and each of these looks anew.
    const waitingFor = () => serviceReadiness({ state: opened, inventory: opened, shutdownSignal }).waitingFor();
    expect(await waitingFor()).toBeUndefined();
    await setFull(store, true);
    await expect(insertOwner(store.db, owner)).rejects.toMatchObject({
      reason: "STORAGE_FULL",
      details: { retryAfterMs: 10_000 },
      cause: expect.anything(),
    });
    expect(await waitingFor()).toBe("there is no room to write the state: the disk is full");
    expect(await store.db.selectFrom("owners").select("id").execute()).toEqual([]);

    await setFull(store, false);
    expect(await waitingFor()).toBeUndefined();
    await insertOwner(store.db, owner);
    expect(await store.db.selectFrom("owners").select("id").execute()).toEqual([{ id: "own_1" }]);
  });
});
