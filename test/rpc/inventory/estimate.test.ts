import { describe, expect, it } from "vitest";
import { InventoryService } from "../../../gen/modelscout/v1/inventory_pb.ts";
import { grpcJsClient } from "../../support/clients/grpc-js.ts";
import { sendHttp1 } from "../../support/clients/http.ts";
import type { ReceivedError } from "../../support/clients/received-error.ts";
import { startApp } from "../../support/service/start-app.ts";

const { url } = await startApp();
const client = grpcJsClient(url);
const { estimateHardware, getModel } = InventoryService.method;
type Request = Parameters<typeof client.call<typeof estimateHardware.input, typeof estimateHardware.output>>[1];

const estimate = async (request: Request) => {
  const received = await client.call(estimateHardware, request);
  expect(received.memoryGb).toBeCloseTo(received.weightsGb + received.kvCacheGb + received.overheadGb, 6);
  expect(received.basis.length).toBeGreaterThan(0);
  return received;
};
const refusal = (request: Request): Promise<ReceivedError> =>
  client.call(estimateHardware, request).then(
    () => Promise.reject(new Error("it was answered")),
    (error) => error,
  );

describe("EstimateHardware", () => {
  it.each(["cpu", "gpu-8gb", "gpu-24gb", "apple-silicon"])(
    "by class %s says what the model's entry says",
    async (name) => {
      const { hardware } = await client.call(getModel, { modelName: "Qwen/Qwen3-8B" });
      const received = await estimate({ modelName: "Qwen/Qwen3-8B", hardware: { class: name } });
      const inEntry = hardware.find((one) => one.hardware === name);
      expect(received).toMatchObject({ hardware: name, fit: inEntry?.fit, quantization: inEntry?.quantization });
      expect(received.memoryGb).toBeCloseTo(inEntry?.memoryGb ?? Number.NaN, 6);
    },
  );

  it("asks for the parameters of a model whose size is unknown, and takes them", async () => {
    const modelName = "pyannote/speaker-diarization-3.1";
    const { code, fields, violations } = await refusal({ modelName });
    expect({ code, fields }).toEqual({ code: "INVALID_ARGUMENT", fields: ["parameters"] });
    expect(violations.join()).toContain(`how large ${modelName} is`);
    expect((await estimate({ modelName, parameters: 1e7 })).fit).toBe("fits");
  });

  it("shows a card's memory in binary and decimal gigabytes, and never counts more as usable than was given", async () => {
    const { basis } = await estimate({ parameters: 8e9, hardware: { memoryGb: 2_000, memoryBandwidthGbS: 1_000 } });
    expect(basis.join("\n")).toContain("2000 GiB (2150 GB) of memory, 2000 GB usable");
  });

  it("gives the plausible range of a cache whose layout is not known, says so first, and counts the most", async () => {
    const modelName = "deepseek-ai/DeepSeek-V5-Flash";
    const figures = { parameters: 284e9, activeParameters: 13e9, contextLength: 100_000 };
    const unknown = await estimate({ modelName, ...figures });
    expect(unknown.kvCacheGbLow).toBeGreaterThan(0);
    expect(unknown.kvCacheGb / (unknown.kvCacheGbLow ?? 0)).toBeGreaterThan(10);
    expect(unknown.basis[0]).toMatch(
      /^The layout of this model's cache is not known: its generation is newer .* [\d.]+ to [\d.]+ GB is plausible/,
    );
    const known = await estimate({ modelName: "deepseek-ai/DeepSeek-V4-Flash", ...figures });
    expect(known.kvCacheGbLow).toBeUndefined();
    expect(known.kvCacheGb).toBeLessThan(unknown.kvCacheGb);
    expect(known.kvCacheGb).toBeGreaterThan(unknown.kvCacheGbLow ?? 0);
    expect(known.basis[0]).not.toContain("not known");

    const rest = async (body: object) => {
      const headers = { "content-type": "application/json" };
      const sent = { method: "POST", path: "/models/estimate", headers, body: JSON.stringify(body) };
      return JSON.parse((await sendHttp1(url, sent)).text);
    };
    const overRest = await rest({ model_name: modelName, parameters: 284e9, active_parameters: 13e9 });
    expect(overRest.kv_cache_gb_low).toBeLessThan(overRest.kv_cache_gb);
    expect(await rest({ model_name: "Qwen/Qwen3-8B" })).not.toHaveProperty("kv_cache_gb_low");
  });

  it("uses cpu if no hardware is given", async () => {
    expect((await estimate({ parameters: 1e9 })).hardware).toBe("cpu");
    expect((await estimate({ parameters: 1e9, hardware: {} })).hardware).toBe("cpu");
  });

  it("knows graphics cards and chips as people write them", async () => {
    for (const gpuName of [
      "RTX 3060",
      "NVIDIA GeForce RTX 4090",
      "rtx4090",
      "M3 Max",
      "Apple M2 Ultra",
      "RX 7900 XTX",
      "A100 80GB",
    ]) {
      const { tokensPerSecond: speed } = await estimate({
        modelName: "Qwen/Qwen3-8B",
        quantization: "Q4_K_M",
        hardware: { gpuName },
      });
      expect(speed && 0 < speed.low && speed.low <= speed.likely && speed.likely <= speed.high).toBe(true);
    }
  });

  it("names the nearest cards for one that it does not know", async () => {
    const error = await refusal({ parameters: 7e9, hardware: { gpuName: "GTX 3060 Super Duper" } });
    expect(error).toMatchObject({ code: "INVALID_ARGUMENT", fields: ["hardware.gpu_name"] });
    expect(error.violations[0]).toMatch(/3060/);
  });

  it("accepts any card with memory and bandwidth, and prefers figures to names", async () => {
    const unknown = await estimate({
      parameters: 7e9,
      quantization: "Q4_K_M",
      hardware: { gpuName: "Sun 9000", memoryGb: 48, memoryBandwidthGbS: 1_000 },
    });
    expect(unknown.fit).toBe("fits");
    const known = await estimate({ parameters: 30e9, quantization: "Q4_K_M", hardware: { gpuName: "RTX 3060" } });
    const larger = await estimate({
      parameters: 30e9,
      quantization: "Q4_K_M",
      hardware: { gpuName: "RTX 3060", memoryGb: 96 },
    });
    expect([known.fit, larger.fit]).toEqual([expect.stringMatching(/offload|too-large/), "fits"]);
  });

  it("finds a model by its name without the owner, and figures given beside it win", async () => {
    const [whole, short] = [await estimate({ modelName: "Qwen/Qwen3-8B" }), await estimate({ modelName: "qwen3-8b" })];
    expect(short).toEqual(whole);
    const halved = await estimate({ modelName: "Qwen/Qwen3-8B", parameters: 4e9, quantization: "bf16" });
    expect(halved.weightsGb).toBeCloseTo(8, 0);
  });

  it("estimates an unknown model by its figures, and says NOT_FOUND without any", async () => {
    const received = await estimate({ modelName: "nobody/knows-this", parameters: 2e9, quantization: "fp16" });
    expect(received.weightsGb).toBeCloseTo(4, 0);
    const error = await refusal({ modelName: "nobody/knows-this" });
    expect(error).toMatchObject({
      code: "NOT_FOUND",
      details: {
        ErrorInfo: { reason: "MODEL_NOT_FOUND" },
        ResourceInfo: { resourceType: "model", resourceName: "nobody/knows-this" },
      },
    });
    expect(await refusal({ modelName: "  " })).toMatchObject({ code: "INVALID_ARGUMENT", fields: ["model_name"] });
  });

  it("reads an unknown quantization by the bits in its name, and says so", async () => {
    const { basis, weightsGb } = await estimate({ parameters: 8e9, quantization: "ZQ5_XTRA" });
    expect(weightsGb).toBeGreaterThan(4);
    expect(weightsGb).toBeLessThan(7);
    expect(basis.join("\n")).toMatch(/ZQ5_XTRA/i);
  });

  it("treats an unknown engine and processor as generic ones, and says so", async () => {
    const { basis } = await estimate({ parameters: 8e9, engine: "warpdrive", hardware: { cpuName: "Abacus 9" } });
    expect(basis.join("\n")).toMatch(/engine is not listed/);
    expect(basis.join("\n")).toMatch(/Abacus/i);
  });

  it("needs more memory for a longer context, and as much for a mixture of experts, which is faster", async () => {
    const at = (contextLength: number) =>
      estimate({ modelName: "Qwen/Qwen3-8B", quantization: "Q4_K_M", contextLength });
    const [short, long] = [await at(1_024), await at(32_768)];
    expect(long.kvCacheGb).toBeGreaterThan(20 * short.kvCacheGb);
    const [dense, mixture] = [
      await estimate({ parameters: 30e9 }),
      await estimate({ parameters: 30e9, activeParameters: 3e9 }),
    ];
    expect(mixture.weightsGb).toBeCloseTo(dense.weightsGb, 0);
    expect(mixture.tokensPerSecond?.likely).toBeGreaterThan(dense.tokensPerSecond?.likely ?? Number.POSITIVE_INFINITY);
  });

  it("keeps the cache as asked, says so, and names the types for one that it does not know", async () => {
    const at = (cacheType?: string) => estimate({ modelName: "Qwen/Qwen3-8B", quantization: "Q4_K_M", cacheType });
    const [plain, half, quarter] = [await at(), await at("Q8_0"), await at("q4_0")];
    expect(await at("f16")).toMatchObject({ kvCacheGb: plain.kvCacheGb });
    expect(half.kvCacheGb / plain.kvCacheGb).toBeCloseTo(34 / 64, 2);
    expect(quarter.kvCacheGb / plain.kvCacheGb).toBeCloseTo(18 / 64, 2);
    expect(half.basis.join("\n")).toContain("KV cache as q8_0, 1.06 bytes an element");
    const error = await refusal({ parameters: 8e9, cacheType: "q8", contextLength: 0 });
    expect(error.violations).toEqual([
      "context_length: must be a whole number from 1 to 100000000.",
      'cache_type: is "q8"; must be one of f32, f16, bf16, fp8, q8_0, q5_1, q5_0, q4_1, q4_0; did you mean q8_0?',
    ]);
  });

  it("gives the speed for every fit, and the time to the first token if it can", async () => {
    const tooLarge = await estimate({ parameters: 700e9, quantization: "bf16", hardware: { class: "gpu-8gb" } });
    expect(tooLarge.fit).toBe("too-large");
    expect(tooLarge.tokensPerSecond?.likely).toBeGreaterThan(0);
    const [short, long] = [
      await estimate({ parameters: 8e9, promptTokens: 100 }),
      await estimate({ parameters: 8e9, promptTokens: 4_000 }),
    ];
    expect(long.timeToFirstTokenMs).toBeGreaterThan(short.timeToFirstTokenMs ?? Number.POSITIVE_INFINITY);
    expect(short.timeToFirstTokenMsLow).toBeLessThan(short.timeToFirstTokenMs ?? 0);
    expect(short.timeToFirstTokenMsHigh).toBeGreaterThan(short.timeToFirstTokenMs ?? Number.POSITIVE_INFINITY);
  });

  it("reports every violation of the hardware at once", async () => {
    const error = await refusal({
      parameters: 1e9,
      hardware: { gpuCount: 17, memoryGb: -1, memoryBandwidthGbS: 0, systemMemoryGb: Number.NaN },
    });
    expect(error.fields).toEqual([
      "hardware.gpu_count",
      "hardware.memory_bandwidth_gb_s",
      "hardware.memory_gb",
      "hardware.system_memory_gb",
    ]);
    expect(await refusal({ parameters: 1e9, hardware: { class: "cpu", gpuName: "RTX 3060" } })).toMatchObject({
      fields: ["hardware.class"],
    });
    expect(await refusal({ parameters: 1e9, activeParameters: 2e9 })).toMatchObject({ fields: ["active_parameters"] });
  });

  it("prints zero figures over REST and leaves out what has no meaning", async () => {
    const body = JSON.stringify({ model_name: "sentence-transformers/all-MiniLM-L6-v2", hardware: { class: "cpu" } });
    const { text } = await sendHttp1(url, {
      method: "POST",
      path: "/models/estimate",
      headers: { "content-type": "application/json" },
      body,
    });
    const received = JSON.parse(text);
    expect(received).toMatchObject({ hardware: "cpu", fit: "fits", kv_cache_gb: 0 });
    expect(received).not.toHaveProperty("tokens_per_second");
  });
});
