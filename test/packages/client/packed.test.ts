import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { Webhook } from "standardwebhooks";
import { build } from "vite";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { readConfig } from "../../../src/config/config.ts";
import { launchChromium } from "../../support/browser/chromium.ts";
import { installInNewProject, packCopy, runAsUser } from "../../support/packages.ts";
import { freePort } from "../../support/servers/free-port.ts";
import { createKey } from "../../support/service/create-key.ts";
import { startApp } from "../../support/service/start-app.ts";

const root = resolve(import.meta.dirname, "../../..");
const temporary = mkdtempSync(join(tmpdir(), "modelscout-client-"));
const consumer = join(temporary, "consumer");
const modules = join(consumer, "node_modules");

const pagePort = await freePort();
const { url, home } = await startApp({
  isUnlimited: false,
  env: {
    MODELSCOUT_BURST: "off",
    MODELSCOUT_FREE_PER_DAY: "1000",
    MODELSCOUT_CORS_ORIGINS: `http://127.0.0.1:${pagePort}`,
  },
});

let tarball: string;
let offline: string | undefined;
beforeAll(async () => {
  tarball = await packCopy(temporary, "packages/client");
  offline = await installInNewProject(consumer, [tarball]);
}, 300_000);
beforeEach(({ skip }) => skip(offline !== undefined, offline));

afterAll(() => rmSync(temporary, { recursive: true, force: true }), 60_000);

/** The size of a folder's files in bytes. */
function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => statSync(join(folder, file)));
  return files.filter((file) => file.isFile()).reduce((sum, { size }) => sum + size, 0);
}

/** Bundles a program of the project as a page would load it. */
async function bundle(name: string, code: string): Promise<string> {
  const entry = join(consumer, `${name}.js`);
  writeFileSync(entry, code);
  const outDir = join(consumer, `bundle-${name}`);
  await build({
    configFile: false,
    root: consumer,
    logLevel: "error",
    build: { outDir, target: "es2022", rollupOptions: { input: entry, output: { entryFileNames: "bundle.js" } } },
  });
  expect(readdirSync(outDir)).toEqual(["bundle.js"]);
  return readFileSync(join(outDir, "bundle.js"), "utf8");
}

describe("the packed client", () => {
  it("holds compiled code, its README and its licence, and nothing else", () => {
    const files = readdirSync(join(modules, "@modelscout/client"), { recursive: true, encoding: "utf8" });
    expect(files.filter((file) => !/^dist\b/.test(file)).sort()).toEqual(["LICENSE", "README.md", "package.json"]);
    const code = files.filter((file) => /\.\w+$/.test(file) && file.startsWith("dist"));
    expect(code.filter((file) => !/(?<!\.d)\.js$|\.d\.ts$/.test(file))).toEqual([]);
    expect(code).toEqual(
      expect.arrayContaining(["dist/index.js", "dist/webhooks.js", "dist/gen/modelscout/v1/batch_pb.js"]),
    );
  });

  it("takes less than 6 MB with all that it needs", () => {
    expect(
      readdirSync(modules)
        .filter((name) => !name.startsWith("."))
        .sort(),
    ).toEqual(["@bufbuild", "@connectrpc", "@modelscout"]);
    expect(sizeOf(modules)).toBeLessThan(6e6);
    expect(statSync(tarball).size).toBeLessThan(100e3);
  });

  it("makes a bundle of less than 40 kB with Brotli, and a smaller one for recommendations alone", async () => {
    const one = await bundle("recommend", recommendAlone);
    expect(brotliCompressSync(one).length).toBeLessThan(36e3);
    expect(gzipSync(one, { level: 9 }).length).toBeLessThan(42e3);
    const whole = await bundle("whole", recommendWithWhole);
    expect(brotliCompressSync(whole).length).toBeLessThan(40e3);
    // Options that only the service reads are not in it.
    expect(whole).not.toContain("google/api/annotations");
  });

  it("has types that strict TypeScript takes, also for the examples of its README", async () => {
    await installInto(["@types/node@24", "@connectrpc/connect-node"]);
    const examples = readmeExamples();
    for (const [module, moduleResolution] of [
      ["nodenext", "nodenext"],
      ["esnext", "bundler"],
    ] as const) {
      const folder = join(consumer, moduleResolution);
      mkdirSync(folder);
      const files = [callerInTypeScript, ...examples].map((code, index) => {
        writeFileSync(join(folder, `${index}.ts`), code);
        return `${index}.ts`;
      });
      const compilerOptions = {
        target: "es2022",
        lib: ["es2023", "dom"],
        module,
        moduleResolution,
        types: ["node"],
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        skipLibCheck: false,
        noEmit: true,
      };
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
      const tsc = join(root, "node_modules/typescript/bin/tsc");
      const { code, stdout } = await runAsUser(process.execPath, [tsc, "--project", folder], consumer);
      expect(stdout).toBe("");
      expect(code).toBe(0);
    }
  }, 120_000);
});

