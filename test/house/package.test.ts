import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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

  it("has a program that answers, on whichever Node the user has", async ({ skip }) => {
    skip(offline !== undefined, offline);
    const bin = join(consumer, "node_modules/.bin", process.platform === "win32" ? "modelscout.cmd" : "modelscout");
    const env = { MODELSCOUT_HOME: join(temporary, "home") };
    expect(await runAsUser(bin, ["--version"], consumer, env)).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });

    const answer = await runAsUser(bin, ["recommend", "transcribe meetings", "--json"], consumer, env);
    expect(answer.code, answer.stderr).toBe(0);
    const { results } = JSON.parse(answer.stdout);
    expect(results).toHaveLength(5);
    expect(results[0].model.task_types).toContain("automatic-speech-recognition");
    expect(readdirSync(join(temporary, "home"))).toContain("inventory");
  });
});
