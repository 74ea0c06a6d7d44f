import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { performance } from "node:perf_hooks";
import type { Worker } from "node:worker_threads";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Encoder } from "../../src/embedding/static/static-encoder.ts";
import { openTransformersEncoder, type TransformersOptions } from "../../src/embedding/transformers/encoder.ts";
import { startApp } from "../support/service/start-app.ts";
import { startModelHub } from "./support/model-hub.ts";
import { dimensions, maxTokens, meanOf, rowOf, tokensOf, unit, words, writeTinyModel } from "./support/tiny-model.ts";

const home = mkdtempSync(join(tmpdir(), "transformers-encoder-"));
const folder = join(home, "tiny");
const opened: Encoder[] = [];

async function open(model: string, options?: TransformersOptions): Promise<Encoder> {
  const encoder = await openTransformersEncoder(model, options);
  opened.push(encoder);
  return encoder;
}

function expectVector(vector: Float32Array | undefined, expected: readonly number[]) {
  expect(vector).toBeInstanceOf(Float32Array);
  expect(vector!.length).toBe(expected.length);
  expected.forEach((value, place) => {
    expect(vector![place]).toBeCloseTo(value, 5);
  });
}

/** Texts of several lengths, each different from its neighbours. */
function manyTexts(count: number): string[] {
  const known = words.slice(4);
  return Array.from({ length: count }, (_, at) =>
    Array.from({ length: 1 + (at % 7) }, (_, word) => known[(at * 5 + word * 3) % known.length]).join(" "),
  );
}

afterEach(async () => {
  for (const encoder of opened.splice(0)) {
    await encoder.close();
  }
});
afterAll(() => rmSync(home, { recursive: true, force: true }));
beforeAll(() => writeTinyModel(folder));

describe("vectors", () => {
  it("are the mean over a text's tokens, of length 1", async () => {
    const encoder = await open(folder);
    expect(encoder.dimensions).toBe(dimensions);
    const texts = ["red", "Green  blue dog", "cat unheardof red red"];
    const vectors = await encoder.encode(texts);
    texts.forEach((text, at) => {
      expectVector(vectors[at], meanOf(tokensOf(text)));
    });
  });

  it("do not depend on the texts beside them", async () => {
    const encoder = await open(folder, { maxBatch: 5 });
    const texts = manyTexts(23);
    const together = await encoder.encode(texts);
    for (const [at, text] of texts.entries()) {
      const [alone] = await encoder.encode([text]);
      expectVector(together[at], [...alone!]);
      expectVector(alone, meanOf(tokensOf(text)));
    }
  });

  it("own their memory", async () => {
    const encoder = await open(folder);
    const vectors = await encoder.encode(["red", "blue"]);
    for (const vector of vectors) {
      expect(vector.buffer.byteLength).toBe(dimensions * 4);
    }
  });

  it("are zeros for a text without a known word, alone or among others", async () => {
    const encoder = await open(folder);
    const zeros = new Array(dimensions).fill(0);
    const empty = ["", " \n\t", "unheardof", "🤷 ???", "\ud800", "\0"];
    for (const vector of await encoder.encode(empty)) {
      expectVector(vector, zeros);
    }
    const [known, unknown] = await encoder.encode(["cat", ""]);
    expectVector(known, meanOf(tokensOf("cat")));
    expectVector(unknown, zeros);
    expect(await encoder.encode([])).toEqual([]);
  });

  it("read as much of a long text as the model accepts, or less with an option", async () => {
    const long = "red green blue cat dog ".repeat(20_000);
    expect(tokensOf(long).length).toBe(maxTokens);
    const encoder = await open(folder);
    const [vector, short] = await encoder.encode([long, "red"]);
    expectVector(vector, meanOf(tokensOf(long)));
    expectVector(short, meanOf(tokensOf("red")));
    const shorter = await open(folder, { maxTokens: 4 });
    expectVector((await shorter.encode([long]))[0], meanOf(tokensOf(long).slice(0, 4)));
    expect(shorter.id).not.toBe(encoder.id);
  });

  it("are pooled according to 1_Pooling/config.json", async () => {
    const tokens = tokensOf("red cat dog");
    const rows = tokens.map(rowOf);
    const cases: [object, number[]][] = [
      [{}, meanOf(tokens)],
      [{ pooling_mode_cls_token: false, pooling_mode_mean_tokens: true }, meanOf(tokens)],
      [{ pooling_mode_mean_sqrt_len_tokens: true }, meanOf(tokens)],
      [{ pooling_mode_cls_token: true, pooling_mode_mean_tokens: false }, unit(rows[0]!)],
      [{ pooling_mode_lasttoken: true }, unit(rows.at(-1)!)],
      [
        { pooling_mode_max_tokens: true },
        unit(rows[0]!.map((_, place) => Math.max(...rows.map((row) => row[place]!)))),
      ],
      [{ pooling_mode: "cls" }, unit(rows[0]!)],
    ];
    const ids = new Set<string>();
    for (const [pooling, expected] of cases) {
      const pooled = join(home, "pooled");
      writeTinyModel(pooled, { pooling });
      const encoder = await open(pooled);
      // The longer text brings padding along.
      const [vector] = await encoder.encode(["red cat dog", "red ".repeat(9)]);
      expectVector(vector, expected);
      ids.add(encoder.id);
    }
    expect(ids.size).toBe(4);
  });

  it("refuse an unknown pooling rather than use another", async () => {
    const pooled = join(home, "pooled");
    for (const pooling of [
      { pooling_mode_weightedmean_tokens: true },
      { pooling_mode_cls_token: true, pooling_mode_max_tokens: true },
    ]) {
      writeTinyModel(pooled, { pooling });
      await expect(open(pooled)).rejects.toThrow(/asks for pooling_mode_.*mean, cls, max and last token/);
    }
  });

  it("are the model's own if it returns a vector for the whole text", async () => {
    const whole = join(home, "whole");
    writeTinyModel(whole, { wholeSentence: true });
    const encoder = await open(whole);
    expect(encoder.dimensions).toBe(dimensions);
    const vectors = await encoder.encode(["red cat", "blue dog"]);
    expectVector(vectors[0], meanOf(tokensOf("red cat")));
    expectVector(vectors[1], meanOf(tokensOf("blue dog")));
  });
});