describe("the examples of its README, in Node", () => {
  /** Runs the example that contains a text, against the service. */
  async function run(part: string, env: Record<string, string> = {}) {
    const example = readmeExamples().find((code) => code.includes(part));
    const file = join(consumer, "example.ts");
    writeFileSync(file, (example as string).replaceAll("http://127.0.0.1:8080", url));
    return runAsUser(process.execPath, [file], consumer, env);
  }

  it.each([
    ["recommendation.recommend(", /^0\.\d\d \S+\/\S+ [A-Z].*\n[\s\S]*'cpu: fits'/],
    ["instanceof ModelscoutError", /^MODEL_NOT_FOUND\nopenai\/whisper-tiny/],
    ["paginate(", /^(?:\S+\/\S+ (?:[\d.]+|undefined)\n){2,}$/],
    ["createGrpcWebTransport", /^free\n$/],
    ["createServiceClient", /^\S+\/\S+\n$/],
  ])("the one with %s prints what it should", async (part, printed) => {
    const { code, stdout, stderr } = await run(part);
    expect(stderr).toBe("");
    expect(stdout).toMatch(printed);
    expect(code).toBe(0);
  });

  it("the one with gRPC works with the package that it names", async () => {
    await installInto(["@connectrpc/connect-node"]);
    expect(await run("createGrpcTransport")).toMatchObject({ code: 0, stderr: "", stdout: "text-generation\n" });
  });

  it("the one with a stream receives matches", async () => {
    const { config } = readConfig({ MODELSCOUT_HOME: home });
    const apiKey = await createKey(config, { tier: "pro" });
    const example = readmeExamples().find((code) => code.includes("follow(")) as string;
    const file = join(consumer, "follow.ts");
    // Ends at the first message, which it gets at once.
    writeFileSync(
      file,
      example
        .replaceAll("http://127.0.0.1:8080", url)
        .replace('{ after: "0" }', '{ after: "0" }, { onConnected: () => process.exit(7) }'),
    );
    const { code, stderr } = await runAsUser(process.execPath, [file], consumer, { MODELSCOUT_API_KEY: apiKey });
    expect(stderr).toBe("");
    expect(code).toBe(7);
  });

  it("the one with webhooks accepts a signed event and refuses another", async () => {
    const port = await freePort();
    const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
    const example = readmeExamples().find((code) => code.includes("verifyWebhook(")) as string;
    const file = join(consumer, "webhooks.ts");
    writeFileSync(file, example.replace("3000", String(port)));
    const receiver = spawn(process.execPath, [file], {
      cwd: consumer,
      env: { ...process.env, WEBHOOK_SECRET: secret },
    });
    onTestFinished(() => void receiver.kill());
    const body = JSON.stringify({
      type: "model.matched",
      data: { model: { name: "acme/no-en" }, reasons: ["It fits."] },
    });
    const now = new Date(Math.floor(Date.now() / 1_000) * 1_000);
    const headers = {
      "webhook-id": "msg_1",
      "webhook-timestamp": String(now.getTime() / 1_000),
      "webhook-signature": new Webhook(secret).sign("msg_1", now, body),
    };
    const post = (text: string) =>
      fetch(`http://127.0.0.1:${port}`, { method: "POST", headers, body: text }).then(
        ({ status }) => status,
        () => 0,
      );
    const printed = once(receiver.stdout, "data");
    await expect.poll(() => post(body), { timeout: 30_000 }).toBe(204);
    expect(String(await printed)).toContain("acme/no-en [ 'It fits.' ]");
    expect(await post(`${body} `)).toBe(400);
  });
});

