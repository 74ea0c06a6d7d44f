import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { program, type Run } from "../support/run-program.ts";

const { home, run } = program();

describe("recommend", () => {
  let first: Run;
  beforeAll(async () => {
    first = await run(["recommend", "transcribe meetings on a laptop CPU"]);
  });

  it("indexes the starter catalogue at the first use, with progress on standard error only", () => {
    expect(first.stderr).toMatch(
      /^First use: indexing the starter catalogue of \d+ models\nIndexed the starter catalogue: \d+ models in /,
    );
    expect(first.stdout).not.toContain("starter");
    expect(existsSync(join(home, "state"))).toBe(true);
  });

  it("answers in plain text in a pipe: what was understood, then a block for each model", () => {
    expect(first.code).toBe(0);
    expect(first.stdout).toMatch(/^Understood: automatic-speech-recognition \d+ %/);
    expect(first.stdout).toMatch(/\nSearched [\d,]+ models, [\d,]+ within the limits, in \d+ ms\n/);
    const blocks = first.stdout.split("\n\n").slice(1);
    expect(blocks).toHaveLength(5);
    for (const [i, block] of blocks.entries()) {
      const lines = block.trimEnd().split("\n");
      expect(lines[0]).toMatch(new RegExp(`^${i + 1}\\. {2}[^/ ]+/[^ ]+ {2}score \\d\\.\\d\\d$`));
      expect(lines[1]).toMatch(/^ {4}\S+ · .*automatic-speech-recognition.* · \S+$/);
      expect(lines[2]).toMatch(
        /^ {4}(?:[\d.]+ [GM]B download as \S+ · [\d.]+ [GM]B of memory · \S+ on|size unknown|[\d.]+ [GM]B download$)/,
      );
      expect(lines[3]).toMatch(/^ {4}\+ It is made for /);
    }
    // biome-ignore lint/suspicious/noControlCharactersInRegex: no colour codes in a pipe
    expect(first.stdout).not.toMatch(/\u001b/);
  });

  it("then starts with the indexed inventory", async () => {
    const { code, stdout, stderr } = await run(["recommend", "translate", "German", "to", "French", "--top-k", "2"]);
    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(stdout).toContain("Understood: translation");
    expect(stdout).not.toContain("\n3. ");
  });

  it("respects every limit, and prints REST's JSON", async () => {
    const args = [
      "--task",
      "text-gen",
      "--hardware",
      "cpu",
      "--max-size-gb",
      "3.5",
      "--license",
      "commercial",
      "--language",
      "de",
      "--language",
      "fr",
    ];
    const { code, stdout } = await run([
      "recommend",
      "answer customers",
      ...args,
      "--min-context",
      "4096",
      "--top-k",
      "3",
      "--ignore",
      "language",
      "--priority",
      "size",
      "--json",
    ]);
    expect(code).toBe(0);
    const response = JSON.parse(stdout);
    expect(Object.keys(response)).toEqual([
      "results",
      "models_searched",
      "models_after_filter",
      "understood",
      "query_time_ms",
    ]);
    expect(response.models_after_filter).toBeLessThan(response.models_searched);
    expect(response.results).toHaveLength(3);
    for (const { model, sizing } of response.results) {
      expect(model.name).toMatch(/.\/./);
      expect(model.size_gb).toBeLessThanOrEqual(3.5);
      expect(sizing).toMatchObject({ hardware: "cpu", fit: expect.stringMatching(/^(?:fits|tight)$/) });
    }
  });

  it("takes hardware by name, and tells a limit's option with what was typed", async () => {
    const args = ["--gpu", "RTX 3060", "--capability", "tools,reasoning", "--min-parameters", "3B"];
    const speed = ["--min-tokens-per-second", "15", "--exclude-gated", "--max-parameters", "9B", "--json"];
    const { code, stdout } = await run(["recommend", "chat with our staff", ...args, ...speed]);
    expect(code).toBe(0);
    const { results } = JSON.parse(stdout);
    expect(results.length).toBeGreaterThan(0);
    for (const { model, sizing } of results) {
      expect(model.parameters).toBeGreaterThanOrEqual(3e9);
      expect(model.parameters).toBeLessThanOrEqual(9e9);
      expect(sizing.hardware).toBe("RTX 3060");
      expect(sizing.tokens_per_second.likely).toBeGreaterThanOrEqual(14.9);
    }
    const wrong = await run(["recommend", "x", "--gpu", "RTX 3061", "--gpus", "0", "--min-parameters", "many"]);
    expect(wrong.stderr).toContain('Error: --gpus: is "0"; must be a whole number from 1 to 16');
    expect(wrong.stderr).toContain('Error: --min-parameters: is "many"; must be above 0');
  });

  it("detects this machine, and says what it found", async () => {
    const { code, stdout, stderr } = await run(["recommend", "write a poem", "--detect", "--top-k", "1", "--json"]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^Found: [\d.]+ [MG]B of memory$/m);
    for (const { sizing } of JSON.parse(stdout).results) {
      expect(sizing.fit).toMatch(/^(?:fits|tight)$/);
      expect(sizing.hardware).not.toMatch(/^(?:cpu|gpu-8gb|gpu-24gb|apple-silicon)$/);
    }
  });

  it("says that no model meets the limits", async () => {
    const args = ["recommend", "write a poem", "--max-size-gb", "0.0001"];
    const { code, stdout } = await run(args);
    expect(code).toBe(0);
    expect(stdout).toContain("No model meets all the limits.");
    expect(JSON.parse((await run([...args, "--json"])).stdout).results).toEqual([]);
  });

  it("says that the inventory is empty", async () => {
    const env = { MODELSCOUT_STARTER: "off", MODELSCOUT_HOME: join(home, "empty") };
    const { code, stdout } = await run(["recommend", "write a poem"], { env });
    expect(stdout).toContain("The inventory is empty");
    expect(code).toBe(0);
  });

  it.each([
    [["recommend"], "NEED: is missing"],
    [["recommend", "  "], "NEED: is required"],
    [["recommend", "x".repeat(2_001)], "NEED: has 2001 characters; at most 2000 are allowed"],
    [
      ["recommend", "x", "--task", "txt-gen"],
      '--task: is "txt-gen"; must be one of text-gen, image-gen, code, embed, classify, vision, audio, multimodal, other; did you mean text-gen?',
    ],
    [
      ["recommend", "x", "--hardware", "gpu8gb"],
      '--hardware: is "gpu8gb"; must be one of cpu, gpu-8gb, gpu-24gb, apple-silicon; did you mean gpu-8gb?',
    ],
    [["recommend", "x", "--license", "apache2"], "did you mean apache-2.0?"],
    [["recommend", "x", "--max-size-gb", "0"], '--max-size-gb: is "0"; must be a number greater than 0'],
    [["recommend", "x", "--max-size-gb", "-1"], '--max-size-gb: is "-1"; must be a number greater than 0'],
    [["recommend", "x", "--max-size-gb", "1e400"], '--max-size-gb: is "1e400"; must be a number greater than 0'],
    [["recommend", "x", "--max-size-gb", "2GB"], '--max-size-gb: is "2GB"; must be a number greater than 0'],
    [["recommend", "x", "--top-k", "0"], '--top-k: is "0"; must be a whole number from 1 to 50'],
    [["recommend", "x", "--top-k", "51"], '--top-k: is "51"'],
    [["recommend", "x", "--top-k", "1.5"], '--top-k: is "1.5"'],
    [["recommend", "x", "--top-k", "five"], '--top-k: is "five"'],
    [["recommend", "x", "--top-k", "0x10"], '--top-k: is "0x10"'],
    [["recommend", "x", "--min-context", "0"], '--min-context: is "0"; must be a whole number of tokens'],
    [["recommend", "x", "--language", "german"], '--language: has "german"; each entry must be an ISO 639-1 code'],
    [
      ["recommend", "x", "--capability", "tool"],
      '--capability: has "tool"; each entry must be one of tools, reasoning',
    ],
    [
      ["recommend", "x", "--min-tokens-per-second", "9"],
      "--min-tokens-per-second: needs hardware, because speed depends on it",
    ],
    [["recommend", "x", "--gpu", "RTX 9999"], '--gpu: "RTX 9999" is not known. Nearest: '],
    [["recommend", "x", "--hardwear", "cpu"], "--hardwear: unknown option; did you mean --hardware?"],
  ])("%j is refused", async (args, message) => {
    const { code, stdout, stderr } = await run(args);
    expect(stderr).toContain(`Error: ${message.startsWith("did") ? "" : message}`);
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/See: modelscout recommend --help\n$/);
    expect(stdout).toBe("");
    expect(code).toBe(2);
  });

  it("reports all faults of the options at once", async () => {
    const { stderr } = await run([
      "recommend",
      " ",
      "--task",
      "x",
      "--top-k",
      "x",
      "--max-size-gb",
      "x",
      "--min-context",
      "x",
      "--language",
      "x",
    ]);
    const faulty = [...stderr.matchAll(/^Error: (\S+):/gm)].map((match) => match[1]);
    expect(faulty).toEqual(["NEED", "--task", "--max-size-gb", "--top-k", "--min-context", "--language"]);
  });
});
