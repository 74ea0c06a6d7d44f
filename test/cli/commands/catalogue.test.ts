import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { program } from "../support/run-program.ts";

const { run } = program();

describe("catalogue", () => {
  it("shows an entry in any letter case, as text and as JSON", async () => {
    const { code, stdout, stderr } = await run(["catalogue", "show", "OpenAI/Whisper-Small"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^openai\/whisper-small$/m);
    expect(stdout).toMatch(/^ {2}purposes +\S/m);
    expect(stdout).toMatch(/^ {2}standing +[0-5] of 5/m);
    const json = JSON.parse((await run(["catalogue", "show", "openai/whisper-small", "--json"])).stdout);
    expect(json).toMatchObject({ name: "openai/whisper-small", standing: expect.any(Number) });
  });

  it("shows the facts with their day and origin, the languages, and the starter's description", async () => {
    const { stdout } = await run(["catalogue", "show", "black-forest-labs/FLUX.1-dev"]);
    const text = stdout.replace(/\s+/g, " ");
    // The entry has no description of its own.
    expect(text).toContain("High-quality 1-megapixel pictures with good hands");
    expect(text).toContain(" languages en (strong) ");
    expect(text).toContain(" licence flux-1-dev-non-commercial-license ");
    expect(text).toContain(" parameters 16.9B ");
    expect(text).toContain(" Q8_0 12.6 GB (gguf, city96/FLUX.1-dev-gguf)");
    expect(text).toContain(" facts of 2026-06-20, Hugging Face Hub where nothing else is named; license: stated by");
  });

  it("shows the directions of a translator, and active parameters", async () => {
    const translator = (await run(["catalogue", "show", "circulus/canvers-en2ko-v1"])).stdout;
    expect(translator).toMatch(/^ {2}translates +en-ko$/m);
    const mixture = (await run(["catalogue", "show", "Qwen/Qwen3-30B-A3B"])).stdout;
    expect(mixture).toMatch(/^ {2}parameters +30\.5B, 3\.3B active$/m);
  });

  it("names the nearest entry where there is none", async () => {
    const { code, stderr } = await run(["catalogue", "show", "openai/whisper-smal"]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining("no entry for openai/whisper-smal; did you mean openai/whisper-small?"),
    });
  });

  it("lists purposes with the models that serve them", async () => {
    const { stdout } = await run(["catalogue", "purposes"]);
    expect(stdout).toMatch(/^PURPOSE +IN WORDS +MODELS +GOOD$/m);
    expect(stdout).toMatch(/^handwriting +read handwriting +\d+ +\d+$/m);
  });

  it("checks the whole, and a file of new entries", async () => {
    expect(await run(["catalogue", "check"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^[\d,]+ entries and [\d,]+ models of the starter catalogue, no problem found\.\n$/,
      ),
    });
    const file = join(mkdtempSync(join(tmpdir(), "modelscout-catalogue-")), "new.jsonl");
    writeFileSync(file, '{"name":"acme/reader"}\n');
    const { code, stdout } = await run(["catalogue", "check", file]);
    expect(code).toBe(1);
    expect(stdout).toContain("new.jsonl:1 acme/reader: purposes: ");
    expect(stdout).toMatch(/^1 entry, \d problems\.$/m);
    expect(await run(["catalogue", "check", "nowhere.jsonl"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Cannot read nowhere.jsonl"),
    });
  });

  it("adds entries to the file of their area, and none if one has a problem", async () => {
    const home = mkdtempSync(join(tmpdir(), "modelscout-catalogue-"));
    const folder = join(home, "cards");
    mkdirSync(folder);
    const reader = {
      name: "acme/reader",
      purposes: { handwriting: 3 },
      readiness: "finetuned",
      standing: 4,
      description: "Reads letters written by hand.",
      strengths: ["old scripts"],
      weaknesses: ["slow"],
      not_for: "printed pages",
      needs: ["old letters", "our delivery notes", "a diary of 1890", "names in registers", "margins of a score"],
    };
    const caller = { ...reader, name: "acme/caller", purposes: { "asr-general": 3 } };
    const file = join(home, "new.jsonl");
    writeFileSync(file, `${JSON.stringify(reader)}\n${JSON.stringify(caller)}\n`);
    const add = () => run(["catalogue", "add", file, "--folder", folder]);
    const linesOf = (name: string) => readFileSync(join(folder, name), "utf8").trimEnd().split("\n");
    expect(await add()).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^vision\.jsonl:1 acme\/reader\nspeech-in\.jsonl:1 acme\/caller\n2 entries were added\./,
      ),
    });
    expect(linesOf("vision.jsonl").map((line) => JSON.parse(line))).toEqual([reader]);
    expect(await add()).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("new.jsonl:1 acme/reader: it already has an entry at vision.jsonl:1"),
    });
    const other = { ...reader, name: "acme/reader-2" };
    writeFileSync(file, `${JSON.stringify(other)}\n{"name":"acme/broken"}\n`);
    expect(await add()).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^No entry was added: \d problems?\.$/m),
    });
    writeFileSync(file, JSON.stringify(other));
    expect(await add()).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("vision.jsonl:2 acme/reader-2\n1 entry was added."),
    });
    expect(linesOf("vision.jsonl").map((line) => JSON.parse(line))).toEqual([reader, other]);
    expect(await run(["catalogue", "add", file, "--folder", join(home, "nowhere")])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("There is no folder"),
    });
  });
});
