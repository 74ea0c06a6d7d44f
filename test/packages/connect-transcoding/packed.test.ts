import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installInNewProject, packCopy, runAsUser } from "../../support/packages.ts";

const root = resolve(import.meta.dirname, "../../..");
const examples = join(root, "packages/connect-transcoding/examples");
const temporary = mkdtempSync(join(tmpdir(), "connect-transcoding-"));
/** A project with the package and what npm adds to it. */
const bare = join(temporary, "bare");
/** A project with Fastify, the plugin of Connect, and the types of Node. */
const withFastify = join(temporary, "with-fastify");

const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const exact = (name: string) => `${name}@${{ ...dependencies, ...devDependencies }[name]}`;

let tarball: string;
let offline: string | undefined;
beforeAll(async () => {
  tarball = await packCopy(temporary, "packages/connect-transcoding");
  offline = await installInNewProject(bare, [tarball]);
  offline ??= await installInNewProject(withFastify, [
    tarball,
    ...["@bufbuild/protobuf", "@connectrpc/connect", "@connectrpc/connect-node"].map(exact),
    ...["@connectrpc/connect-fastify", "fastify", "@types/node"].map(exact),
  ]);
  if (offline === undefined) {
    cpSync(examples, bare, { recursive: true });
    cpSync(examples, withFastify, { recursive: true });
    generate();
  }
}, 600_000);

let served: ChildProcess | undefined;
afterAll(() => {
  served?.kill();
  rmSync(temporary, { recursive: true, force: true });
}, 60_000);

/** Generates the code of the example with the plugin of Connect's authors, in both projects. */
function generate(): void {
  const plugin = { local: "protoc-gen-es", include_imports: true, opt: ["target=ts", "import_extension=ts"] };
  const googleapis = join(root, "node_modules/google-proto-files/google/api");
  const protos = join(temporary, "protos");
  mkdirSync(join(protos, "google/api"), { recursive: true });
  for (const name of ["annotations.proto", "http.proto"]) {
    cpSync(join(googleapis, name), join(protos, "google/api", name));
  }
  cpSync(join(examples, "library.proto"), join(protos, "library.proto"));
  const config = {
    version: "v2",
    inputs: [{ directory: protos, paths: [join(protos, "library.proto")] }],
    plugins: [bare, withFastify].map((folder) => ({ ...plugin, out: join(folder, "gen") })),
  };
  const bin = join(root, "node_modules/.bin");
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
  execFileSync(join(bin, "buf"), ["generate", "--template", JSON.stringify(config)], { cwd: temporary, env });
}

