import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { program } from "../../support/run-program.ts";

const { run, home } = program();
const card = ["--gpu", "RTX 3060"];
const form = ["--quantization", "Q4_K_M"];

interface Row {
  quantization: string;
  tokens_per_second: { low: number; likely: number; high: number };
  basis: string[];
}

async function rows(model: string, ...args: string[]): Promise<Row[]> {
  const { code, stdout, stderr } = await run(["fit", model, ...args, "--json"]);
  expect(stderr).not.toContain("Error");
  expect(code).toBe(0);
  return JSON.parse(stdout).hardware;
}

const speedOf = async (model: string, ...args: string[]) => ((await rows(model, ...args))[0] as Row).tokens_per_second;

beforeAll(async () => {
  await run(["models", "families"]);
});

describe("--measured", () => {
  it("corrects the measured form, other forms and other models on this device, and says so", async () => {
    const before = {
      own: await speedOf("Qwen/Qwen3-8B", ...card, ...form),
      other: await speedOf("Qwen/Qwen3-4B", ...card, ...form),
      elsewhere: await speedOf("Qwen/Qwen3-8B", "--gpu", "RTX 3090", ...form),
    };
    const measured = Number((before.own.likely * 0.8).toPrecision(4));
    const [row] = await rows("Qwen/Qwen3-8B", ...card, ...form, "--measured", String(measured));
    expect(row?.tokens_per_second.likely).toBeCloseTo(measured, 0);
    expect(row?.basis[0]).toMatch(
      /^You measured [\d.]+ tokens a second \(\d{4}-\d\d-\d\d\), and [\d.]+ were estimated/,
    );

    const own = await speedOf("Qwen/Qwen3-8B", ...card, ...form);
    expect(own.likely).toBeCloseTo(measured, 0);
    expect(own.high / own.low).toBeLessThan(before.own.high / before.own.low);
    const [other] = await rows("Qwen/Qwen3-4B", ...card, ...form);
    expect((other?.tokens_per_second.likely ?? 0) / before.other.likely).toBeCloseTo(Math.sqrt(0.8), 2);
    expect(other?.basis[0]).toMatch(/^Your measurement on this device changed the speed by a factor of 0\.894/);
    expect(await speedOf("Qwen/Qwen3-8B", "--gpu", "RTX 3090", ...form)).toEqual(before.elsewhere);
  });

  it("replaces an earlier measurement of the same form", async () => {
    await rows("Qwen/Qwen3-8B", ...card, ...form, "--measured", "50");
    await rows("Qwen/Qwen3-8B", ...card, ...form, "--measured", "45");
    const kept = JSON.parse(readFileSync(`${home}/state/measured-speeds.json`, "utf8"));
    expect(kept.map(({ tokensPerSecond }: { tokensPerSecond: number }) => tokensPerSecond)).toEqual([45]);
  });

  it.each([
    [
      ["--measured", "500"],
      /more than RTX 3060 can do: 360 GB\/s ÷ [\d.]+ GB read for each token is [\d.]+ tokens a second/,
    ],
    [["--measured", "0.4"], /far below the \d+ tokens a second that RTX 3060 should reach/],
    [["--measured", "-3"], /--measured: .*must be above 0/],
    [["--measured", "fast"], /--measured: .*must be above 0/],
    [["--measured", "20", "--measure"], /--measured: cannot be combined with --measure/],
    [["--measure-url", "http://127.0.0.1:1"], /--measure-url: has an effect only with --measure/],
    [["--measure", "--measure-url", "nonsense"], /--measure-url: is "nonsense"; must be an address/],
  ])("refuses %j", async (args, says) => {
    const { code, stderr } = await run(["fit", "Qwen/Qwen3-8B", ...card, ...form, ...args]);
    expect(code).toBe(2);
    expect(stderr.replaceAll(/\s+/g, " ")).toMatch(says);
  });

  it.each([
    ["an unknown processor", ["Qwen/Qwen3-8B", ...form, "--cpu", "Unheard Of 9000"], "13"],
    ["a possible mixture", ["acme/unheard-of", "--parameters", "30B", ...form, "--gpu", "RTX 3090"], "120"],
    ["different cards", ["Qwen/Qwen3-8B", ...form, "--gpu", "RTX 5090 + RTX 3060"], "200"],
  ])("keeps what %s can reach", async (_what, [model = "", ...args], speed) => {
    const [row] = await rows(model, ...args, "--measured", speed);
    expect(row?.tokens_per_second.likely).toBeCloseTo(Number(speed), 0);
  });

  it("tells devices apart that differ in bandwidth only", async () => {
    const slow = ["--memory", "24", "--bandwidth", "300", ...form];
    const fast = ["--memory", "24", "--bandwidth", "900", ...form];
    const before = await speedOf("Qwen/Qwen3-8B", ...fast);
    await rows("Qwen/Qwen3-8B", ...slow, "--measured", "30");
    expect(await speedOf("Qwen/Qwen3-8B", ...fast)).toEqual(before);
  });

  it("refuses a class, an unnamed form and a model without tokens", async () => {
    const refused = async (...args: string[]) => (await run(["fit", ...args])).stderr.replaceAll(/\s+/g, " ");
    expect(await refused("Qwen/Qwen3-8B", "--class", "cpu", "--measured", "5")).toMatch(
      /--class: is a class, and a speed is measured on a device/,
    );
    expect(await refused("Qwen/Qwen3-8B", ...card, "--measured", "30")).toMatch(
      /needs the form that ran; name it with --quantization, such as one of .*Q4_K_M/,
    );
    expect(await refused("openai/whisper-large-v3", ...card, "--quantization", "fp16", "--measured", "30")).toMatch(
      /does not generate tokens one by one/,
    );
  });
});

