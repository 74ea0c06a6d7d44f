import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, it } from "vitest";
import { atEnd } from "../../support/at-end.ts";

const root = resolve(import.meta.dirname, "../../..");
const lib = (name: string) => ({
  name,
  version: "1.2.3",
  license: "MIT",
  os: ["darwin"],
  cpu: ["arm64"],
  engines: { node: ">= 18" },
});
const hash = "sha512-CJz2Dm2rPSFQSGWIllWt4PYgz2JsdAlz1fNzm8AFkxIhQwO30/kxtbRqzs4rqptQOtGUxlaIIeSipsANov1cKA==";

/** A registry that has exactly two packages. */
const registry = createServer((request, response) => {
  const name = decodeURIComponent((request.url as string).slice(1).split("?")[0] as string);
  if (!["@acme/lib-darwin-arm64", "bare"].includes(name)) {
    response.writeHead(404, { "content-type": "application/json" }).end('{"error":"Not found"}');
    return;
  }
  const dist = { integrity: hash, shasum: "0".repeat(40), tarball: `http://127.0.0.1/${name}.tgz` };
  const document = { name, "dist-tags": { latest: "1.2.3" }, versions: { "1.2.3": { ...lib(name), dist } } };
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(document));
});
registry.listen(0, "127.0.0.1");
await once(registry, "listening");
afterAll(() => registry.close());

function folderWith(packages: Record<string, object>): string {
  const folder = mkdtempSync(join(tmpdir(), "modelscout-lock-"));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify({ packages: { "": { name: "x" }, ...packages } }));
  return folder;
}

/** Runs a script on a folder, with the registry above. */
async function run(script: string, folder: string) {
  const { port } = registry.address() as AddressInfo;
  const npm = {
    npm_config_registry: `http://127.0.0.1:${port}/`,
    npm_config_cache: join(folder, "cache"),
    npm_config_userconfig: join(folder, "npmrc"),
    npm_config_fetch_retries: "0",
  };
  const child = spawn(process.execPath, [join(root, "scripts/dependencies", script), folder], {
    env: { PATH: process.env.PATH, HOME: folder, ...npm },
    cwd: folder,
  });
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  const { packages } = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));
  return { status, stdout, stderr, packages };
}

const main = { version: "1.2.3", integrity: hash, dev: true };

describe("The lock file", () => {
  it("of this project has a hash for each package, except for those listed as missing", async () => {
    const child = spawn(process.execPath, [join(root, "scripts/dependencies/check-lock.ts")]);
    const [stderr, [status]] = await Promise.all([text(child.stderr), once(child, "exit")]);
    expect({ status, errors: stderr.match(/^Error.*/gm) }).toEqual({ status: 0, errors: null });
  });

  it("without the hash of a package is refused, and the package is named", async () => {
    const folder = folderWith({
      "node_modules/main": main,
      "node_modules/main/node_modules/@acme/bare": { version: "1.0.0" },
      "node_modules/local": { link: true, resolved: "local" },
      // A version that is not listed as missing.
      "node_modules/@lancedb/lancedb-darwin-arm64": { version: "0.39.1", optional: true },
    });
    const { status, stderr } = await run("check-lock.ts", folder);
    expect(status).toBe(1);
    expect(stderr.match(/^Error.*/gm)).toEqual([
      "Error: @acme/bare@1.0.0 has no hash in package-lock.json",
      "Error: @lancedb/lancedb-darwin-arm64@0.39.1 has no hash in package-lock.json",
    ]);
  });

  it("that names an install script which package.json denies is refused, and the package is named", async () => {
    const folder = folderWith({
      "node_modules/main": { ...main, hasInstallScript: true },
      "node_modules/large": { ...main, hasInstallScript: true },
    });
    writeFileSync(join(folder, "package.json"), JSON.stringify({ allowScripts: { main: true, large: false } }));
    const { status, stderr } = await run("check-lock.ts", folder);
    expect(status).toBe(1);
    expect(stderr.match(/^Error.*/gm)).toEqual([
      "Error: node_modules/large has hasInstallScript in package-lock.json, but allowScripts of package.json denies it",
    ]);
  });

  it("is completed with the registry's hashes for packages that have none or are missing", async () => {
    const optionalDependencies = { "@acme/lib-darwin-arm64": "1.2.3" };
    const folder = folderWith({
      "node_modules/bare": { version: "1.2.3", dependencies: { main: "1" } },
      "node_modules/main": { ...main, optionalDependencies },
    });
    const { status, stdout, packages } = await run("complete-lock.ts", folder);
    expect({ status, stdout }).toEqual({ status: 0, stdout: "added 1 packages, and the hashes of 1 more\n" });
    const { name: _, ...facts } = lib("");
    // In npm's order, and without the name of a registry.
    const completed = { version: "1.2.3", integrity: hash, cpu: ["arm64"], dev: true, license: "MIT", optional: true };
    expect(JSON.stringify(packages["node_modules/@acme/lib-darwin-arm64"])).toBe(
      JSON.stringify({ ...completed, os: facts.os, engines: facts.engines }),
    );
    expect(packages["node_modules/bare"]).toEqual({ ...facts, integrity: hash, dependencies: { main: "1" } });
    expect(JSON.stringify(packages)).not.toContain("127.0.0.1");
    expect((await run("check-lock.ts", folder)).status).toBe(0);
  });

  it("gets no hashes for packages that the registry lacks, and says so", async () => {
    const folder = folderWith({
      "node_modules/gone": { version: "9.9.9" },
      "node_modules/main": { ...main, optionalDependencies: { "@acme/lib-win32-x64": "1.2.3" } },
    });
    const { status, stderr, packages } = await run("complete-lock.ts", folder);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^Error: nothing was written for gone@9\.9\.9: /m);
    expect(stderr).toMatch(/^Error: nothing was written for @acme\/lib-win32-x64@1\.2\.3: /m);
    expect(Object.keys(packages)).toEqual(["", "node_modules/gone", "node_modules/main"]);
    expect(packages["node_modules/gone"]).toEqual({ version: "9.9.9" });
  });
});
