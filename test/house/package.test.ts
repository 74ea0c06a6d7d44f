import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LockFile, readLockFile } from "../../scripts/dependencies/lock-file.ts";
import { TRANSFORMERS_PACKAGE } from "../../src/embedding/transformers/encoder.ts";
import { version } from "../../src/version.ts";
import { installInNewProject, packCopy, runAsUser } from "../support/packages.ts";

const root = resolve(import.meta.dirname, "../..");
const INSTALL_MS = 600_000;

const temporary = mkdtempSync(join(tmpdir(), "modelscout-package-"));
const consumer = join(temporary, "consumer");
const installed = join(consumer, "node_modules/modelscout");

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => statSync(join(folder, file)).isFile())
    .map((file) => file.replaceAll("\\", "/"));
}

let tarball: string;
let offline: string | undefined;
beforeAll(async () => {
  tarball = await packCopy(temporary);
  offline = await installInNewProject(consumer, [tarball]);
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

  it("names the versions of what it uses, and nothing that only other encoders or development need", ({ skip }) => {
    skip(offline !== undefined, offline);
    const { packages } = JSON.parse(readFileSync(join(installed, "npm-shrinkwrap.json"), "utf8")) as LockFile;
    const ours = readLockFile(root).packages;
    const names = Object.keys(packages).filter((path) => path !== "");
    expect(names).toContain("node_modules/@lancedb/lancedb");
    for (const path of names) {
      expect(path).not.toMatch(/onnxruntime|sharp|vitest|^packages/);
      expect(packages[path]).toEqual(ours[path]);
    }
  });

  it("says which package other encoders need, in the version that is tested", async ({ skip }) => {
    skip(offline !== undefined, offline);
    const { peerDependencies, devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    for (const named of [peerDependencies, devDependencies]) {
      expect(`@huggingface/transformers@${named["@huggingface/transformers"]}`).toBe(TRANSFORMERS_PACKAGE);
    }
    const env = { MODELSCOUT_HOME: join(temporary, "other"), MODELSCOUT_ENCODER: "Xenova/all-MiniLM-L6-v2" };
    const main = join(installed, "bin/modelscout.js");
    const { code, stderr } = await runAsUser(process.execPath, [main, "recommend", "translate"], consumer, env);
    expect(code).toBe(1);
    expect(stderr).toContain("needs the package @huggingface/transformers, which is not installed");
    expect(stderr).toContain(`npm i ${TRANSFORMERS_PACKAGE}`);
  });

  it("has a program that answers, and on an older Node says how to get one", async ({ skip }) => {
    skip(offline !== undefined, offline);
    const bin = join(consumer, "node_modules/.bin", process.platform === "win32" ? "modelscout.cmd" : "modelscout");
    const env = { MODELSCOUT_HOME: join(temporary, "home") };
    const { stdout: usersNode } = await runAsUser("node", ["--version"], consumer);
    if (Number.parseInt(usersNode.slice(1), 10) < 24) {
      const refused = await runAsUser(bin, ["--version"], consumer, env);
      expect(refused).toMatchObject({ code: 1, stdout: "" });
      expect(refused.stderr).toContain("npm install node@24");
      const args = ["install", "--prefer-offline", `node@${process.versions.node}`];
      expect(await runAsUser("npm", args, consumer)).toMatchObject({ code: 0 });
    }
    expect(await runAsUser(bin, ["--version"], consumer, env)).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });

    const answer = await runAsUser(bin, ["recommend", "transcribe meetings", "--json"], consumer, env);
    expect(answer.code, answer.stderr).toBe(0);
    const { results } = JSON.parse(answer.stdout);
    expect(results).toHaveLength(5);
    // Some models that transcribe have the label of those that answer about audio.
    expect(["automatic-speech-recognition", "audio-text-to-text"]).toContain(results[0].model.task_types[0]);
    expect(readdirSync(join(temporary, "home"))).toContain("inventory");
  });
});