describe("the bundled client, in a browser", async () => {
  const browser = await launchChromium();

  it("recommends from a page of another origin, and tells a browser's errors apart", async () => {
    const code = await bundle("page", inBrowser);
    const server = createServer((request, response) => {
      const isCode = request.url === "/bundle.js";
      response.writeHead(200, { "content-type": isCode ? "text/javascript" : "text/html" });
      response.end(
        isCode ? code : '<!doctype html><title>page</title><script type="module" src="/bundle.js"></script>',
      );
    });
    await new Promise<void>((done) => server.listen(pagePort, "127.0.0.1", done));
    onTestFinished(() => void server.close());
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    await page.goto(`http://127.0.0.1:${pagePort}/?service=${encodeURIComponent(url)}`);
    await page.waitForFunction("globalThis.outcome !== undefined", undefined, { timeout: 60_000 });
    const outcome = (await page.evaluate("globalThis.outcome")) as Record<string, unknown>;
    expect(outcome.fault).toBeUndefined();
    expect(outcome.connect).toMatch(/^\S+\/\S+$/);
    expect(outcome.grpcWeb).toBe(outcome.connect);
    expect(outcome.error).toEqual({ isModelscoutError: true, reason: "MODEL_NOT_FOUND" });
    expect(outcome.unreachable).toBe(true);
  });
});

/** Installs packages in the consumer's project. */
async function installInto(packages: readonly string[]): Promise<void> {
  const args = ["install", "--prefer-offline", "--no-audit", "--no-fund", ...packages];
  const { code, stderr } = await runAsUser("npm", args, consumer);
  expect(code, stderr).toBe(0);
}

/** The programs in the README. */
function readmeExamples(): string[] {
  const readme = readFileSync(join(root, "packages/client/README.md"), "utf8");
  return [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code as string);
}

const recommendAlone = `
import { createServiceClient, RecommendationService } from "@modelscout/client";

const { recommend } = createServiceClient(RecommendationService, { baseUrl: location.origin });
recommend({ description: "transcribe meetings" }).then(({ results }) => console.log(results));
`;

const recommendWithWhole = `
import { createModelscoutClient } from "@modelscout/client";

const { recommendation } = createModelscoutClient({ baseUrl: location.origin });
recommendation.recommend({ description: "transcribe meetings" }).then(({ results }) => console.log(results));
`;

const inBrowser = `
import { createGrpcWebTransport, createModelscoutClient, ModelscoutError } from "@modelscout/client";

const baseUrl = new URL(location.href).searchParams.get("service");
const connect = createModelscoutClient({ baseUrl });
const grpcWeb = createModelscoutClient({ transport: createGrpcWebTransport({ baseUrl }) });
const nobody = createModelscoutClient({ baseUrl: "http://127.0.0.1:9", retry: false });
const need = { description: "transcribe meetings", topK: 1 };
const first = async ({ recommendation }) => (await recommendation.recommend(need)).results[0].model.name;
const failure = (call) => call.then(() => undefined, (error) => error);
try {
  const error = await failure(connect.inventory.getModel({ modelName: "nobody/nothing-of-the-kind" }));
  globalThis.outcome = {
    connect: await first(connect),
    grpcWeb: await first(grpcWeb),
    error: { isModelscoutError: error instanceof ModelscoutError, reason: error.reason },
    unreachable: (await failure(nobody.inventory.listTasks({}))).isUnreachable,
  };
} catch (thrown) {
  globalThis.outcome = { fault: String(thrown) };
}
`;

const callerInTypeScript = `
import {
  type BatchStreamResult,
  Code,
  createModelscoutClient,
  follow,
  type Match,
  ModelscoutError,
  type ModelscoutClient,
  type ModelSummary,
  paginate,
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
  const error = ModelscoutError.from(thrown);
  if (error.code === Code.NotFound) error.reason?.toUpperCase();
}

// @ts-expect-error: what is asked is typed.
await client.recommendation.recommend({ descripton: "transcribe meetings" });
// @ts-expect-error: only lists have pages.
paginate(client.inventory.getModel, { modelName: "a/b" });
// @ts-expect-error: only streams are followed.
follow(client.inventory.searchModels, {});

for await (const one of paginate(client.inventory.searchModels, { q: "qwen" })) one satisfies ModelSummary;
for await (const match of follow(client.interest.watchMatches, { after: "0" })) match satisfies Match;
for await (const result of follow(client.batch.streamBatchResults, { batchId: "bat_1" })) result satisfies BatchStreamResult;
`;
