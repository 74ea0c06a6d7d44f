import { expect, it } from "vitest";
import { createListener } from "../../../src/server/listener/index.ts";
import { resolveListenerOptions } from "../../../src/server/listener/listener.ts";
import { echo } from "./support/start-listener.ts";

it("has a default for everything but TLS and the numbers of connections", () => {
  const { http2, tls, maxConnections, maxConnectionsPerNetwork, ...rest } = resolveListenerOptions({});
  expect([tls, maxConnections, maxConnectionsPerNetwork]).toEqual([undefined, undefined, undefined]);
  for (const value of [...Object.values(rest), ...Object.values(http2)]) {
    expect(value).toBeDefined();
  }
});

it("reports all faults at once, by name", () => {
  expect(() =>
    createListener(echo, {
      firstByteTimeoutMs: 0,
      keepAliveTimeoutMs: Number.NaN,
      drainTimeoutMs: 2 ** 31,
      http2: { maxConcurrentStreams: 1.5 },
    }),
  ).toThrow(
    /firstByteTimeoutMs .* not 0; keepAliveTimeoutMs .* NaN; drainTimeoutMs .*; http2\.maxConcurrentStreams .* 1\.5$/,
  );
});

it("refuses a header limit above the request's", () => {
  expect(() => createListener(echo, { headersTimeoutMs: 20, requestTimeoutMs: 10 })).toThrow(/must not exceed/);
  expect(() => createListener(echo, { headersTimeoutMs: 20, requestTimeoutMs: 0 })).not.toThrow();
});
