import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../../../src/app/app.ts";
import { readConfig } from "../../../src/config/config.ts";
import { version } from "../../../src/version.ts";

const root = resolve(import.meta.dirname, "../../..");
const INSTALL_MS = 600_000;
/** npm's codes for a registry that cannot be reached; anything else that goes wrong is the package's fault. */
const unreachable =
  /npm error (?:code|errno) (?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ENOTCACHED)\b/;

const temporary = mkdtempSync(join(tmpdir(), "modelscout-package-"));
const consumer = join(temporary, "consumer");
const installed = join(consumer, "node_modules/modelscout");
let offline: string | undefined;

interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** As a user's shell has it: without what `npm test` adds, and so with the user's own Node. */
function userEnvironment(): NodeJS.ProcessEnv {
  const addedByNpm =
    /^npm_(?:package_|lifecycle_|config_(?:local_prefix|onnxruntime_node_install|allow_scripts)$)|^(?:INIT_CWD|NODE_ENV|NODE_OPTIONS)$|^MODELSCOUT_/i;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !addedByNpm.test(name)));
  const folders = (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => !/node_modules|node-gyp-bin/.test(folder));
  return { ...env, PATH: folders.join(delimiter) };
}

async function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = {},
): Promise<Outcome> {
  const child: ChildProcess = spawn(command, args, {
    cwd,
    env: { ...userEnvironment(), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((done, failed) => child.on("close", done).on("error", failed));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout!), text(child.stderr!), ended]);
  return { code, stdout, stderr };
}

/** Packs a copy of the project, so that tests that run the clone meanwhile never meet a dist/. */
async function pack(): Promise<string> {
  const copy = join(temporary, "project");
  mkdirSync(copy);
  for (const name of readdirSync(root)) {
    if (/^(?:src|gen|web|bin|scripts|package\.json|tsconfig.*\.json|README\.md|LICENSE)$/.test(name)) {
      cpSync(join(root, name), join(copy, name), { recursive: true });
    }
  }
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"), "junction");
  const packed = await run("npm", ["pack", "--pack-destination", temporary], copy);
  expect(packed.code, packed.stdout + packed.stderr).toBe(0);
  expect(readdirSync(copy), "npm pack leaves the project as it was").not.toContain("dist");
  const tarball = readdirSync(temporary).find((name) => name.endsWith(".tgz"));
  return join(temporary, tarball!);
}

async function install(tarball: string): Promise<void> {
  mkdirSync(consumer);
  writeFileSync(join(consumer, "package.json"), '{ "private": true, "type": "module" }\n');
  const args = ["install", "--omit=dev", "--prefer-offline", "--no-audit", "--no-fund", tarball];
  const { code, stderr } = await run("npm", args, consumer);
  if (code === 0) {
    return;
  }
  if (!unreachable.test(stderr)) {
    throw new Error(`npm install failed:\n${stderr}`);
  }
  offline = `SKIPPED: the package's tests need the npm registry, which cannot be reached.\n${stderr}`;
  console.warn(offline);
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => statSync(join(folder, file)).isFile())
    .map((file) => file.replaceAll("\\", "/"));
}

let tarball: string;
beforeAll(async () => {
  tarball = await pack();
  await install(tarball);
}, INSTALL_MS);

afterAll(() => rmSync(temporary, { recursive: true, force: true }), 60_000);

describe("the packed package", () => {
  it("holds the compiled program and its data, and no sources", ({ skip }) => {
    skip(offline !== undefined, offline);
    const files = filesBelow(installed).filter((file) => !file.startsWith("node_modules/"));
    const sources = files.filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"));
    expect(sources).toEqual([]);
    const folders = new Set(files.filter((file) => file.includes("/")).map((file) => file.split("/")[0]));
    expect([...folders].sort()).toEqual(["bin", "dist"]);

    const isData = (file: string) => !file.endsWith(".ts");
    const data = filesBelow(join(root, "src")).filter(isData);
    expect(data.length).toBeGreaterThan(0);
    expect(files).toEqual(expect.arrayContaining(data.map((file) => `dist/src/${file}`)));
    expect(statSync(tarball).size, "bytes of the tarball").toBeLessThan(20e6);
  });

  it("has a client that calls a running service from JavaScript", async ({ skip }) => {
    skip(offline !== undefined, offline);
    const home = join(temporary, "service");
    const { config } = readConfig({ MODELSCOUT_HOME: home, PORT: "0", LOG_LEVEL: "silent" });
    const app = await createApp(config);
    try {
      const { url } = await app.listen();
      await app.ready;
      writeFileSync(join(consumer, "call.js"), callerInJavaScript);
      const { code, stdout, stderr } = await run("node", ["call.js", url], consumer);
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
      const { code, stdout } = await run(process.execPath, [tsc, "--project", folder], consumer);
      expect(stdout).toBe("");
      expect(code).toBe(0);
    },
  );

  it("has a program that answers, on whichever Node the user has", async ({ skip }) => {
    skip(offline !== undefined, offline);
    const bin = join(consumer, "node_modules/.bin", process.platform === "win32" ? "modelscout.cmd" : "modelscout");
    const env = { MODELSCOUT_HOME: join(temporary, "home") };
    expect(await run(bin, ["--version"], consumer, env)).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });

    const answer = await run(bin, ["recommend", "transcribe meetings", "--json"], consumer, env);
    expect(answer.code, answer.stderr).toBe(0);
    const { results } = JSON.parse(answer.stdout);
    expect(results).toHaveLength(5);
    expect(results[0].model.task_types).toContain("automatic-speech-recognition");
    expect(readdirSync(join(temporary, "home"))).toContain("inventory");
  });
});

const callerInJavaScript = `
import { Code, ConnectError, createModelscoutClient, ErrorInfoSchema } from "modelscout";

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
} from "modelscout";

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
