import { afterEach, expect, it, vi } from "vitest";
import { InventoryService } from "../../../gen/modelscout/v1/inventory_pb.ts";
import { huggingFaceSource } from "../../../src/sources/huggingface/huggingface.ts";
import { syncSource } from "../../../src/sync/sync-source.ts";
import { grpcJsClient } from "../../support/clients/grpc-js.ts";
import type { ReceivedError } from "../../support/clients/received-error.ts";
import { startModelHub, type WireModel } from "../../support/servers/model-hub-server.ts";
import { startApp } from "../../support/service/start-app.ts";

const DAY_MS = 86_400_000;
const kept = "acme/swift-8b-instruct";
const dropped = "acme/swift-8b-chat";

const wireModel = (id: string): WireModel => ({
  id,
  pipeline_tag: "text-generation",
  tags: ["license:mit"],
  downloads: 10,
  sha: id,
  lastModified: "2026-05-01T10:00:00.000Z",
  safetensors: { parameters: { BF16: 8_190_735_360 } },
});
const hub = await startModelHub([wireModel(kept), wireModel(dropped)]);
const { url, database } = await startApp({ records: [] });
const client = grpcJsClient(url);
// In this process, whose time can be set.
const sync = () => syncSource(database, huggingFaceSource({ hubUrl: hub.url, cards: 0 }));
const estimate = (more: { parameters?: number } = {}) =>
  client.call(InventoryService.method.estimateHardware, { modelName: dropped, quantization: "Q4_K_M", ...more });

afterEach(() => {
  vi.useRealTimers();
});

it("estimates a model that its source dropped for a week, and then never suggests it for itself", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  expect(await sync()).toMatchObject({ outcome: "done", added: 2 });
  const first = await estimate();
  hub.models.delete(dropped);
  expect(await sync()).toMatchObject({ vanished: 1, removed: 0 });
  expect((await estimate()).memoryGb).toBeCloseTo(first.memoryGb, 6);

  vi.setSystemTime(Date.now() + 8 * DAY_MS);
  expect(await sync()).toMatchObject({ removed: 1 });
  const error: ReceivedError = await estimate().then(
    () => Promise.reject(new Error("it was answered")),
    (received) => received,
  );
  expect(error.code).toBe("NOT_FOUND");
  const [, nearest = ""] = error.message.split("the nearest names: ");
  expect(nearest).toContain(kept);
  expect(nearest).not.toContain(dropped);
  // With its size it is a model of the caller's own.
  expect((await estimate({ parameters: 8_190_735_360 })).memoryGb).toBeCloseTo(first.memoryGb, 6);
});
