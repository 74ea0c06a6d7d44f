import { spawn } from "node:child_process";
import { once } from "node:events";
import { beforeAll, describe, expect, it } from "vitest";
import { program } from "../support/run-program.ts";

const { run, runProcess, start } = program();
const json = async (...args: string[]) => JSON.parse((await run([...args, "--json"])).stdout);

beforeAll(async () => {
  await run(["models", "families"]);
});

describe("models", () => {
  it("families are a table, or REST's JSON", async () => {
    const { code, stdout, stderr } = await run(["models", "families"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const lines = stdout.trimEnd().split("\n");
    const { total, families } = await json("models", "families");
    expect(lines[0]).toMatch(/^FAMILY +MODELS$/);
    expect(lines).toHaveLength(total + 1);
    expect(lines[1]?.split(/ +/)).toEqual([families[0].family, String(families[0].count)]);
    expect(families.length).toBe(total);
    expect(families[0].count).toBeGreaterThanOrEqual(families[1].count);
  });

  it("tasks are listed with their types", async () => {
    const { stdout } = await run(["models", "tasks"]);
    expect(stdout).toMatch(/^automatic-speech-recognition +audio +\d+$/m);
    expect((await json("models", "tasks")).tasks).toContainEqual(
      expect.objectContaining({ task: "text-generation", task_type: "code" }),
    );
  });

  it("of a family are listed up to the limit, and the rest is counted", async () => {
    const { stdout } = await run(["models", "family", "QWEN", "--limit", "3"]);
    const lines = stdout.trimEnd().split("\n");
    expect(lines[0]).toMatch(/^MODEL +FAMILY +TASKS +PARAMS +SIZE +LICENCE$/);
    expect(lines.slice(1, 4).every((line) => / qwen /.test(line))).toBe(true);
    const { total } = await json("models", "family", "qwen");
    expect(lines.slice(4)).toEqual(["", `3 of ${total} models; --limit ${total} lists all`]);
    const { family, models, next_page_token } = await json("models", "family", "qwen", "--limit", String(total));
    expect({ family, count: models.length, next_page_token }).toEqual({
      family: "qwen",
      count: total,
      next_page_token: "",
    });
    expect(new Set(models.map((model: { name: string }) => model.name)).size).toBe(total);
  });

  it("for a task are listed by label and by type", async () => {
    expect((await json("models", "task", "text-to-speech", "--limit", "1")).models[0].task_types).toContain(
      "text-to-speech",
    );
    const { task, total } = await json("models", "task", "audio");
    expect(task).toBe("audio");
    expect(total).toBeGreaterThanOrEqual(20);
  });

  it("are shown with their facts, downloads and estimates, in any letter case", async () => {
    const { code, stdout } = await run(["models", "show", "OPENAI/Whisper-Small"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^openai\/whisper-small\n/);
    expect(stdout).toMatch(/^ {2}licence +apache-2\.0: permissive; commercial use allowed$/m);
    expect(stdout).toMatch(/^ {2}FORM +FORMAT +SIZE +REPOSITORY$/m);
    expect(stdout).toMatch(/^ {2}gpu-8gb +fits /m);
    expect(stdout).toMatch(/^ {2}No independent measurement is known\.$/m);
    expect(stdout).not.toContain("leaderboard");
    const entry = await json("models", "show", "openai/whisper-small");
    expect(entry).toMatchObject({ name: "openai/whisper-small", family: "whisper", license: "apache-2.0" });
    expect(entry.hardware).toHaveLength(4);
    expect(entry.updated_at).toMatch(/^\d{4}-/);
  });

  it("are shown with the commands that start them, which can be copied", async () => {
    const { stdout } = await run(["models", "show", "Qwen/Qwen3-8B"]);
    expect(stdout).toMatch(/^ {2}llama\.cpp \(Q4_K_M\)\n {4}llama-server -hf Qwen\/Qwen3-8B-GGUF:Q4_K_M$/m);
    expect(stdout).toMatch(/^ {2}capabilities +tools, reasoning, code$/m);
    expect(stdout).not.toContain("hf auth login");
    const gated = await run(["models", "show", "black-forest-labs/FLUX.1-dev"]);
    expect(gated.stdout).toContain("hf auth login");
  });

  it("are compared by the facts that differ, by leaderboards and on hardware", async () => {
    const names = ["openai/whisper-small", "openai/whisper-large-v3"];
    const { code, stdout, stderr } = await run(["models", "compare", ...names]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^FACT +OPENAI\/WHISPER-SMALL +OPENAI\/WHISPER-LARGE-V3$/im);
    expect(stdout).toMatch(/^parameters +\d+ +\d+$/m);
    expect(stdout).not.toMatch(/^family /m);
    expect(stdout).toMatch(/^gpu-8gb +fits, .* +fits, /m);
    const card = await json("models", "compare", ...names, "--gpu", "RTX 3060");
    expect(card.estimates.map(({ estimate }: { estimate: { hardware: string } }) => estimate.hardware)).toEqual([
      "RTX 3060",
      "RTX 3060",
    ]);
    const boards = await run(["models", "compare", "openai/whisper-large-v3", "openai/whisper-large-v3-turbo"]);
    expect(boards.stdout).toMatch(/^LEADERBOARD /m);
    expect(boards.stdout).toMatch(/^Open ASR leaderboard: .* \*/m);
  });

  it("are compared only if the names and the hardware are right", async () => {
    const wrong = await run(["models", "compare", "a/b", "A/B", "--gpu", "RTX 9999", "--context", "0"]);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain("NAMES[1]: is the same model as names[0]");
    expect(wrong.stderr).toContain('--gpu: "RTX 9999" is not known');
    expect(wrong.stderr).toContain('--context: is "0"; must be a whole number');
    const unknown = await run(["models", "compare", "openai/whisper-small", "openai/whisper-smal"]);
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toContain(
      'There is no model "openai/whisper-smal"; the nearest names: openai/whisper-small',
    );
  });

  it("are shown with what leaderboards measured", async () => {
    const { stdout } = await run(["models", "show", "openai/whisper-large-v3"]);
    expect(stdout).toMatch(
      /^ {2}Open ASR leaderboard \(Hugging Face\)\n {4}Apache-2\.0, https:\/\/huggingface\.co\/spaces\/hf-audio\/open_asr_leaderboard$/m,
    );
    expect(stdout).not.toContain("No independent measurement");
    expect(stdout).toMatch(/^ {4}38th of 87 on the Open ASR leaderboard: 7\.4 % of words wrong, March 2026$/m);
    expect(stdout).toMatch(/^ {4}… and \d+ more; --json lists all$/m);
    const { evaluations } = await json("models", "show", "openai/whisper-large-v3");
    expect(evaluations.length).toBeGreaterThan(8);
  });

  it.each([
    [
      ["models", "show", "openai/whisper-smal"],
      'There is no model "openai/whisper-smal"; the nearest names: openai/whisper-small',
    ],
    [["models", "show", "' OR 1=1 --\u001b[2J🦙"], "There is no model"],
    [["models", "family", "quen"], 'There is no family "quen"; the nearest names: qwen'],
    [["models", "task", "text-to-speach"], 'There is no task "text-to-speach"; the nearest names: text-to-speech'],
  ])("%j names the nearest", async (args, message) => {
    const { code, stdout, stderr } = await run([...args, "--json"]);
    expect(stderr).toContain(`Error: ${message}`);
    expect(stderr).not.toContain("\u001b");
    expect(stdout).toBe("");
    expect(code).toBe(1);
  });

  it("end quietly if the reader of the pipe leaves", async () => {
    const child = start(["models", "task", "text-gen", "--limit", "500", "--json"]);
    const head = spawn("head", ["-c", "10"], { stdio: [child.stdout, "pipe", "pipe"] });
    // Our own end of the pipe is closed, as in a shell, so that head is the only reader.
    child.stdout.destroy();
    let errors = "";
    child.stderr.on("data", (chunk) => {
      errors += chunk;
    });
    const [[code], [headCode]] = await Promise.all([once(child, "close"), once(head, "close")]);
    expect({ code, headCode, errors }).toEqual({ code: 0, headCode: 0, errors: "" });
  });

  it("have colours if they are forced, and none with NO_COLOR", async () => {
    const forced = await runProcess(["models", "families"], { env: { FORCE_COLOR: "1" } });
    expect(forced.stdout).toContain("\u001b[1mqwen\u001b[22m");
    const without = await runProcess(["models", "families"], { env: { NO_COLOR: "1" } });
    expect(without.stdout).not.toContain("\u001b");
  });
});
