import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { boardPublishers } from "../../src/config/source-names.ts";
import { bundledEvaluations, placeModels } from "../../src/evaluations/index.ts";
import { boardAddresses, evaluationsSource } from "../../src/sources/evaluations/evaluations.ts";
import { Snapshots } from "../../src/sources/evaluations/snapshots.ts";
import type { ListingOptions } from "../../src/sources/source.ts";
import { syncSource } from "../../src/sync/sync-source.ts";
import { testHome } from "../inventory/support/test-database.ts";
import { atEnd } from "../support/at-end.ts";
import { freePort } from "../support/servers/free-port.ts";
import { openTestInventory } from "../support/service/open-test-inventory.ts";

/** What a path answers: a text, or something that the handler does. */
type Answer = string | ((request: IncomingMessage, response: ServerResponse) => void);

const csv = {
  asr: "model,Avg. WER,RTFx,License\nacme/ears,5.5,500,Open\nacme-cloud/scribe,5,-1,Proprietary\n",
  asrLong: "model_id,Average,RTFx\nacme/ears,9.5,400\n",
  asrMany: "model,RTFx,Avg,de_a,fr_a,it_a,es_a,pt_a\nacme/ears,300,4.5,1,2,3,4,5\n",
  bfcl: "Model,Model Link,Overall Acc\nTalker (FC),https://huggingface.co/acme/talker,40%\nClosed,https://x.example/,60%\n",
};
const arenaPage = (rows: object[], total = rows.length) =>
  JSON.stringify({
    features: [],
    rows: rows.map((row, i) => ({ row_idx: i, row, truncated_cells: [] })),
    num_rows_total: total,
  });

/** The answers by path. */
let answers: Record<string, Answer> = {};
let asked: string[] = [];
let tokens: Record<string, string | undefined> = {};

