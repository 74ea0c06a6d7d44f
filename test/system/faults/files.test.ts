import { readdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { connectDatabase, inventoryLoss, openInventory } from "../../../src/app/open-inventory.ts";
import { readConfig } from "../../../src/config/config.ts";
import { verify } from "../../../src/inventory/maintenance/verify.ts";
import { ingest } from "../../../src/inventory/write/ingest.ts";
import { manyRecords } from "../../inventory/support/many-records.ts";
import { createKey } from "../../support/service/create-key.ts";
import { copyOf, emptyFolder, MODELS, prepareHome, recommend, serve } from "./support/prepared-home.ts";

type Fault = "deleted" | "cut off" | "zeroed" | "emptied";
type Files = (home: string) => string[];

function damage(fault: Fault, file: string): void {
  const { size } = statSync(file);
  if (fault === "deleted") {
    rmSync(file, { recursive: true });
  } else if (fault === "cut off") {
    truncateSync(file, Math.floor(size / 2));
  } else {
    writeFileSync(file, Buffer.alloc(fault === "zeroed" ? size : 0));
  }
}

const state: Files = (home) => [join(home, "state.sqlite")];
const secretKey: Files = (home) => [join(home, "secret.key")];
const inventory: Files = (home) => [join(home, "inventory")];
const table =
  (name: RegExp): Files =>
  (home) =>
    readdirSync(join(home, "inventory"))
      .filter((file) => name.test(file))
      .map((file) => join(home, "inventory", file));
const generations = table(/^generations/);
const identity = table(/^identity/);
const models = table(/^models/);
const within =
  (of: Files, folder: string): Files =>
  (home) =>
    of(home).flatMap((place) =>
      readdirSync(join(place, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.name.endsWith(".json"))
        .map((entry) => join(entry.parentPath, entry.name)),
    );
// Versions are numbered downward in names, so that the newest comes first in a listing.
const newest =
  (of: Files): Files =>
  (home) =>
    within(of, "_versions")(home).sort().slice(0, 1);
const manifests = (of: Files): Files => within(of, "_versions");
const data: Files = within(models, "data");
const index: Files = within(models, "_indices");

const NOT_A_DATABASE =
  /The state in \S+ cannot be opened: file is not a database\. Put a backup of the file in its place/;
const EMPTY_STATE = /The state in \S+ is empty, and the inventory at \S+ with its 40 models was written with another/;
const OTHER_KEY = /is not the key that the webhooks' secrets in \S+ are encrypted with/;
const NO_TABLES = /inventory at \S+ or its list of tables \(generations\.lance\) is gone\. It had 40 models/;
const UNREADABLE_TABLES =
  /list of tables of the inventory at \S+ \(generations\.lance\) cannot be read. It had 40 models/;
const TABLES_SET_BACK =
  /\(generations\.lance\) was set back from version \d+ to \d+|or its list of tables \(generations\.lance\) is gone/;
const SET_BACK =
  /The table models-\S+ of the inventory at \S+ was set back from version \d+ to \d+.* It has \d+ models and had 40/;
const NO_TABLE = /The table models-\S+ of the inventory at \S+ is gone\. It had 40 models/;
const DAMAGED = /The inventory at \S+ has a missing or damaged file.*Put a backup of the whole inventory in its/;

/** What a start does: it is refused with a message, or all is mended, or it goes on `accepting` the loss with so many models. */
interface Outcome {
  refused?: RegExp;
  /** Models that there are after a start with --accept-loss, where that goes on. */
  accepted?: number;
}
const mended: Outcome = {};

/** The matrix; docs/operations.md tells it to operators. */
const cases: ReadonlyArray<readonly [what: string, fault: Fault, files: Files, outcome: Outcome]> = [
  ["the state", "deleted", state, { refused: EMPTY_STATE, accepted: MODELS }],
  ["the state", "emptied", state, { refused: EMPTY_STATE, accepted: MODELS }],
  ["the state", "zeroed", state, { refused: NOT_A_DATABASE }],
  [
    "the state",
    "cut off",
    state,
    { refused: /The state in \S+ cannot be opened: database disk image is malformed\. Put/ },
  ],
  ["the key of the webhooks' secrets", "deleted", secretKey, { refused: OTHER_KEY }],
  ["the key of the webhooks' secrets", "zeroed", secretKey, { refused: OTHER_KEY }],
  ["the key of the webhooks' secrets", "cut off", secretKey, { refused: OTHER_KEY }],
  ["the whole inventory", "deleted", inventory, { refused: NO_TABLES, accepted: 0 }],
  ["the list of tables", "deleted", generations, { refused: NO_TABLES, accepted: MODELS }],
  ["the newest version of the list of tables", "deleted", newest(generations), { refused: TABLES_SET_BACK }],
  [
    "the newest version of the list of tables",
    "cut off",
    newest(generations),
    { refused: UNREADABLE_TABLES, accepted: MODELS },
  ],
  ["the newest version of the list of tables", "zeroed", newest(generations), { refused: NO_TABLES, accepted: MODELS }],
  [
    "all versions of the list of tables",
    "deleted",
    manifests(generations),
    { refused: UNREADABLE_TABLES, accepted: MODELS },
  ],
  [
    "the data of the list of tables",
    "cut off",
    within(generations, "data"),
    { refused: UNREADABLE_TABLES, accepted: MODELS },
  ],
  ["the id of the inventory", "deleted", identity, mended],
  ["the id of the inventory", "zeroed", newest(identity), mended],
  ["the table of models", "deleted", models, { refused: NO_TABLE }],
  ["the newest version of the table of models", "deleted", newest(models), { refused: SET_BACK, accepted: MODELS / 2 }],
  ["the newest version of the table of models", "cut off", newest(models), { refused: DAMAGED }],
  ["the newest version of the table of models", "zeroed", newest(models), { refused: SET_BACK }],
  ["all versions of the table of models", "deleted", manifests(models), { refused: DAMAGED }],
  ["the rows of the table of models", "deleted", data, { refused: DAMAGED }],
  ["the rows of the table of models", "cut off", data, { refused: DAMAGED }],
  ["the rows of the table of models", "zeroed", data, { refused: DAMAGED }],
  ["the indexes of the table of models", "deleted", index, mended],
  ["the indexes of the table of models", "cut off", index, mended],
  ["the indexes of the table of models", "zeroed", index, mended],
];

const prepared = await prepareHome();

it.each(cases)("%s, %s", async (_what, fault, filesOf, { refused, accepted }) => {
  const home = copyOf(prepared.home);
  const files = filesOf(home);
  expect(files).not.toEqual([]);
  for (const file of files) {
    damage(fault, file);
  }
  const { config } = readConfig({ MODELSCOUT_HOME: home, MODELSCOUT_STARTER: "off" });
  const isOfState = filesOf === secretKey;
  if (!isOfState && filesOf !== identity && _what !== "the id of the inventory") {
    const database = await connectDatabase(config);
    const { problems } = await verify(database, { loss: await inventoryLoss(config, database) });
    await database.close();
    expect(problems.length, "problems that verify finds").toBeGreaterThan(0);
  }
  if (refused !== undefined) {
    const error = await serve(home).then(
      ({ app }) => app.close({ force: true }).then(() => "it started"),
      (thrown: Error) => thrown.message,
    );
    expect(error).toMatch(refused);
    if (accepted === undefined) {
      return;
    }
  }
  const { app, url } = await serve(home, { acceptLoss: accepted !== undefined });
  try {
    expect(await (await app.ready).inventory.size()).toBe(accepted ?? MODELS);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    if (accepted !== 0) {
      expect((await recommend(url)).status).toBe(200);
    }
  } finally {
    await app.close({ force: true });
  }
  // What was accepted is known from then on.
  await (await serve(home)).app.close({ force: true });
});

it.each<Fault>(["deleted", "cut off", "zeroed"])(
  "the log of the state (-wal), %s: what was in the state goes on",
  async (fault) => {
    const running = copyOf(prepared.home);
    const { app } = await serve(running);
    await createKey({ home: running, databaseUrl: undefined }, { tier: "pro" });
    // As a power failure leaves it: copied while it is in use.
    const home = copyOf(running);
    await app.close({ force: true });
    damage(fault, join(home, "state.sqlite-wal"));
    rmSync(join(home, "state.sqlite-shm"), { force: true });
    const served = await serve(home);
    expect((await recommend(served.url, prepared.key)).status).toBe(200);
    await served.app.close({ force: true });
  },
);

it("an inventory is not mistaken for the one that it replaces", async () => {
  const home = copyOf(prepared.home);
  const other = (await prepareHome()).home;
  const swapped = { MODELSCOUT_INVENTORY_URI: join(other, "inventory") };
  await expect(serve(home, { env: swapped })).rejects.toThrow(/is not the one that the state in \S+ belongs to/);
});

it("an inventory without an id, as an older version left it, is taken as it is", async () => {
  const home = copyOf(prepared.home);
  for (const file of [...identity(home), ...state(home)]) {
    rmSync(file, { recursive: true });
  }
  const { app, url } = await serve(home);
  expect((await recommend(url)).status).toBe(200);
  await app.close({ force: true });
  for (const file of newest(models)(home)) {
    rmSync(file);
  }
  await expect(serve(home)).rejects.toThrow(SET_BACK);
});

it("a server notices the writes of commands beside it, and an empty inventory may be deleted", async () => {
  const home = emptyFolder();
  await (await serve(home)).app.close();
  rmSync(join(home, "inventory"), { recursive: true });
  const { app } = await serve(home);
  const { config } = readConfig({ MODELSCOUT_HOME: home, MODELSCOUT_STARTER: "off" });
  const { database: beside } = await openInventory(config);
  await ingest(beside, manyRecords(MODELS), { source: "s" });
  await beside.close();
  await app.close();
  await (await serve(home)).app.close();
  for (const file of newest(models)(home)) {
    rmSync(file);
  }
  await expect(serve(home)).rejects.toThrow(/was set back from version/);
});
