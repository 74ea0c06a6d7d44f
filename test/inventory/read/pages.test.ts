import { describe, expect, it } from "vitest";
import type { SourceRecord } from "../../../src/inventory/facts/record.ts";
import type { PagePosition } from "../../../src/inventory/read/model-page.ts";
import { ingest } from "../../../src/inventory/write/ingest.ts";
import { sendHttp1 } from "../../support/clients/http.ts";
import { openTestInventory } from "../../support/service/open-test-inventory.ts";
import { startApp } from "../../support/service/start-app.ts";

const named = (name: string, more: object = {}): SourceRecord => ({ name, task_types: ["text-generation"], ...more });

/** More models than are sorted as a whole: a few with many downloads, hundreds with the same number or none. */
function manyRecords(): SourceRecord[] {
  return Array.from({ length: 1_500 }, (_, i) => {
    const shuffled = (i * 677) % 1_500;
    const downloads = shuffled < 600 ? 0 : shuffled < 900 ? 7 : Math.floor(3e9 / (1_500 - shuffled) ** 4);
    return named(`${i % 3 === 0 ? "ämter" : "acme"}/zebra-${i}`, { downloads });
  });
}

const inOrder = (records: readonly SourceRecord[]) =>
  records
    .map(({ name, downloads = 0 }) => ({ key: name.toLowerCase(), downloads }))
    .sort((a, b) => b.downloads - a.downloads || Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)))
    .map(({ key }) => key);

describe("The pages of a long list", async () => {
  const records = [
    ...manyRecords(),
    ...Array.from({ length: 40 }, (_, i) => named(`acme/lynx-${i}`, { downloads: i })),
  ];
  const { database, inventory } = await openTestInventory(records);

  async function walk(limit: number): Promise<string[]> {
    const seen: string[] = [];
    let after: PagePosition | undefined;
    do {
      const page = await inventory.familyPage("zebra", limit, after);
      expect(page?.total).toBe(1_500);
      seen.push(...(page?.models.map(({ key }) => key) ?? []));
      after = page?.next;
    } while (after !== undefined);
    return seen;
  }

  it.each([37, 299, 500, 1_499, 1_500, 2_000])(
    "of %i models have all of it once, most downloaded first",
    async (limit) => {
      expect(await walk(limit)).toEqual(inOrder(manyRecords()));
    },
  );

  it("begin after any position, also one that no model has", async () => {
    const order = inOrder(manyRecords());
    const downloads = new Map(manyRecords().map(({ name, downloads: n }) => [name.toLowerCase(), n ?? 0]));
    for (const [downloaded, key] of [
      [7, "acme/zebra-9999"],
      [5, "acme/zebra-1"],
      [0, "zzz"],
      [2 ** 50, ""],
    ] as const) {
      const page = await inventory.familyPage("zebra", 20, { value: downloaded, key });
      const behind = order.filter((other) => {
        const n = downloads.get(other) as number;
        return n < downloaded || (n === downloaded && Buffer.compare(Buffer.from(other), Buffer.from(key)) > 0);
      });
      expect(page?.models.map((model) => model.key)).toEqual(behind.slice(0, 20));
    }
  });

  it("are complete while other models are written", async () => {
    let isWriting = true;
    const writing = (async () => {
      for (let round = 0; isWriting; round++) {
        await ingest(database, [named(`acme/lynx-${round % 40}`, { downloads: round, likes: round })], {
          source: "s",
        });
      }
    })();
    try {
      for (let i = 0; i < 5; i++) {
        expect(await walk(400)).toEqual(inOrder(manyRecords()));
      }
    } finally {
      isWriting = false;
      await writing;
    }
  });
});

describe("A page token", async () => {
  const { url } = await startApp({ records: [named("acme/zebra-1", { downloads: 3 }), named("acme/zebra-2")] });
  const read = async (token: unknown[]) => {
    const text = Buffer.from(JSON.stringify(token).replace('"huge"', "1e999")).toString("base64url");
    return sendHttp1(url, { path: `/models/family/zebra?page_token=${text}` });
  };

  it("that is invented is refused, or leads to a place in the list", async () => {
    const scope = "family:zebra";
    for (const downloads of ["huge", "3", [3], {}]) {
      expect((await read([scope, downloads, "a/b"])).status).toBe(400);
    }
    for (const downloads of [-1, 1.5, null, 1e300]) {
      const { status, text } = await read([scope, downloads, "a/b"]);
      expect({ status, total: JSON.parse(text).total }).toEqual({ status: 200, total: 2 });
    }
    for (const key of ["'", "' OR '1' = '1", "\u0000", "\ud800", "\\", "%", "x".repeat(1_000)]) {
      const { status, text } = await read([scope, 3, key]);
      expect(status).toBe(200);
      expect(JSON.parse(text).total).toBe(2);
    }
    expect((await read([scope, 3, "x".repeat(10_000)])).status).toBe(400);
  });
});