describe("concurrent calls", () => {
  it("each get their own vectors in order", async () => {
    const encoder = await open(folder, { maxBatch: 8 });
    const texts = manyTexts(300);
    const lists = Array.from({ length: 40 }, (_, at) => texts.slice(at * 7, at * 7 + (at % 5) * 5));
    const answers = await Promise.all(lists.map((list) => encoder.encode(list)));
    lists.forEach((list, which) => {
      expect(answers[which]!.length).toBe(list.length);
      list.forEach((text, at) => {
        expectVector(answers[which]![at], meanOf(tokensOf(text)));
      });
    });
  });

  it("are joined into batches, and a long list is split", async () => {
    const asked: number[] = [];
    const watch = (worker: Worker) => {
      const post = worker.postMessage.bind(worker);
      worker.postMessage = (message: { texts?: string[] }) => {
        if (message.texts) {
          asked.push(message.texts.length);
        }
        post(message);
      };
    };
    process.once("worker", watch);
    const encoder = await open(folder, { maxBatch: 10 });
    await Promise.all(manyTexts(7).map((text) => encoder.encode([text])));
    expect(asked).toEqual([7]);
    await encoder.encode(manyTexts(25));
    expect(asked).toEqual([7, 10, 10, 5]);
  });

  it("do not wait for the end of a long list", async () => {
    const encoder = await open(folder, { maxBatch: 4 });
    let listDone = false;
    const list = encoder.encode(manyTexts(2_000)).then(() => {
      listDone = true;
    });
    await encoder.encode(["red"]);
    expect(listDone).toBe(false);
    await list;
  });

  it("may change their list afterwards", async () => {
    const encoder = await open(folder);
    const texts = ["red", "blue"];
    const answer = encoder.encode(texts);
    texts.fill("dog");
    expectVector((await answer)[1], meanOf(tokensOf("blue")));
  });

  it("leave the main thread free", async () => {
    const encoder = await open(folder);
    const texts = new Array<string>(1_500).fill("red green blue cat dog ".repeat(50));
    const before = performance.eventLoopUtilization();
    await encoder.encode(texts);
    const { utilization, active, idle } = performance.eventLoopUtilization(before);
    expect(active + idle).toBeGreaterThan(100);
    expect(utilization).toBeLessThan(0.4);
  });
});

