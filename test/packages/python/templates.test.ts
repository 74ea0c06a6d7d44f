import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { atEnd } from "../../support/at-end.ts";

const root = resolve(import.meta.dirname, "../../..");
const run = promisify(execFile);
const page = readFileSync(join(root, "docs/clients.md"), "utf8");
const [, common = ""] = /```yaml\n(version: v2\n[\s\S]*?)```/.exec(page) ?? [];
const templates = [...page.matchAll(/^### (.+)\n(?:(?!^#)[^`]|`(?!``))*```yaml\n(plugins:\n[\s\S]*?)```/gm)].map(
  ([, language = "", plugins = ""]) => ({ language, plugins }),
);

const packages =
  "protobuf-compiler protobuf-compiler-grpc protobuf-compiler-grpc-java-plugin protoc-gen-go-1-5 protoc-gen-go-grpc";

/** Programs of a template that this machine lacks. */
function missing(plugins: string): string[] {
  const local = [...plugins.matchAll(/local: (\S+)/g)].map(([, name = ""]) => name);
  const needed = plugins.includes("protoc_builtin") ? ["protoc", ...local] : local;
  const folders = (process.env.PATH ?? "").split(":");
  return needed.filter((name) => !folders.some((folder) => existsSync(join(folder, name))));
}

it("docs/clients.md has templates for many languages", () => {
  const languages = templates.map(({ language }) => language);
  expect(languages).toEqual(["Go", "Java", "Kotlin", "C#", "C++", "Ruby", "PHP", "Objective-C"]);
});

it.for(templates)("The template for $language generates a client", async ({ language, plugins }, { skip }) => {
  const lacking = missing(plugins);
  skip(lacking.length > 0, `${lacking.join(" and ")} not installed. On Debian: apt-get install ${packages}`);
  const folder = mkdtempSync(join(tmpdir(), "modelscout-template-"));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const inputs = language === "Go" ? common.replace(", google/rpc/status.proto", "") : common;
  writeFileSync(join(folder, "buf.gen.yaml"), inputs + plugins);
  const args = ["generate", "--template", join(folder, "buf.gen.yaml"), "--output", folder];
  await run(join(root, "node_modules/.bin/buf"), args, { cwd: root });

  const files = readdirSync(join(folder, "client"), { recursive: true, encoding: "utf8" });
  const code = files
    .filter((file) => /\.\w+$/.test(file))
    .map((file) => readFileSync(join(folder, "client", file), "utf8"));
  expect(code.some((text) => /\bRecommendRequest\b|recommend_request/i.test(text))).toBe(true);
  // Plugins for services are local, except for those that the page says are not in Debian.
  const hasServices = plugins.includes("local:");
  expect(
    code.some(
      (text) =>
        /RecommendationService(Client|Stub|Grpc|\b.*Stub)/.test(text) || /module RecommendationService/.test(text),
    ),
  ).toBe(hasServices);
  expect(code.filter((text) => text.includes("google/api/annotations"))).toEqual([]);
});
