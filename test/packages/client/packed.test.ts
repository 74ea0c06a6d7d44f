import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../../../src/app/app.ts";
import { readConfig } from "../../../src/config/config.ts";
import { installInNewProject, packCopy, runAsUser } from "../../support/packages.ts";

const root = resolve(import.meta.dirname, "../../..");
const temporary = mkdtempSync(join(tmpdir(), "modelscout-client-"));
const consumer = join(temporary, "consumer");

let offline: string | undefined;
beforeAll(async () => {
  const tarball = await packCopy(temporary, "packages/client");
  offline = await installInNewProject(consumer, [tarball]);
}, 300_000);

afterAll(() => rmSync(temporary, { recursive: true, force: true }), 60_000);

describe("the packed client package", () => {
  it("calls a running service from JavaScript", async ({ skip }) => {
    skip(offline !== undefined, offline);
    const home = join(temporary, "service");
    const { config } = readConfig({ MODELSCOUT_HOME: home, PORT: "0", LOG_LEVEL: "silent" });
    const app = await createApp(config);
    try {
      const { url } = await app.listen();
      await app.ready;
      writeFileSync(join(consumer, "call.js"), callerInJavaScript);
      const { code, stdout, stderr } = await runAsUser("node", ["call.js", url], consumer);
      expect(stderr).toBe("");
      expect(code).toBe(0);
      const { results, entry, refusal } = JSON.parse(stdout);
      expect(results).toHaveLength(3);
      for (const { name, taskTypes } of results) {
        expect(taskTypes, name).toContain("automatic-speech-recognition");
      }
      expect(entry).toBe(results[0].name);
      expect(refusal).toEqual({ isConnectError: true, isNotFound: true, reason: "MODEL_NOT_FOUND" });
    } finally {
      await app.close({ force: true });
    }
  });

  it.for([
    ["nodenext", "nodenext"],
    ["esnext", "bundler"],
  ] as const)(
    "has types that strict TypeScript takes, module %s resolved as %s",
    async ([module, moduleResolution], { skip }) => {
      skip(offline !== undefined, offline);
      const folder = join(consumer, moduleResolution);
      mkdirSync(folder);
      writeFileSync(join(folder, "call.ts"), callerInTypeScript);
      const compilerOptions = {
        target: "es2022",
        lib: ["es2022", "dom"],
        module,
        moduleResolution,
        types: [],
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        skipLibCheck: false,
        noEmit: true,
      };
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["call.ts"] }));
      const tsc = join(root, "node_modules/typescript/bin/tsc");
      const { code, stdout } = await runAsUser(process.execPath, [tsc, "--project", folder], consumer);
      expect(stdout).toBe("");
      expect(code).toBe(0);
    },
  );
});

const callerInJavaScript = `
import { Code, ConnectError, createModelscoutClient, ErrorInfoSchema } from "@modelscout/client";

const { recommendation, inventory } = createModelscoutClient({ baseUrl: process.argv[2] });
const { results } = await recommendation.recommend({ description: "transcribe meetings", topK: 3 });
const entry = await inventory.getModel({ modelName: results[0].model.name });
const refusal = await inventory.getModel({ modelName: "nobody/nothing-of-the-kind" }).catch((error) => ({
  isConnectError: error instanceof ConnectError,
  isNotFound: error.code === Code.NotFound,
  reason: error.findDetails(ErrorInfoSchema)[0]?.reason,
}));
console.log(JSON.stringify({ results: results.map(({ model }) => model), entry: entry.name, refusal }));
`;

const callerInTypeScript = `
import {
  apiKeyInterceptor,
  Code,
  ConnectError,
  createModelscoutClient,
  ErrorInfoSchema,
  type ModelscoutClient,
  type ModelSummary,
  type Recommendation,
  type RecommendResponse,
} from "@modelscout/client";

const client: ModelscoutClient = createModelscoutClient({ baseUrl: "http://127.0.0.1:8080", apiKey: "key" });
const answer: RecommendResponse = await client.recommendation.recommend({ description: "transcribe meetings", hardware: "cpu" });
const first: Recommendation | undefined = answer.results[0];
const model: ModelSummary | undefined = first?.model;
export const name: string | undefined = model?.name;
export const score: number = first?.score ?? 0;

try {
  const entry = await client.inventory.getModel({ modelName: "nobody/nothing" });
  // @ts-expect-error: what is answered is typed.
  entry.noSuchField;
} catch (thrown) {
  const error = ConnectError.from(thrown);
  if (error.code === Code.NotFound) error.findDetails(ErrorInfoSchema)[0]?.reason.toUpperCase();
}

// @ts-expect-error: what is asked is typed.
await client.recommendation.recommend({ descripton: "transcribe meetings" });
// @ts-expect-error: a transport of one's own has its key in its interceptors.
createModelscoutClient({ transport: {} as never as import("@connectrpc/connect").Transport, apiKey: "key" });

apiKeyInterceptor("key");
`;
