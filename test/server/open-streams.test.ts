import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { describe, expect, it, onTestFinished } from "vitest";
import { ServerReflection } from "../../gen/grpc/reflection/v1/reflection_pb.ts";
import { Health } from "../../gen/health/v1/health_pb.ts";
import { InterestService } from "../../gen/modelscout/v1/interest_pb.ts";
import { ReceivedError } from "../support/clients/received-error.ts";
import { createKey } from "../support/service/create-key.ts";
import { startApp } from "../support/service/start-app.ts";

const { url, home } = await startApp({
  records: [],
  isUnlimited: false,
  env: {
    MODELSCOUT_KEYLESS_STREAMS: "3/5",
    MODELSCOUT_STREAMS: "2/3",
    MODELSCOUT_BURST: "off",
    MODELSCOUT_TRUST_PROXY: "loopback",
  },
});
const transports = [
  ["gRPC", createGrpcTransport({ baseUrl: url })],
  ["gRPC-Web", createGrpcWebTransport({ baseUrl: url, httpVersion: "2" })],
  ["Connect", createConnectTransport({ baseUrl: url, httpVersion: "2" })],
] as const;

let addresses = 0;
/** An address from which nobody called before. */
const newAddress = () => ({ "x-forwarded-for": `203.0.113.${++addresses}` });

/** Waits for the first message of a stream and keeps it open until the test ends. @returns what closes it. */
async function opened(open: (signal: AbortSignal) => AsyncIterable<unknown>): Promise<() => void> {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const messages = open(leaving.signal)[Symbol.asyncIterator]();
  await messages.next();
  // Ends with the signal.
  messages.next().catch(() => {});
  return () => leaving.abort();
}

async function refusal(opening: Promise<unknown>): Promise<unknown> {
  const error = await opening.then(
    () => undefined,
    (thrown: unknown) => ReceivedError.fromConnect(thrown),
  );
  return error && { code: error.code, reason: error.details.ErrorInfo?.reason, message: error.message };
}
const ofAddress = (limit: number) => ({
  code: "RESOURCE_EXHAUSTED",
  reason: "LIMIT_REACHED",
  message: expect.stringContaining(`the limit of ${limit} open streams`),
});
const ofAll = { code: "UNAVAILABLE", reason: "OVERLOADED", message: expect.any(String) };

describe.each(transports)("Streams without a key over %s", (name, transport) => {
  const health = createClient(Health, transport);
  const reflection = createClient(ServerReflection, createGrpcTransport({ baseUrl: url }));
  const watch = (headers: Record<string, string>) =>
    opened((signal) => health.watch({ service: "" }, { headers, signal }));
  const reflect = (headers: Record<string, string>) =>
    opened((signal) =>
      reflection.serverReflectionInfo(
        (async function* () {
          yield { host: "", messageRequest: { case: "listServices" as const, value: "" } };
          // Keeps its side open.
          await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
        })(),
        { headers, signal },
      ),
    );

  it("are bounded by address and in all, and a closed one makes room", async () => {
    const [one, other] = [newAddress(), newAddress()];
    const close = [await watch(one), await watch(one), await reflect(one)];
    expect(await refusal(watch(one))).toEqual(ofAddress(3));
    expect(await refusal(reflect(one))).toEqual(ofAddress(3));
    // What is no stream is answered.
    expect((await health.check({}, { headers: one })).status).toBe(1);
    close.push(await watch(other), await watch(other));
    expect(await refusal(watch(other))).toEqual(ofAll);
    for (const each of close) {
      each();
    }
    const again = async () => ({ name, refused: await refusal(watch(one)) });
    await expect.poll(again, { timeout: 60_000 }).toEqual({ name, refused: undefined });
  });
});

describe("Streams with a key", () => {
  const client = createClient(InterestService, createGrpcTransport({ baseUrl: url }));

  it("are bounded by address and in all, for every caller and over REST too", async () => {
    const keys = await Promise.all([1, 2].map(() => createKey({ home }, { tier: "pro" })));
    const [one, other] = [newAddress(), newAddress()];
    const watch = (headers: Record<string, string>, i: number) =>
      opened((signal) => client.watchMatches({}, { headers: { ...headers, "x-api-key": keys[i] as string }, signal }));
    const restStatus = async (headers: Record<string, string>) => {
      const leaving = new AbortController();
      const answer = await fetch(`${url}/models/matches:watch`, {
        headers: { ...headers, "x-api-key": keys[0] as string, accept: "text/event-stream" },
        signal: leaving.signal,
      });
      leaving.abort();
      return answer.status;
    };
    await watch(one, 0);
    await watch(one, 1);
    expect(await refusal(watch(one, 1))).toEqual(ofAddress(2));
    expect(await restStatus(one)).toBe(429);
    await watch(other, 0);
    expect(await refusal(watch(other, 1))).toEqual(ofAll);
    expect(await restStatus(other)).toBe(503);
  });
});

describe("Reflection", () => {
  const client = createClient(ServerReflection, createGrpcTransport({ baseUrl: url }));

  it("sends no more than 1 MiB of files in a stream", async () => {
    async function* requests() {
      // All of them together are below the 16 KiB that a stream may send.
      for (let i = 0; i < 400; i++) {
        yield {
          host: "",
          messageRequest: { case: "fileContainingSymbol" as const, value: "modelscout.v1.ModelEntry" },
        };
      }
    }
    let bytes = 0;
    const thrown = await (async () => {
      for await (const { messageResponse } of client.serverReflectionInfo(requests(), { headers: newAddress() })) {
        if (messageResponse.case !== "fileDescriptorResponse") {
          throw new Error(`${messageResponse.case}`);
        }
        for (const file of messageResponse.value.fileDescriptorProto) {
          bytes += file.length;
        }
      }
    })().catch((error: unknown) => ConnectError.from(error));
    expect(thrown).toMatchObject({ code: Code.ResourceExhausted });
    expect(bytes).toBeLessThanOrEqual(1024 * 1024);
  });
});