/** Servers that speak the protocols of Ollama and llama.cpp. */
const asked: { url: string; body: unknown }[] = [];
async function serve(answers: Record<string, unknown>) {
  const server = createServer(async (request: IncomingMessage, response) => {
    const url = request.url ?? "";
    if (request.method === "POST") {
      asked.push({ url, body: await json(request) });
    }
    const answer = answers[url];
    response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer ?? { error: "not found" }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  afterAll(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("--measure", () => {
  const other = ["--gpu", "RTX 4070", "--measure", "--measure-url"];

  it("times a model in Ollama", async () => {
    const url = await serve({
      "/api/tags": {
        models: [
          { name: "llama3.2:3b", details: { quantization_level: "Q4_K_M" } },
          { name: "qwen3:8b", details: { quantization_level: "Q4_K_M" } },
        ],
      },
      "/api/generate": { response: "Well", eval_count: 128, eval_duration: 2e9 },
    });
    const { code, stdout, stderr } = await run(["fit", "Qwen/Qwen3-8B", ...other, url, "--json"]);
    expect(code).toBe(0);
    expect(stderr).toContain("qwen3:8b as Q4_K_M generates 64 tokens a second with ollama");
    expect(asked.at(-1)).toMatchObject({ url: "/api/generate", body: { model: "qwen3:8b", stream: false } });
    const row = (JSON.parse(stdout).hardware as Row[]).find(({ quantization }) => quantization === "Q4_K_M");
    expect(row?.tokens_per_second.likely).toBeCloseTo(64, 0);
  });

  it("refuses another form than the server has, before it generates", async () => {
    const url = await serve({
      "/api/tags": { models: [{ name: "qwen3:8b", details: { quantization_level: "Q4_K_M" } }] },
      "/api/generate": { response: "Well", eval_count: 128, eval_duration: 2e9 },
    });
    const before = asked.length;
    const { code, stderr } = await run(["fit", "Qwen/Qwen3-8B", ...other, url, "--quantization", "Q8_0"]);
    expect(code).not.toBe(0);
    expect(stderr.replaceAll(/\s+/g, " ")).toContain("has qwen3:8b as Q4_K_M, and --quantization says Q8_0");
    expect(asked).toHaveLength(before);
  });

  it("times a model in llama.cpp, and reads the form in the file's name", async () => {
    const url = await serve({
      "/v1/models": { data: [{ id: "/models/Qwen3-4B-Q8_0.gguf" }] },
      "/completion": { content: "Well", timings: { predicted_n: 128, predicted_per_second: 70.5 } },
    });
    const { code, stderr } = await run(["fit", "Qwen/Qwen3-4B", ...other, url]);
    expect(code).toBe(0);
    expect(stderr).toContain("as Q8_0 generates 70.5 tokens a second with llama.cpp");
  });

  it("says what the server has instead, what it answered, and that nothing listens", async () => {
    const words = async (...args: string[]) => {
      const { code, stderr } = await run(["fit", "Qwen/Qwen3-8B", ...other, ...args]);
      expect(code).not.toBe(0);
      return stderr.replaceAll(/\s+/g, " ");
    };
    const without = await serve({ "/api/tags": { models: [{ name: "qwen3:4b" }] } });
    expect(await words(without)).toMatch(/Ollama at \S+ does not have Qwen\/Qwen3-8B; it has qwen3:4b\./);
    const broken = await serve({ "/api/tags": { models: [{ name: "qwen3:8b" }] }, "/api/generate": { error: "no" } });
    expect(await words(broken)).toMatch(/did not generate: its answer has no timings/);
    const short = await serve({
      "/api/tags": { models: [{ name: "qwen3:8b" }] },
      "/api/generate": { eval_count: 3, eval_duration: 1e9 },
    });
    expect(await words(short)).toMatch(/ended after 3 tokens, too few to time it/);
    expect(await words("http://127.0.0.1:9")).toMatch(
      /Neither Ollama nor llama\.cpp answers at http:\/\/127\.0\.0\.1:9/,
    );
  });
});