/** Compiles files of a project as strict TypeScript. @returns what the compiler says. */
async function compile(folder: string, files: readonly string[], options: object): Promise<string> {
  const compilerOptions = {
    target: "es2022",
    module: "nodenext",
    moduleResolution: "nodenext",
    rewriteRelativeImportExtensions: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    ...options,
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const { stdout } = await runAsUser(process.execPath, [tsc, "--project", folder], folder);
  return stdout;
}

describe("the packed package", () => {
  it("holds compiled code, a README and a licence, and nothing of the service", ({ skip }) => {
    skip(offline !== undefined, offline);
    const installed = join(bare, "node_modules/connect-transcoding");
    const files = readdirSync(join(installed, "dist"), { recursive: true, encoding: "utf8" });
    expect(files.filter((file) => /\.ts$/.test(file) && !/\.d\.ts$/.test(file))).toEqual([]);
    expect(readdirSync(installed).sort()).toEqual(["LICENSE", "README.md", "dist", "examples", "package.json"]);
    const code = files.filter((file) => /\.(?:js|d\.ts)$/.test(file));
    const naming = code.filter((file) => readFileSync(join(installed, "dist", file), "utf8").includes("modelscout"));
    expect(naming).toEqual([]);
    expect(readdirSync(join(installed, "dist/gen"))).toEqual(["google"]);
    expect(statSync(tarball).size, "bytes of the archive").toBeLessThan(150_000);
  });

  it("installs without Fastify", ({ skip }) => {
    skip(offline !== undefined, offline);
    expect(readdirSync(join(bare, "node_modules")).filter((name) => !name.startsWith("."))).toEqual([
      "@bufbuild",
      "@connectrpc",
      "connect-transcoding",
      "content-type",
      "fastest-levenshtein",
      "negotiator",
    ]);
  });

  it("serves the example as a plain handler; its types need neither Fastify nor those of Node", async ({ skip }) => {
    skip(offline !== undefined, offline);
    const options = { lib: ["es2022", "esnext.disposable", "dom", "dom.iterable"], types: [], skipLibCheck: false };
    writeFileSync(join(bare, "call.ts"), caller);
    expect(await compile(bare, ["call.ts", "handler.ts"], options)).toBe("");
    const { code, stdout, stderr } = await runAsUser("node", ["call.js"], bare);
    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(stdout.trim().split("\n")).toEqual([
      '200 {"name":"books/1","title":"Emma"}',
      '200 {"result":{"name":"books/1","title":"Emma"}}',
      '404 {"code":5,"message":"no book books/2","details":[]}',
    ]);
  });

  it("serves the example with Fastify, beside Connect", async ({ skip }) => {
    skip(offline !== undefined, offline);
    const options = { lib: ["es2022", "esnext.disposable"], types: ["node"], skipLibCheck: true };
    writeFileSync(join(withFastify, "rules.ts"), reader);
    expect(await compile(withFastify, ["server.ts", "rules.ts"], options)).toBe("");
    expect((await runAsUser("node", ["rules.js"], withFastify)).stdout).toBe("GET /v1/{name=books/*}\n");
    served = spawn("node", ["server.js"], {
      cwd: withFastify,
      env: { ...process.env, PORT: "0" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [url] = await new Promise<string[]>((done) => {
      createInterface(served!.stdout!).once("line", (line) => done([line]));
    });
    const post = async (path: string, body: object) => {
      const headers = { "content-type": "application/json" };
      const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
      return [response.status, await response.json()];
    };
    const book = { name: "books/1", title: "Emma" };
    expect(await post("/v1/books", book)).toEqual([200, book]);
    expect(await post("/library.v1.Library/GetBook", { name: "books/1" })).toEqual([200, book]);
    const found = await fetch(`${url}/v1/books/1`);
    expect([found.status, await found.json()]).toEqual([200, book]);
    const list = await fetch(`${url}/v1/books?title=mm`);
    expect(await list.text()).toBe(`${JSON.stringify({ result: book })}\n`);
    const wrong = await fetch(`${url}/v1/books/1`, { method: "PUT" });
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  it("has the example that its README shows, of at most 40 lines", () => {
    const readme = readFileSync(join(examples, "../README.md"), "utf8");
    const service = ["library.proto", "library.ts", "server.ts"].map((name) =>
      readFileSync(join(examples, name), "utf8"),
    );
    for (const text of [...service, readFileSync(join(examples, "handler.ts"), "utf8")]) {
      expect(readme).toContain(text);
    }
    expect(service.join("").trimEnd().split("\n").length).toBeLessThanOrEqual(40);
  });
});

const caller = `
import type { ErrorFormatter, TranscodingHandler } from "connect-transcoding";
import { handler } from "./handler.ts";

const typed: TranscodingHandler = handler;
export const format: ErrorFormatter<Request> = (error, { status }) => ({ status, body: { problem: error.rawMessage } });

const send = async (request: Request) => {
  const response = await typed(request);
  console.log(response.status, (await response.text()).trim());
};
const body = JSON.stringify({ name: "books/1", title: "Emma" });
await send(new Request("http://localhost/v1/books", { method: "POST", body, headers: { "content-type": "application/json" } }));
await send(new Request("http://localhost/v1/books?title=mm"));
await send(new Request("http://localhost/v1/books/2"));
`;

const reader = `
import { compileBindings, formatPathTemplate, readHttpRule } from "connect-transcoding/tools";
import { Library } from "./gen/library_pb.ts";

const method = Library.method.getBook;
const rule = readHttpRule(method);
if (rule === undefined) throw new Error("no rule");
for (const { httpMethod, template } of compileBindings(method, rule, { allowDeleteBody: false, finiteNumbersOnly: false })) {
  console.log(httpMethod, formatPathTemplate(template));
}
`;
