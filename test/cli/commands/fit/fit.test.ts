import { beforeAll, describe, expect, it } from "vitest";
import { renderFit } from "../../../../src/cli/commands/fit/render-fit.ts";
import { fitVariants } from "../../../../src/hardware/index.ts";
import { fakeTerminal } from "../../support/fake-terminal.ts";
import { program } from "../../support/run-program.ts";

const { run } = program();
const json = async (...args: string[]) => JSON.parse((await run(["fit", ...args, "--json"])).stdout).hardware;

beforeAll(async () => {
  await run(["models", "families"]);
});

describe("fit", () => {
  it("shows each published form on a card, the recommended one, and its basis", async () => {
    const { code, stdout, stderr } = await run(["fit", "qwen/qwen3-8b", "--gpu", "RTX 3060"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^Qwen\/Qwen3-8B\n\nRTX 3060: 12\.1 GB usable, 360 GB\/s\n/);
    expect(stdout).toMatch(/^ +FORM +SIZE +WEIGHTS +CACHE +OVERHEAD +MEMORY +FIT +TOKENS\/S +FIRST$/m);
    expect(stdout.match(/^\* {2}/gm)).toHaveLength(1);
    expect(stdout).toMatch(/^ {3}Q4_K_M +5 GB +5 GB .* fits +\d+–\d+–\d+ +\d+–\d+–\d+ ms$/m);
    expect(stdout).toMatch(/^Basis of \S+:\n {2}- RTX 3060: 12 GiB \(12\.9 GB\) of memory, 12\.1 GB usable/m);
    expect(stdout).not.toContain("█");
  });

  it("shows all four classes without hardware options", async () => {
    const rows = await json("Qwen/Qwen3-8B", "--quantization", "q4_k_m");
    expect(rows.map((row: { hardware: string }) => row.hardware)).toEqual([
      "cpu",
      "gpu-8gb",
      "gpu-24gb",
      "apple-silicon",
    ]);
    for (const row of rows) {
      expect(row.memory_gb).toBeCloseTo(row.weights_gb + row.kv_cache_gb + row.overhead_gb, 6);
      expect(row).toMatchObject({ quantization: "Q4_K_M", computed: false, recommended: true });
      expect(row.tokens_per_second.low).toBeLessThan(row.tokens_per_second.high);
    }
  });

  it("computes the usual quantizations of a model of which only the size is known", async () => {
    const { code, stdout } = await run(["fit", "nobody/thing", "--parameters", "24B", "--class", "gpu-24gb"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {3}bf16 ~ .* too-large /m);
    expect(stdout).toMatch(/^\* {2}Q\S+ ~ .* (fits|tight) /m);
    expect(stdout).toContain("~ no repository is known to publish this form: convert the model yourself");
  });

  it("uses the given cache type", async () => {
    const [plain, packed] = await Promise.all([
      json("Qwen/Qwen3-8B", "--class", "gpu-24gb", "--quantization", "Q8_0"),
      json("Qwen/Qwen3-8B", "--class", "gpu-24gb", "--quantization", "Q8_0", "--cache-type", "q8_0"),
    ]);
    expect(packed[0].kv_cache_gb / plain[0].kv_cache_gb).toBeCloseTo(17 / 32, 2);
  });

  it("detects this machine, shows what it found, and prefers options", async () => {
    const { code, stdout, stderr } = await run(["fit", "Qwen/Qwen3-8B", "--detect"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^ {2}Found: .* of memory$/m);
    const rows = await json("Qwen/Qwen3-8B", "--detect", "--gpu", "RTX 4090", "--quantization", "Q4_K_M");
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ hardware: "RTX 4090", fit: "fits" });
  });

  it.each([
    [["Qwen/Qwen3-8B", "--gpu", "RTX 9999"], 2, '--gpu: "RTX 9999" is not known. Nearest: RTX '],
    [["Qwen/Qwen3-8B", "--class", "gpu-8g"], 2, '--class: "gpu-8g" is not a hardware class; use one of cpu, gpu-8gb'],
    [["Qwen/Qwen3-8B", "--class", "cpu", "--detect"], 2, "--class: cannot be combined with --detect"],
    [["Qwen/Qwen3-8B", "--gpus", "many"], 2, '--gpus: is "many"; must be a whole number from 1 to 16'],
    [["Qwen/Qwen3-8B", "--cache-type", "q8"], 2, '--cache-type: is "q8"; must be one of f32, '],
    [["Qwen/Qwen3-8"], 1, 'There is no model "Qwen/Qwen3-8"; the nearest names: Qwen/Qwen3-8B'],
    [["zzq-own"], 1, 'There is no model "zzq-own". For a model that is not in the inventory, give its size with --par'],
    [["pyannote/speaker-diarization-3.1"], 2, "--parameters: is required: the inventory does not know how large"],
    [[], 2, "MODEL: is missing"],
  ])("%j says what is wrong", async (args, status, message) => {
    const { code, stdout, stderr } = await run(["fit", ...args]);
    expect(stderr).toContain(`Error: ${message}`);
    expect({ code, stdout }).toEqual({ code: status, stdout: "" });
  });

  it("warns of engines and quantizations that it does not know", async () => {
    const { code, stderr } = await run([
      "fit",
      "a/b",
      "--parameters",
      "8B",
      "--engine",
      "olama",
      "--quantization",
      "Z9",
    ]);
    expect(stderr).toContain(
      "--engine: olama is not known, so the estimate is for a typical engine; did you mean ollama?",
    );
    expect(stderr).toContain("--quantization: Z9 is not known");
    expect(code).toBe(0);
  });

  it("reports all faults at once", async () => {
    const { stderr } = await run(["fit", "a/b", "--context", "0", "--memory", "-1", "--cache-type", "x"]);
    expect(stderr.match(/^Error:/gm)).toHaveLength(3);
  });
});

describe("fit on a terminal", () => {
  const answer = (request: Parameters<typeof fitVariants>[0], width: number) => {
    const fitted = fitVariants(request);
    if (!("device" in fitted)) {
      throw new Error("no estimate");
    }
    const terminal = fakeTerminal({ width });
    return renderFit({ modelName: "a/b", fitted: [fitted], detected: undefined }, terminal).split("\n");
  };

  it("draws weights, cache and overhead in different shades, within the terminal's width", () => {
    for (const width of [80, 100, 140]) {
      const lines = answer({ parameters: 14e9, hardware: { gpuName: "RTX 3090" } }, width);
      expect(lines.find((line) => line.startsWith("*"))).toMatch(/█+▓+▒+/);
      for (const line of lines) {
        expect(line.length).toBeLessThanOrEqual(width);
      }
    }
  });

  it("marks forms that exceed the memory, and recommends none of them", () => {
    const lines = answer({ parameters: 400e9, hardware: { cpuName: "Intel N100", memoryGb: 8 } }, 100);
    expect(lines.filter((line) => line.includes("▶")).length).toBeGreaterThan(3);
    expect(lines.some((line) => line.startsWith("*"))).toBe(false);
    expect(lines).toContain("  Nothing here fits, not even with a part in system memory.");
  });
});