const server = createServer((request, response) => {
  const path = (request.url as string).split("?")[0] as string;
  asked.push(path);
  tokens[path] = request.headers.authorization;
  const answer = answers[path];
  if (answer === undefined) {
    response.writeHead(404).end();
  } else if (typeof answer === "string") {
    response.end(answer);
  } else {
    answer(request, response);
  }
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
atEnd(() => void server.close());
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

let folder = "";
beforeEach(() => {
  folder = join(testHome(), "evaluations");
  [asked, tokens] = [[], {}];
  const hub = "/hub/api/datasets";
  answers = {
    "/asr/scripts/data/en_shortform.csv": csv.asr,
    "/asr/scripts/data/en_longform.csv": csv.asrLong,
    "/asr/scripts/data/multilingual.csv": csv.asrMany,
    "/bfcl/data_overall.csv": csv.bfcl,
    "/arena/filter": arenaPage([
      { model_name: "qwen3-32b", rating: 1_350.25, leaderboard_publish_date: "2026-09-13" },
      { model_name: "closed-best", rating: 1_500, leaderboard_publish_date: "2026-09-13" },
    ]),
    [hub]: JSON.stringify(
      ["cais/hle", "Idavidrein/gpqa", "TIGER-Lab/MMLU-Pro", "openai/gsm8k", "MathArena/aime_2026"]
        .concat("SWE-bench/SWE-bench_Verified", "ScaleAI/SWE-bench_Pro")
        .map((id) => ({ id })),
    ),
    [`${hub}/cais/hle/leaderboard`]: board(["acme/talker", 20.9, true], ["acme/other", 0.4], ["acme/third", 10]),
    [`${hub}/Idavidrein/gpqa/leaderboard`]: board(["acme/talker", 0.412]),
    [`${hub}/TIGER-Lab/MMLU-Pro/leaderboard`]: board(["acme/talker", 70]),
    [`${hub}/openai/gsm8k/leaderboard`]: board(["acme/talker", 90]),
    [`${hub}/MathArena/aime_2026/leaderboard`]: board(["acme/talker", 50]),
    [`${hub}/SWE-bench/SWE-bench_Verified/leaderboard`]: board(["acme/talker", 60]),
    [`${hub}/ScaleAI/SWE-bench_Pro/leaderboard`]: board(["acme/talker", 30]),
    "/hub/api/models": (request, response) => {
      const isSecond = (request.url as string).includes("cursor=2");
      if (!isSecond) {
        response.setHeader("link", `<${origin}/hub/api/models?cursor=2>; rel="next"`);
      }
      response.end(JSON.stringify(isSecond ? [claimed.old] : [claimed.new, { id: "acme/silent" }, { no: "id" }]));
    },
  };
});

function board(...entries: Array<[modelId: string, value: number, verified?: boolean]>): string {
  return JSON.stringify(
    entries.map(([modelId, value, verified = false], i) => ({
      rank: i + 1,
      modelId,
      value,
      verified,
      filename: "x.yaml",
    })),
  );
}

/** What owners write: both forms, with things that are wrong. */
const claimed = {
  new: {
    id: "acme/claimer",
    evalResults: [
      {
        filename: ".eval_results/hle.yaml",
        data: { dataset: { id: "cais/hle", task_id: "hle" }, value: 12.5, date: "2026-02-03T10:00:00Z" },
      },
      { filename: "bad.yaml", error: "no dataset" },
      { dataset: { id: "acme/own-benchmark", task_id: "x" }, value: 99 },
    ],
  },
  old: {
    id: "acme/claims-more",
    "model-index": [
      {
        name: "x",
        results: [
          { task: { type: "text-generation" }, dataset: { type: "cais/HLE" }, metrics: [{ type: "acc", value: 15 }] },
        ],
      },
      {
        name: "y",
        results: [{ dataset: { type: "openai/gsm8k" }, metrics: [{ type: "acc", value: 5_000 }] }, { odd: true }],
      },
    ],
  },
};

const source = (more: Partial<Record<keyof typeof boardAddresses, string>> = {}) =>
  evaluationsSource({
    folder,
    hubUrl: `${origin}/hub/`,
    accessToken: "hf_secret",
    boardUrls: {
      "open-asr": `${origin}/asr`,
      bfcl: `${origin}/bfcl`,
      lmarena: `${origin}/arena`,
      euroeval: "off",
      timm: "off",
      vectara: "off",
      openclip: "off",
      ...more,
    },
    http: { firstWaitMs: 1, attempts: 3, attemptsToReach: 2, attemptsToParse: 2, timeoutMs: 5_000 },
  });

/** Lists everything: figures by model and board, and what was reported. */
async function read(from = source(), options: ListingOptions = {}) {
  const [gaps, faults, cursors] = [[] as string[], [] as string[], [] as string[]];
  const listing = from.list({
    onGap: (problem) => void gaps.push(problem),
    onFault: ({ kind }) => void faults.push(kind),
    onCheckpoint: async (cursor) => void cursors.push(cursor),
    ...options,
  });
  const models: Record<string, Record<string, object>> = {};
  for (;;) {
    const { done, value } = await listing.next();
    if (done) {
      return { models, gaps, faults, cursors, complete: value.complete };
    }
    models[value.name] = Object.fromEntries((value.evaluations ?? []).map(({ board: id, ...rest }) => [id, rest]));
  }
}

const today = new Date().toISOString().slice(0, 10);

it("reads files, LMArena and the Hub's benchmarks and claims, and gives the Hub's token to nobody else", async () => {
  const { models, gaps, complete } = await read();
  expect({ gaps, complete }).toEqual({ gaps: [], complete: true });
  expect(models["acme/ears"]).toMatchObject({
    "open-asr-en-shortform": { value: 5.5, place: 2, of: 2, as_of: today, evidence: "measured" },
    "open-asr-en-shortform-speed": { value: 500, place: 1, of: 1 },
    "open-asr-en-longform": { value: 9.5 },
    "open-asr-pt": { value: 5 },
  });
  expect(models["acme/talker"]).toMatchObject({
    "bfcl-v4": { value: 40, place: 2, of: 2, evidence: "measured" },
    "hub-hle": { value: 20.9, place: 1, of: 2, evidence: "verified" },
    "hub-gpqa-diamond": { value: 41.2, evidence: "claimed" },
  });
  expect(models["acme/other"], "0.4 among percentages may be a share").toBeUndefined();
  expect(models["Qwen/Qwen3-32B"]).toEqual({
    "lmarena-text": expect.objectContaining({ value: 1_350.25, place: 2, of: 2, as_of: "2026-09-13" }),
    "lmarena-vision": expect.anything(),
    "lmarena-webdev": expect.anything(),
    "lmarena-text-to-image": expect.anything(),
    "lmarena-image-edit": expect.anything(),
    "lmarena-text-to-video": expect.anything(),
    "lmarena-image-to-video": expect.anything(),
  });
  expect(models["acme/claimer"]).toEqual({ "hub-hle": { value: 12.5, as_of: "2026-02-03", evidence: "claimed" } });
  expect(models["acme/claims-more"], "what is impossible is left out").toEqual({
    "hub-hle": { value: 15, as_of: today, evidence: "claimed" },
  });
  expect(tokens["/hub/api/models"]).toBe("Bearer hf_secret");
  expect([tokens["/arena/filter"], tokens["/bfcl/data_overall.csv"]]).toEqual([undefined, undefined]);
});

it("tries again after errors, cut answers and malformed ones", async () => {
  let tries = 0;
  const flaky =
    (good: string): Answer =>
    (_, response) => {
      tries++;
      if (tries === 1) {
        response.writeHead(503).end();
      } else if (tries === 2) {
        response.writeHead(200, { "content-length": "1000" });
        response.write(good.slice(0, 5), () => setTimeout(() => response.destroy(), 50));
      } else {
        response.end(good);
      }
    };
  answers["/bfcl/data_overall.csv"] = flaky(csv.bfcl);
  const { models, gaps, faults } = await read();
  expect(gaps).toEqual([]);
  expect(faults).toEqual(["server-error", "cut"]);
  expect(models["acme/talker"]).toHaveProperty("bfcl-v4");
});

it.each<[what: string, answer: Answer, reason: RegExp]>([
  ["another form", "Name,Score\nTalker,40\n", /has no column "Model", "Model Link", "Overall Acc"/],
  ["an impossible value", csv.bfcl.replace("40%", "4000%"), /has 4000 for Talker, which is outside 0 to 100/],
  ["ids that differ in case", `${csv.bfcl}B,https://huggingface.co/Acme/Talker,1%\n`, /differ in letter case alone/],
  ["nothing at its address", (_, response) => void response.writeHead(404).end(), /answers 404/],
  ["no rows", "Model,Model Link,Overall Acc\n", /has no rows/],
  ["too much", (_, response) => void response.end("x".repeat(17_000_000)), /more than the limit of 16,000,000 bytes/],
])("reports a board with %s, and keeps its last figures", async (_, answer, reason) => {
  const before = await read();
  answers["/bfcl/data_overall.csv"] = answer;
  const { models, gaps, complete } = await read();
  expect(gaps).toHaveLength(1);
  expect(gaps[0]).toMatch(reason);
  expect(gaps[0]).toMatch(/^bfcl\/data_overall.csv .*; its last figures are kept$/s);
  expect(complete, "nothing is taken for gone").toBe(false);
  expect(models).toEqual(before.models);
});

it("refuses a board that lost most of its models, as if it were half written", async () => {
  const many = Array.from({ length: 10 }, (_, i) => `M${i},https://huggingface.co/acme/m${i},${i}%`);
  answers["/bfcl/data_overall.csv"] = `Model,Model Link,Overall Acc\n${many.join("\n")}\n`;
  await read();
  answers["/bfcl/data_overall.csv"] = `Model,Model Link,Overall Acc\n${many.slice(0, 4).join("\n")}\n`;
  const { models, gaps } = await read();
  expect(gaps).toEqual(["bfcl/data_overall.csv has 4 models, and had 10 at the last sync; its last figures are kept"]);
  expect(models["acme/m9"]).toMatchObject({ "bfcl-v4": { place: 1, of: 10 } });
});

it("reports a host that cannot be reached once, and reads the others", async () => {
  const { models, gaps, complete } = await read(source({ "open-asr": `http://127.0.0.1:${await freePort()}` }));
  expect(gaps).toEqual([
    expect.stringMatching(
      /^open-asr\/scripts\/data\/en_shortform.csv .* cannot be reached.*; no figures were read before, so only the bundled figures are used$/,
    ),
  ]);
  expect(complete).toBe(false);
  expect(models["acme/ears"]).toBeUndefined();
  expect(models["acme/talker"]).toHaveProperty("bfcl-v4");
});

it("resumes at its cursor: what was read is not asked for again", async () => {
  const stop = new AbortController();
  let cursor: string | undefined;
  await expect(
    read(source(), {
      signal: stop.signal,
      onCheckpoint: async (reached) => {
        cursor = reached;
        if (asked.includes("/bfcl/data_overall.csv")) {
          stop.abort(new Error("stopped"));
        }
      },
    }),
  ).rejects.toThrow("stopped");
  const first = [...asked];
  asked = [];
  const { models, complete } = await read(source(), { ...(cursor !== undefined && { cursor }) });
  expect(complete).toBe(true);
  expect(first).toContain("/asr/scripts/data/en_shortform.csv");
  expect(asked.filter((path) => first.includes(path))).toEqual([]);
  expect(Object.keys(models)).toEqual(expect.arrayContaining(["acme/ears", "acme/talker"]));
  asked = [];
  await read();
  expect(asked, "a new listing reads everything").toEqual(expect.arrayContaining(first));
});

it("keeps the day of figures that did not change", () => {
  const snapshots = new Snapshots(folder);
  const save = (asOf: string, value: number) =>
    snapshots.save("bfcl", [placeModels("bfcl-v4", [{ system: "x", model: "acme/x", value }], { asOf })], {
      readAt: 1,
      today: asOf,
    });
  const dayOf = ({ models }: ReturnType<typeof save>) => models.get("acme/x")?.[0]?.as_of;
  expect([save("2026-01-01", 40), save("2026-02-02", 40), save("2026-03-03", 41)].map(dayOf)).toEqual([
    "2026-01-01",
    "2026-01-01",
    "2026-03-03",
  ]);
});

it("keeps the day of bundled figures where the board has not changed since", async () => {
  const bundled = bundledEvaluations("qwen/qwen3-32b").find(({ board: id }) => id === "bfcl-v4");
  const { value = 0, place = 0, of = 0, as_of: day } = bundled ?? {};
  const boardWith = (figure: number) =>
    Array.from({ length: of }, (_, i) =>
      i + 1 === place
        ? `Qwen,https://huggingface.co/Qwen/Qwen3-32B,${figure}%`
        : `Closed ${i},https://x.example/,${i + 1 < place ? 99 : 1}%`,
    );
  const dayOf = async (figure: number) => {
    answers["/bfcl/data_overall.csv"] = `Model,Model Link,Overall Acc\n${boardWith(figure).join("\n")}\n`;
    return (await read()).models["Qwen/Qwen3-32B"]?.["bfcl-v4"];
  };
  expect(day).not.toBe(today);
  expect(await dayOf(value)).toEqual({ value, place, of, as_of: day, evidence: "measured" });
  expect(await dayOf(value + 1)).toEqual({ value: value + 1, place, of, as_of: today, evidence: "measured" });
});

it("is synced into the inventory: known models get figures, unknown ones are not added", async () => {
  const { database, inventory } = await openTestInventory([{ name: "Acme/Talker" }, { name: "acme/plain" }]);
  const report = await syncSource(database, source());
  expect(report).toMatchObject({ outcome: "done", complete: true, added: 0, changed: 1 });
  expect(await inventory.size()).toBe(2);
  expect((await inventory.get("acme/talker"))?.evaluations).toContainEqual(
    expect.objectContaining({ board: "bfcl-v4", value: 40 }),
  );
  answers["/bfcl/data_overall.csv"] = "Name,Score\n";
  const again = await syncSource(database, source());
  expect(again).toMatchObject({
    outcome: "gave_up",
    complete: false,
    changed: 0,
    error: expect.stringMatching(/^bfcl/),
  });
  expect((await inventory.get("acme/talker"))?.evaluations).toContainEqual(
    expect.objectContaining({ board: "bfcl-v4", value: 40 }),
  );
});

it("can be given other addresses for all publishers, whose default ones are documented", () => {
  expect(Object.keys(boardAddresses).sort()).toEqual([...boardPublishers].sort());
  const documents = readFileSync(new URL("../../docs/evaluations.md", import.meta.url), "utf8");
  const rows = [...documents.matchAll(/^\| `([\w-]+)` +\| `(https:[^`]+)`/gm)].map(([, name, url]) => [name, url]);
  expect(Object.fromEntries(rows)).toEqual(boardAddresses);
});
