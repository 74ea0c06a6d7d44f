import { describe, expect, it } from "vitest";
import { InventoryService } from "../../../gen/modelscout/v1/inventory_pb.ts";
import type { SourceRecord } from "../../../src/inventory/facts/record.ts";
import { allClients } from "../../support/clients/clients.ts";
import { sendHttp1 } from "../../support/clients/http.ts";
import type { ReceivedError } from "../../support/clients/received-error.ts";
import { startApp } from "../../support/service/start-app.ts";

const records: SourceRecord[] = [
  {
    name: "acme/large",
    task_types: ["text-generation"],
    parameters: 32.8e9,
    size_gb: 65.5,
    variants: [
      { quantization: "bf16", size_gb: 65.5 },
      { quantization: "Q4_K_M", format: "gguf", size_gb: 19.8 },
    ],
  },
  { name: "acme/secret", task_types: ["text-generation"] },
  { name: "acme/encoder", task_types: ["feature-extraction"], parameters: 1e8, size_gb: 0.4 },
];
const { url } = await startApp({ records });
const clients = allClients(url);
const client = clients[0]!;
const { planHardware, estimateHardware } = InventoryService.method;
type Request = Parameters<typeof client.call<typeof planHardware.input, typeof planHardware.output>>[1];

const refusal = (request: Request, by = client): Promise<ReceivedError> =>
  by.call(planHardware, request).then(
    () => Promise.reject(new Error("it was answered")),
    (error) => error,
  );

describe.each(clients.map((each) => [each.name, each] as const))("PlanHardware by %s", (_name, each) => {
  it("lists devices with fit, speed and price, beside today's device and the classes", async () => {
    const device = { gpuName: "RTX 3060", systemMemoryGb: 64 };
    const request = {
      modelName: "acme/large",
      contextLength: 16_384,
      cacheType: "q8_0",
      minTokensPerSecond: 30,
      device,
    };
    const { options, today, classes, basis } = await each.call(planHardware, request);
    expect(options[0]).toMatchObject({ device: expect.any(String), kind: "gpu", meetsSpeed: true });
    expect(options[0]?.price).toMatchObject({ currency: "USD", asOf: expect.stringMatching(/^20\d\d-\d\d$/) });
    for (const { estimate } of options) {
      expect(estimate?.tokensPerSecond?.likely).toBeGreaterThanOrEqual(30);
      expect(estimate?.basis).toEqual([]);
    }
    expect(today).toMatchObject({ device: "RTX 3060", deviceCount: 1, memoryGb: 12, meetsSpeed: false });
    expect(classes.map((one) => one.device)).toEqual(["cpu", "gpu-8gb", "gpu-24gb", "apple-silicon"]);
    expect(basis.length).toBeGreaterThan(3);
  });

  it("tells everything that is wrong at once", async () => {
    const { code, violations } = await refusal(
      {
        parameters: -1,
        contextLength: 0,
        cacheType: "q4",
        minTokensPerSecond: 0,
        maxDevices: 9,
        device: { class: "gpu-8g", gpuCount: 99 },
      },
      each,
    );
    expect(code).toBe("INVALID_ARGUMENT");
    const all = violations.join("\n");
    for (const text of [
      "parameters: must be above 0",
      "must be a whole number from 1 to 100000000",
      "did you mean q4_",
      "must be above 0 and at most 1000000",
      "must be a whole number from 1 to 8",
      "did you mean gpu-8gb?",
      "must be a whole number from 1 to 16",
    ]) {
      expect(all).toContain(text);
    }
  });
});

describe("PlanHardware", () => {
  it("estimates each option as EstimateHardware does", async () => {
    const { options } = await client.call(planHardware, { modelName: "acme/large", quantization: "Q4_K_M" });
    const [first, ...others] = options.filter(({ kind, deviceCount }) => kind === "gpu" && deviceCount > 1);
    expect(others.length).toBeGreaterThan(0);
    const alone = await client.call(estimateHardware, {
      modelName: "acme/large",
      quantization: "Q4_K_M",
      hardware: { gpuName: first?.device, gpuCount: first?.deviceCount, memoryGb: first?.memoryGb },
    });
    expect(first?.estimate).toMatchObject({ ...alone, basis: [] });
  });

  it("plans for figures without a name, and needs one of them", async () => {
    const { options } = await client.call(planHardware, { parameters: 8e9 });
    expect(options[0]).toMatchObject({ priceClass: "up-to-500", estimate: { quantization: "Q4_K_M" } });
    expect(await refusal({ contextLength: 0 })).toMatchObject({ fields: ["context_length", "model_name"] });
  });

  it("names what is missing for an unknown model, an unknown size, and a speed that does not exist", async () => {
    expect(await refusal({ modelName: "acme/larg" })).toMatchObject({
      code: "NOT_FOUND",
      message: expect.stringContaining("the nearest names: acme/large"),
    });
    expect(await refusal({ modelName: "acme/secret" })).toMatchObject({ fields: ["parameters"] });
    expect(await refusal({ modelName: "acme/encoder", minTokensPerSecond: 5 })).toMatchObject({
      fields: ["min_tokens_per_second"],
    });
  });

  it("leaves out of its REST answer what is unknown, and is not counted", async () => {
    const { text, headers } = await sendHttp1(url, {
      method: "POST",
      path: "/models/hardware",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model_name: "acme/large", quantization: "bf16", min_tokens_per_second: 20 }),
    });
    expect(headers).not.toHaveProperty("ratelimit");
    const { options, today } = JSON.parse(text);
    expect(today).toBeUndefined();
    const server = options.find(({ device }: { device: string }) => device === "H100");
    expect(server).toMatchObject({ meets_speed: true });
    expect(server).not.toHaveProperty("price");
    expect(server).not.toHaveProperty("price_class");
  });
});
