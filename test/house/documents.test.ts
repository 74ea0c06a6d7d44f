import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { readConfig } from "../../src/config/index.ts";

const root = resolve(import.meta.dirname, "../..");
const folders = ["src", "packages", "test", "bench", "eval", "scripts", "torture", "training", "web"];
const paths = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.includes("node_modules"))
    .map((path) => `/${folder}/${path}`),
);
const documents = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "clients/python/README.md"].concat(
  readdirSync(join(root, "docs")).map((name) => `docs/${name}`),
);

it("Documents name only source files that exist", () => {
  const named = documents.flatMap((document) =>
    [...readFileSync(join(root, document), "utf8").matchAll(/`([\w./-]+\.ts)`/g)].map(([, path]) => ({
      document,
      path,
    })),
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ path }) => !paths.some((known) => known.endsWith(`/${path}`)))).toEqual([]);
});

it("The limits of SECURITY.md have the settings and defaults of the program", () => {
  const rows = readFileSync(join(root, "SECURITY.md"), "utf8")
    .split("\n## Limits\n")[1]
    ?.split("\n## ")[0]
    ?.split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .flatMap(([, , standard = "", setting = ""]) =>
      [...setting.matchAll(/`(\w+)`/g)].map(([, name = ""]) => ({ name, standard })),
    );
  const { config } = readConfig({ MODELSCOUT_LLM_URL: "http://127.0.0.1/v1", MODELSCOUT_LLM_MODEL: "any" });
  const defaults: Record<string, readonly number[]> = {
    MODELSCOUT_CONNECTIONS: [config.connections],
    MODELSCOUT_CONNECTIONS_PER_ADDRESS: [config.connectionsPerAddress],
    MODELSCOUT_BURST: [config.burst?.perSecond ?? 0, config.burst?.bucket ?? 0],
    MODELSCOUT_FREE_PER_DAY: [config.freePerDay],
    MODELSCOUT_BASIC_PER_DAY: [config.basicPerDay],
    MODELSCOUT_BODY_MEMORY_MB: [config.bodyBytes / 1024 / 1024],
    MODELSCOUT_LLM_TIMEOUT_MS: [config.languageModel?.timeoutMs ?? 0],
    MODELSCOUT_LLM_CONCURRENCY: [config.languageModel?.concurrency ?? 0],
    MODELSCOUT_STREAMS_PER_OWNER: [config.streamsPerOwner],
    MODELSCOUT_STREAMS: [config.streams.perAddress, config.streams.total],
    MODELSCOUT_KEYLESS_STREAMS: [config.keylessStreams.perAddress, config.keylessStreams.total],
    MODELSCOUT_BATCHES_PER_OWNER: [config.batchesPerOwner],
    MODELSCOUT_INTERESTS_PER_OWNER: [config.interestsPerOwner],
    MODELSCOUT_WEBHOOKS_PER_OWNER: [config.webhooksPerOwner],
    MODELSCOUT_WATCHDOG_S: [(config.watchdogMs ?? 0) / 1_000],
    MODELSCOUT_DRAIN_S: [config.drainMs / 1_000],
    // Depends on the cores.
    MODELSCOUT_CONCURRENCY: [],
  };
  // The first row of a setting has its default; others say what follows from it.
  const first = new Map(rows?.toReversed().map(({ name, standard }) => [name, standard]));
  expect([...first.keys()].sort()).toEqual(Object.keys(defaults).sort());
  for (const [name, numbers] of Object.entries(defaults)) {
    const told = first.get(name)?.replaceAll(",", "").match(/\d+/g) ?? [];
    expect(told, name).toEqual(expect.arrayContaining(numbers.map(String)));
  }
});