describe("the id", () => {
  it("names the model and the precision, and stays the same", async () => {
    const encoder = await open(folder);
    expect(encoder.id).toMatch(/^transformers-tiny-q8-[0-9a-f]{12}$/);
    expect((await open(folder)).id).toBe(encoder.id);
  });

  it("changes with the weights, even if the file's size stays", async () => {
    const changing = join(home, "changing");
    writeTinyModel(changing);
    const { id } = await open(changing);
    writeTinyModel(changing, { scale: 2 });
    expect((await open(changing)).id).not.toBe(id);
  });

  it("names the precision: q8 if there is one, else fp32, or the requested one", async () => {
    const several = join(home, "several");
    writeTinyModel(several, { onnx: ["model", "model_quantized", "model_fp16"] });
    expect((await open(several)).id).toContain("-q8-");
    expect((await open(several, { dtype: "fp16" })).id).toContain("-fp16-");
    writeTinyModel(several, { onnx: ["model"] });
    const encoder = await open(several);
    expect(encoder.id).toContain("-fp32-");
    expectVector((await encoder.encode(["cat"]))[0], meanOf(tokensOf("cat")));
    await expect(open(several, { dtype: "q4" })).rejects.toThrow("it has no onnx/model_q4.onnx");
  });
});

describe("the end", () => {
  it("rejects waiting and later calls, and can be repeated", async () => {
    const encoder = await open(folder, { maxBatch: 2 });
    const waiting = encoder.encode(manyTexts(5_000));
    const closing = encoder.close();
    await expect(waiting).rejects.toThrow(/tiny is closed/);
    await closing;
    await encoder.close();
    await expect(encoder.encode(["red"])).rejects.toThrow(/tiny is closed/);
  });

  it("of a worker that dies rejects waiting and later calls", async () => {
    let worker: Worker | undefined;
    process.once("worker", (started: Worker) => {
      worker = started;
    });
    const encoder = await open(folder);
    const ended = new Promise<void>((resolve) => worker!.once("exit", () => resolve()));
    // Asked to end without the encoder's knowledge, it exits as after a crash, but does not interrupt ONNX Runtime.
    worker!.postMessage({ kind: "end" });
    const waiting = encoder.encode(["red"]);
    await expect(waiting).rejects.toThrow(/tiny has stopped: its worker thread exited with status 0/);
    await ended;
    await expect(encoder.encode(["red"])).rejects.toThrow(/has stopped/);
    await encoder.close();
  });

  it("of a worker by an error rejects with that error", async () => {
    let worker: Worker | undefined;
    process.once("worker", (started: Worker) => {
      worker = started;
    });
    const encoder = await open(folder);
    // A message that it cannot read makes it throw.
    worker!.postMessage(null);
    await expect(encoder.encode(["red"])).rejects.toThrow(/tiny has stopped: Cannot read properties of null/);
  });
});

