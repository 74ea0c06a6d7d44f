import { createServer } from "node:net";
import { create, toBinary } from "@bufbuild/protobuf";
import { ConnectError } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { describe, expect, it, onTestFinished } from "vitest";
import { RetryInfoSchema } from "../../../gen/google/rpc/error_details_pb.ts";
import {
  Code,
  createConnectTransport,
  createGrpcWebTransport,
  createModelscoutClient,
  ModelscoutError,
} from "../../../packages/client/src/index.ts";
import { freePort } from "../../support/servers/free-port.ts";
import { startApp } from "../../support/service/start-app.ts";

const { url } = await startApp({
  isUnlimited: false,
  env: { MODELSCOUT_FREE_PER_DAY: "1" },
  // Noon, so that the quota is not renewed during the tests.
  now: () => Date.parse("2026-11-23T12:00:00Z"),
});

const transports = [
  ["Connect", createConnectTransport],
  ["gRPC-Web", createGrpcWebTransport],
  ["gRPC", createGrpcTransport],
] as const;

/** What a call throws. */
async function errorOf(call: Promise<unknown>): Promise<ModelscoutError> {
  const thrown = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(ModelscoutError);
  return thrown as ModelscoutError;
}

describe.each(transports)("an error over %s", (_name, createTransport) => {
  const { inventory, recommendation, batch } = createModelscoutClient({ transport: createTransport({ baseUrl: url }) });

  it("has all invalid fields", async () => {
    const error = await errorOf(recommendation.recommend({ description: "", topK: 99 }));
    expect(error).toMatchObject({
      name: "ModelscoutError",
      code: Code.InvalidArgument,
      reason: "INVALID_REQUEST",
      retryAfterMs: undefined,
      isUnreachable: false,
    });
    expect(error.violations.map(({ field }) => field)).toEqual(["description", expect.stringMatching(/^top_?k$/i)]);
    expect(error.violations[1]?.description).toContain("50");
    expect(error.message).not.toMatch(/^\[/);
  });

  it("has the reason and its facts", async () => {
    const error = await errorOf(inventory.getModel({ modelName: "openai/whisper-tinny" }));
    expect(error).toMatchObject({ code: Code.NotFound, reason: "MODEL_NOT_FOUND", violations: [] });
    expect(error.domain).toMatch(/./);
    expect(error.metadata.nearest).toContain("openai/whisper-tiny");
    expect(error.requestId).toMatch(/^[\w.-]+$/);
    expect(error.cause).toBeInstanceOf(ConnectError);
  });

  it("names the tier that a call needs, for a stream too", async () => {
    const error = await errorOf(Array.fromAsync(batch.streamBatchResults({ batchId: "bat_1" })));
    expect(error).toMatchObject({ code: Code.PermissionDenied, reason: "TIER_TOO_LOW" });
  });

  it("says when the quota is renewed, and is not waited for", async () => {
    await recommendation.recommend({ description: "transcribe meetings" }).catch(() => undefined);
    const error = await errorOf(recommendation.recommend({ description: "transcribe meetings" }));
    expect(error).toMatchObject({ code: Code.ResourceExhausted, reason: "QUOTA_EXHAUSTED" });
    expect(error.retryAfterMs).toBe(43_200_000);
  });

  it("is another for a call that the caller ends", async () => {
    const error = await errorOf(inventory.listFamilies({}, { signal: AbortSignal.abort() }));
    expect(error).toMatchObject({ code: Code.Canceled, isUnreachable: false });
  });

  it("says that nothing answers", async () => {
    const transport = createTransport({ baseUrl: `http://127.0.0.1:${await freePort()}` });
    const client = createModelscoutClient({ transport, retry: false });
    const error = await errorOf(client.inventory.listFamilies({}));
    expect(error).toMatchObject({ reason: undefined, isUnreachable: true });
  });

  it("says that the connection broke", async () => {
    const server = createServer((socket) => socket.once("data", () => socket.destroy()));
    const port = await new Promise<number>((resolve) => {
      server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port));
    });
    onTestFinished(() => void server.close());
    const transport = createTransport({ baseUrl: `http://127.0.0.1:${port}` });
    const client = createModelscoutClient({ transport, retry: false });
    expect(await errorOf(client.inventory.listFamilies({}))).toMatchObject({ reason: undefined, isUnreachable: true });
  });
});

describe("an error that is not from the service", () => {
  it("has the delay of Retry-After", () => {
    const error = new ModelscoutError(new ConnectError("busy", Code.Unavailable, { "retry-after": "7" }));
    expect(error).toMatchObject({ reason: undefined, retryAfterMs: 7_000 });
    const date = new ConnectError("busy", Code.Unavailable, { "retry-after": "Wed, 21 Oct 2026 07:28:00 GMT" });
    expect(new ModelscoutError(date).retryAfterMs).toBeUndefined();
  });

  it("never has a negative delay", () => {
    const value = toBinary(RetryInfoSchema, create(RetryInfoSchema, { retryDelay: { seconds: -5n } }));
    const error = new ConnectError("busy", Code.Unavailable);
    error.details.push({ type: RetryInfoSchema.typeName, value });
    expect(new ModelscoutError(error).retryAfterMs).toBe(0);
  });

  it("is converted from anything", () => {
    expect(ModelscoutError.from("broken")).toMatchObject({ code: Code.Unknown, message: "broken" });
    const error = ModelscoutError.from(new Error("broken"));
    expect(ModelscoutError.from(error)).toBe(error);
  });
});
