import { Code, ConnectError, createRouterTransport, type ServiceImpl } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { RetryInfoSchema } from "../../../gen/google/rpc/error_details_pb.ts";
import {
  createModelscoutClient,
  InterestService,
  InventoryService,
  type ModelscoutClientOptions,
  ModelscoutError,
  RecommendationService,
} from "../../../packages/client/src/index.ts";

/** An error that asks to be tried again after a delay. */
function later(ms: number, code = Code.Unavailable): ConnectError {
  const retryDelay = { seconds: BigInt(Math.floor(ms / 1_000)), nanos: (ms % 1_000) * 1_000_000 };
  return new ConnectError("later", code, undefined, [{ desc: RetryInfoSchema, value: { retryDelay } }]);
}

/** What `fetch` throws when the connection fails. */
const broken = () =>
  new ConnectError("fetch failed", Code.Unknown, undefined, undefined, new TypeError("fetch failed"));

/** A client whose service fails with these errors in turn, and then answers; and the requests that arrived. */
function failing(errors: readonly ConnectError[], options: ModelscoutClientOptions = {}) {
  const left = [...errors];
  const requests: { requestId?: string }[] = [];
  const answer = (request: object) => {
    requests.push(request);
    const error = left.shift();
    if (error !== undefined) {
      throw error;
    }
    return {};
  };
  const router = createRouterTransport(({ service }) => {
    service(InventoryService, { listFamilies: answer, getModel: answer } as Partial<
      ServiceImpl<typeof InventoryService>
    >);
    service(RecommendationService, { recommend: answer });
    service(InterestService, { createInterest: answer, deleteInterest: answer });
  });
  // The router hides what the errors carry for servers only, so they are thrown again as a broken connection throws.
  const transport = {
    ...router,
    unary: ((...args: Parameters<typeof router.unary>) =>
      router.unary(...args).catch((error: ConnectError) => {
        throw error.rawMessage === "fetch failed" ? broken() : error;
      })) as typeof router.unary,
  };
  return { requests, ...createModelscoutClient({ transport, ...options }) };
}

test("a call that the service asks to repeat is repeated, whatever it does", async () => {
  const { requests, recommendation } = failing([later(1), later(2, Code.ResourceExhausted), later(0)]);
  await recommendation.recommend({ description: "transcribe meetings" });
  expect(requests).toHaveLength(4);
});

test("the number of tries is bounded", async () => {
  const { requests, recommendation } = failing(Array(9).fill(later(1)));
  await expect(recommendation.recommend({ description: "x" })).rejects.toMatchObject({ retryAfterMs: 1 });
  expect(requests).toHaveLength(4);
  const twice = failing(Array(9).fill(later(1)), { retry: { attempts: 2 } });
  await expect(twice.recommendation.recommend({ description: "x" })).rejects.toBeInstanceOf(ModelscoutError);
  expect(twice.requests).toHaveLength(2);
});

test("a call that is to wait too long fails at once", async () => {
  const { requests, recommendation } = failing([later(3_600_000, Code.ResourceExhausted)]);
  await expect(recommendation.recommend({ description: "x" })).rejects.toMatchObject({ retryAfterMs: 3_600_000 });
  expect(requests).toHaveLength(1);
  const timed = failing([later(20_000)], { timeoutMs: 5_000 });
  await expect(timed.recommendation.recommend({ description: "x" })).rejects.toMatchObject({ retryAfterMs: 20_000 });
  expect(timed.requests).toHaveLength(1);
});

test("nothing is repeated without retries", async () => {
  const { requests, inventory } = failing([later(1)], { retry: false });
  await expect(inventory.listFamilies({})).rejects.toBeInstanceOf(ModelscoutError);
  expect(requests).toHaveLength(1);
});

test("after a broken connection, a call that reads is repeated, and one that counts is not", async () => {
  const read = failing([broken(), new ConnectError("no replica", Code.Unavailable)], { retry: { maxDelayMs: 2 } });
  await read.inventory.getModel({ modelName: "a/b" });
  expect(read.requests).toHaveLength(3);
  for (const error of [broken(), new ConnectError("no replica", Code.Unavailable)]) {
    const counted = failing([error]);
    await expect(counted.recommendation.recommend({ description: "x" })).rejects.toMatchObject({ code: error.code });
    expect(counted.requests).toHaveLength(1);
    const deleted = failing([error]);
    await expect(deleted.interest.deleteInterest({ id: "int_1" })).rejects.toMatchObject({ code: error.code });
    expect(deleted.requests).toHaveLength(1);
  }
});

test("a Retry-After of a proxy repeats only calls that do no harm when they are made twice", async () => {
  const busy = () => new ConnectError("busy", Code.Unavailable, { "retry-after": "0" });
  const read = failing([busy()]);
  await read.inventory.getModel({ modelName: "a/b" });
  expect(read.requests).toHaveLength(2);
  for (const error of [busy(), later(1, Code.Internal)]) {
    const counted = failing([error]);
    await expect(counted.recommendation.recommend({ description: "x" })).rejects.toMatchObject({ code: error.code });
    expect(counted.requests).toHaveLength(1);
  }
});

test.each([
  { retry: { attempts: Number.NaN } },
  { retry: { attempts: 0 } },
  { retry: { maxDelayMs: Number.NaN } },
  { timeoutMs: Number.NaN },
  { timeoutMs: -1 },
])("refuses the options %j", (options) => {
  expect(() => createModelscoutClient(options)).toThrow(TypeError);
});

test("a call that creates something is repeated with the same id", async () => {
  const { requests, interest } = failing([broken(), broken()], { retry: { maxDelayMs: 2 } });
  const wanted = { interest: { name: "meetings", description: "transcribe meetings" } };
  await interest.createInterest(wanted);
  expect(new Set(requests.map(({ requestId }) => requestId)).size).toBe(1);
  expect(requests[0]?.requestId).toMatch(/^[0-9a-f]{32}$/);
  await interest.createInterest(wanted);
  expect(requests[3]?.requestId).not.toBe(requests[0]?.requestId);
  await interest.createInterest({ ...wanted, requestId: "mine" });
  expect(requests[4]?.requestId).toBe("mine");
  expect(wanted).not.toHaveProperty("requestId");
});

test("other errors are not repeated", async () => {
  for (const code of [
    Code.InvalidArgument,
    Code.NotFound,
    Code.Internal,
    Code.PermissionDenied,
    Code.DeadlineExceeded,
  ]) {
    const { requests, inventory } = failing([new ConnectError("no", code)]);
    await expect(inventory.listFamilies({})).rejects.toMatchObject({ code });
    expect(requests).toHaveLength(1);
  }
});

test("a caller ends a call while it waits", async () => {
  const { requests, inventory } = failing([later(25_000)]);
  const abort = new AbortController();
  const call = inventory.listFamilies({}, { signal: abort.signal });
  await expect.poll(() => requests).toHaveLength(1);
  abort.abort();
  await expect(call).rejects.toMatchObject({ name: "ModelscoutError", code: Code.Canceled });
  expect(requests).toHaveLength(1);
});
