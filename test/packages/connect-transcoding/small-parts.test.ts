import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isJsonType } from "../../../packages/connect-transcoding/src/request/bind-request.ts";
import { splitJson } from "../../../packages/connect-transcoding/src/request/message-stream.ts";
import { prefersEvents } from "../../../packages/connect-transcoding/src/serve/events.ts";
import { deadlineHeader } from "../../../packages/connect-transcoding/src/serve/headers.ts";
import { rawTarget } from "../../../packages/connect-transcoding/src/transcoder.ts";
import { nearestName } from "../../../packages/connect-transcoding/src/validation/field-names.ts";

describe("deadlineHeader", () => {
  it("turns gRPC's units into milliseconds", () => {
    expect(["1H", "2M", "3S", "4m", "1500u", "1n", "99999999H"].map(deadlineHeader)).toEqual([
      "3600000",
      "120000",
      "3000",
      "4",
      "2",
      "1",
      "2147483647",
    ]);
  });

  it.each(["", "1", "S", "1s", "-1S", "1.5S", "999999999S", "1 S"])("refuses %j", (text) => {
    expect(() => deadlineHeader(text)).toThrow("grpc-timeout");
  });
});

describe("nearestName", () => {
  it("finds typing errors and other spellings, and nothing far-fetched", () => {
    const names = ["max_latency_ms", "license", "task"];
    expect(nearestName("maxLatencyMs", names)).toBe("max_latency_ms");
    expect(nearestName("licence", names)).toBe("license");
    expect(nearestName("tsak", names)).toBe("task");
    expect(nearestName("tasks", names)).toBe("task");
    expect(nearestName("q", names)).toBeUndefined();
    expect(nearestName("x".repeat(100_000), names)).toBeUndefined();
  });
});

describe("prefersEvents", () => {
  it.each([
    [undefined, false],
    ["*/*", false],
    ["text/event-stream", true],
    ["text/event-stream, */*", true],
    ["Text/Event-Stream;q=0.9, application/json;q=0.5", true],
    ["text/event-stream, application/json", true],
    ["application/json, text/event-stream", false],
    ["text/html, text/event-stream, */*;q=0.1", true],
    ["text/event-stream;q=0.9, application/json;q=0.5", true],
    ["text/event-stream;q=0.1, application/x-ndjson", false],
    ["text/event-stream;q=0", false],
    ["text/event-stream; charset=utf-8", true],
    ["text/event-stream;charset=utf-8;q=0.1, application/json", false],
    ['text/event-stream; a="b, c; q=0"; q="0.9", application/json; q=0.5', true],
    ['application/json; charset=utf-8; Q=0.5, text/event-stream; a="\\"', true],
  ])("of %j is %s", (accept, wanted) => {
    expect(prefersEvents(accept)).toBe(wanted);
  });
});

describe("isJsonType", () => {
  it.each(["application/json", "Application/JSON; charset=utf-8", "application/merge-patch+json"])(
    "accepts %s",
    (type) => {
      expect(isJsonType(type)).toBe(true);
    },
  );
  it.each(["", "text/json", "text/plain", "application/xml", "application/jsonp", "multipart/form-data"])(
    "refuses %j",
    (type) => {
      expect(isJsonType(type)).toBe(false);
    },
  );
});

describe("rawTarget", () => {
  it("splits and never decodes", () => {
    expect(rawTarget("/a%2Fb?c=%20?d", "")).toEqual({ path: "/a%2Fb", query: "c=%20?d" });
    expect(rawTarget("/api/v1/x", "/api")).toEqual({ path: "/v1/x", query: "" });
    expect(rawTarget("http://host:1/v1/x?y", "")).toEqual({ path: "/v1/x", query: "y" });
  });
});

describe("splitJson", () => {
  async function split(text: string, sizes: number[], maxBytes = 1000): Promise<string[]> {
    const bytes = Buffer.from(text);
    async function* chunks() {
      let position = 0;
      for (let i = 0; position < bytes.length; i++) {
        const size = sizes[i % sizes.length]!;
        yield bytes.subarray(position, position + size);
        position += size;
      }
    }
    const values: string[] = [];
    for await (const value of splitJson(chunks(), maxBytes, () => new Error("too long"))) {
      values.push(Buffer.from(value).toString("utf8").trim());
    }
    return values;
  }

  it("finds values in any chunks", async () => {
    const value = fc.jsonValue({ maxDepth: 2 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(value, { maxLength: 5 }),
        fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1 }),
        fc.constantFrom("\n", "\r\n", "  \n\n", " "),
        async (values, sizes, separator) => {
          const texts = values.map((each) => JSON.stringify(each));
          expect(await split(texts.join(separator), sizes, 100_000)).toEqual(texts);
        },
      ),
    );
  });

  it("passes on text that is not JSON", async () => {
    expect(await split('{"a":1}\n{"b":', [3])).toEqual(['{"a":1}', '{"b":']);
    expect(await split("}} x", [1])).toEqual(["}", "}", "x"]);
  });

  it("limits the size of a value", async () => {
    await expect(split(`"${"x".repeat(5000)}"`, [100])).rejects.toThrow("too long");
    // However it is split into chunks.
    await expect(split(`"${"x".repeat(1100)}"`, [900])).rejects.toThrow("too long");
    await expect(split(`"${"x".repeat(1100)}"`, [5000])).rejects.toThrow("too long");
  });
});