describe("a missing model", () => {
  const remedy = /Set MODELSCOUT_ENCODER to bundled, to a folder with .* or to the id of a transformers\.js model/;

  it("is reported with the folder that was tried", async () => {
    for (const model of ["./nowhere", "/no/such/folder", "", "https://huggingface.co/owner/model"]) {
      const error: Error = await open(model, { hubUrl: "http://127.0.0.1:1" }).catch((caught) => caught);
      expect(error.message).toMatch(/cannot be opened: there is no folder \//);
      expect(error.message).toMatch(remedy);
    }
  });

  it("is reported with the files that a folder lacks", async () => {
    const half = join(home, "half");
    writeTinyModel(half);
    rmSync(join(half, "tokenizer.json"));
    await expect(open(half)).rejects.toThrow(
      /loading it from the folder .*half failed: it has no tokenizer\.json\. Set/,
    );
    writeTinyModel(half, { onnx: ["model_other"] });
    await expect(open(half)).rejects.toThrow("it has no onnx/model_quantized.onnx and no onnx/model.onnx");
  });

  it("is reported when its files are broken", async () => {
    const broken = join(home, "broken");
    writeTinyModel(broken);
    truncateSync(join(broken, "onnx", "model_quantized.onnx"), 100);
    await expect(open(broken)).rejects.toThrow(remedy);
    // Weights that should be in a file beside the ONNX file.
    writeTinyModel(broken, { config: { "transformers.js_config": { use_external_data_format: true } } });
    await expect(open(broken)).rejects.toThrow(/model_quantized\.onnx_data.*Set MODELSCOUT_ENCODER/);
  });

  it("is reported when the machine is offline", async () => {
    const cacheDir = join(home, "cache-offline");
    const error: Error = await open("owner/tiny", { hubUrl: "http://127.0.0.1:1", cacheDir }).catch((caught) => caught);
    expect(error.message).toContain('The encoder "owner/tiny" cannot be opened');
    expect(error.message).toContain(`${join(cacheDir, "owner", "tiny")} holds no complete copy`);
    expect(error.message).toMatch(/http:\/\/127\.0\.0\.1:1 cannot be reached \(.+\); this machine may be offline/);
    expect(error.message).toMatch(remedy);
  });

  it("refuses invalid options", async () => {
    await expect(open(folder, { dtype: "q9" as "q8" })).rejects.toThrow('dtype is "q9"; it must be one of fp32,');
    await expect(open(folder, { maxTokens: 0 })).rejects.toThrow("maxTokens is 0");
    await expect(open(folder, { maxBatch: 1.5 })).rejects.toThrow("maxBatch is 1.5");
  });
});

describe("a hub", () => {
  const repositories = join(home, "repositories");

  it("is asked once; later the cache is enough", async () => {
    writeTinyModel(join(repositories, "owner", "tiny"), { onnx: ["model"] });
    const hub = await startModelHub(repositories);
    const options = { hubUrl: `${hub.url}/`, cacheDir: join(home, "cache") };
    const first = await open("owner/tiny", options);
    const [vector] = await first.encode(["red cat"]);
    expectVector(vector, meanOf(tokensOf("red cat")));
    expect(first.id).toMatch(/^transformers-owner\/tiny-fp32-/);
    expect(existsSync(join(options.cacheDir, "owner", "tiny", "onnx", "model.onnx"))).toBe(true);

    const asked = hub.requests.length;
    expect(hub.requests).toContain("200 /owner/tiny/resolve/main/tokenizer.json");
    await open("owner/tiny", options);
    expect(hub.requests.slice(asked)).toEqual([]);

    await hub.close();
    const later = await open("owner/tiny", options);
    expect(later.id).toBe(first.id);
    expectVector((await later.encode(["red cat"]))[0], [...vector!]);
  });

  it("is asked for the pooling too", async () => {
    writeTinyModel(join(repositories, "owner", "pooled"), { pooling: { pooling_mode_cls_token: true } });
    const hub = await startModelHub(repositories);
    const options = { hubUrl: hub.url, cacheDir: join(home, "cache") };
    const first = await open("owner/pooled", options);
    await hub.close();
    for (const encoder of [first, await open("owner/pooled", options)]) {
      expectVector((await encoder.encode(["red cat"]))[0], unit(rowOf(2)));
    }
  });

  it("is the one that MODELSCOUT_HUB_URL names, for a service too", async () => {
    writeTinyModel(join(repositories, "owner", "served"));
    const hub = await startModelHub(repositories);
    const env = { MODELSCOUT_ENCODER: "owner/served", MODELSCOUT_HUB_URL: hub.url };
    const { inventory, home: served } = await startApp({ records: [], env });
    expect(inventory.encoder.id).toMatch(/^transformers-owner\/served-/);
    expect(hub.requests).toContain("200 /owner/served/resolve/main/tokenizer.json");
    expect(existsSync(join(served, "encoders", "owner", "served", "tokenizer.json"))).toBe(true);
    await hub.close();
  });

  it("that lacks the model or its weights is named in the error", async () => {
    writeTinyModel(join(repositories, "owner", "weightless"), { onnx: ["model_other"] });
    const hub = await startModelHub(repositories);
    const options = { hubUrl: hub.url, cacheDir: join(home, "cache") };
    const absent: Error = await open("owner/absent", options).catch((caught) => caught);
    expect(absent.message).toContain(`downloading it from ${hub.url} failed`);
    expect(absent.message).toContain("there is no such model, or it is not public");
    await expect(open("owner/weightless", options)).rejects.toThrow(
      "it has no onnx/model_quantized.onnx and no onnx/model.onnx",
    );
    await hub.close();
  });
});

describe("openEncoder", () => {
  const script = (name: string) => new URL(`support/${name}.ts`, import.meta.url).pathname;
  const run = (encoder: string) => {
    const args = ["--import", script("trace-imports"), script("open-and-encode"), encoder];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", timeout: 60_000 });
    const loads = new Set(stderr.split("\n").filter((line) => /^(main|worker) loads /.test(line)));
    return { status, stdout, stderr, loads };
  };

  it("bundled: loads no package at all", () => {
    const { status, stdout, stderr, loads } = run("bundled");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(/^static-\S+ \d+\n$/);
    expect([...loads]).toEqual([]);
  });

  it("a model: loads transformers.js only in the worker, and does not keep the process alive", () => {
    const { status, stdout, loads } = run(folder);
    expect(status).toBe(0);
    expect(stdout).toMatch(new RegExp(`^transformers-${basename(folder)}-q8-\\S+ ${dimensions}\n$`));
    expect([...loads].filter((line) => line.startsWith("main"))).toEqual([]);
    expect(loads).toContain("worker loads @huggingface/transformers");
    expect(loads).toContain("worker loads onnxruntime-node");
  });
});
