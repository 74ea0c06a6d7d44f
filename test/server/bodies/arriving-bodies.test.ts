import { once } from "node:events";
import { request as http1Request, type IncomingMessage } from "node:http";
import { connect } from "node:http2";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { startApp } from "../../support/service/start-app.ts";

const { url } = await startApp({ records: [], env: { MODELSCOUT_BURST: "off" } });

const recommend = "/modelscout.v1.RecommendationService/Recommend";
const watch = "/grpc.health.v1.Health/Watch";
const json = "application/json";

/** The beginning of a body. The rest never comes. */
const jsonPart = Buffer.from('{"description": "write');
/** The head of a frame of 100 bytes, and one of them. */
const framePart = Buffer.from([0, 0, 0, 0, 100, 10]);

interface Upload {
  path: string;
  headers: Record<string, string>;
  part: Uint8Array;
}

interface Answer {
  status: number;
  /** The status of gRPC, where there is one. */
  grpcStatus: string | undefined;
  body: string;
}

/** Sends a part of a body over HTTP/1.1, and reads the answer. */
async function uploadOverHttp1({ path, headers, part }: Upload): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const length = { "content-length": "120" };
  const sent = http1Request({ hostname, port, path, method: "POST", headers: { ...length, ...headers }, agent: false });
  onTestFinished(() => void sent.destroy());
  sent.write(part);
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  const body = await text(answer);
  return { status: answer.statusCode as number, grpcStatus: answer.headers["grpc-status"] as string | undefined, body };
}

/** Sends a part of a body over HTTP/2, and reads the answer. */
async function uploadOverHttp2({ path, headers, part }: Upload): Promise<Answer> {
  const session = connect(url).on("error", () => {});
  onTestFinished(() => session.destroy());
  const stream = session.request({ ":method": "POST", ":path": path, ...headers }, { endStream: false });
  let trailers: Record<string, unknown> = {};
  stream.on("trailers", (received) => {
    trailers = received;
  });
  stream.write(part);
  const [header] = (await once(stream, "response")) as [Record<string, unknown>];
  const body = await text(stream);
  const grpcStatus = (trailers["grpc-status"] ?? header["grpc-status"]) as string | undefined;
  return { status: header[":status"] as number, grpcStatus, body };
}

describe("A body that is still arriving at its caller's deadline is no longer waited for", () => {
  const rest = {
    path: "/models/recommend",
    headers: { "content-type": json, "connect-timeout-ms": "200" },
    part: jsonPart,
  };
  const connectCall = { ...rest, path: recommend };
  const grpc = { "content-type": "application/grpc", te: "trailers", "grpc-timeout": "200m" };
  const grpcWeb = { "content-type": "application/grpc-web+proto", "grpc-timeout": "200m" };

  it.each([
    ["REST", uploadOverHttp1, rest],
    ["REST over HTTP/2", uploadOverHttp2, rest],
    ["Connect", uploadOverHttp1, connectCall],
    ["Connect over HTTP/2", uploadOverHttp2, connectCall],
  ])("over %s", async (_protocol, upload, call) => {
    expect(await upload(call)).toMatchObject({ status: 504, body: expect.stringContaining("its deadline of 200 ms") });
  });

  it.each([
    ["a call over gRPC", { path: recommend, headers: grpc, part: framePart }],
    ["a stream over gRPC", { path: watch, headers: grpc, part: framePart }],
  ])("of %s", async (_what, call) => {
    expect(await uploadOverHttp2(call)).toMatchObject({ status: 200, grpcStatus: "4" });
  });

  it("over gRPC-Web", async () => {
    const { status, body } = await uploadOverHttp1({ path: recommend, headers: grpcWeb, part: framePart });
    expect(status).toBe(200);
    expect(body).toContain("grpc-status: 4");
  });
});
