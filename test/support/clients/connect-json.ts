import { create, fromJson, type JsonObject, toJsonString } from "@bufbuild/protobuf";
import type { Client } from "./client.ts";
import { type HttpAnswer, sendHttp1 } from "./http.ts";
import { detailRegistry, ReceivedError } from "./received-error.ts";

/** Calls over Connect's unary JSON protocol with nothing but fetch. */
export function connectJsonClient(url: string, headers: Readonly<Record<string, string>>): Client {
  return {
    name: "Connect JSON by fetch",
    protocol: "connect",
    spelling: "camel",
    async call(method, request) {
      const answer = await sendHttp1(url, {
        method: "POST",
        path: `/${method.parent.typeName}/${method.name}`,
        headers: { "content-type": "application/json", "connect-protocol-version": "1", ...headers },
        body: toJsonString(method.input, create(method.input, request)),
      });
      if (answer.status !== 200) {
        throw connectError(answer);
      }
      return fromJson(method.output, JSON.parse(answer.text), { registry: detailRegistry });
    },
  };
}

/** The error that a unary Connect answer tells. */
export function connectError({ text }: Pick<HttpAnswer, "text">): ReceivedError {
  const {
    code,
    message,
    details = [],
  } = JSON.parse(text) as {
    code: string;
    message: string;
    details?: Array<{ type: string; value: string; debug?: JsonObject }>;
  };
  const sent = details.map(({ type, value }) => ({ type, bytes: Buffer.from(value, "base64") }));
  return new ReceivedError(code.toUpperCase(), message, sent);
}
