import {
  create,
  type DescMessage,
  type DescMethodUnary,
  fromJson,
  type JsonObject,
  type JsonValue,
  type MessageShape,
  toJson,
} from "@bufbuild/protobuf";
import { keyHeader } from "../service/keys.ts";
import type { Client } from "./client.ts";
import { type HttpAnswer, type HttpRequest, h2Client, sendHttp1 } from "./http.ts";
import { detailRegistry, ReceivedError } from "./received-error.ts";

/** The documented path of each method, and what of its request goes there. Written by hand: the contract, not the code. */
const paths: Readonly<Record<string, (request: JsonObject) => HttpRequest>> = {
  Recommend: (body) => post("/models/recommend", body),
  BatchRecommend: (body) => post("/models/recommend:batch", body),
  QuickRecommend: (query) => get("/models/recommend", query),
  GetUsage: (query) => get("/models/usage", query),
  ListFamilies: (query) => get("/models/families", query),
  ListTasks: (query) => get("/models/tasks", query),
  ListFamilyModels: ({ family = "", ...query }) => get(`/models/family/${encodeURIComponent(family as string)}`, query),
  ListTaskModels: ({ task = "", ...query }) => get(`/models/task/${encodeURIComponent(task as string)}`, query),
  SearchModels: (query) => get("/models/search", query),
  GetModel: ({ model_name: name = "" }) => get(`/models/detail/${encodeURIComponent(name as string)}`),
  CompareModels: (query) => get("/models/compare", query),
  EstimateHardware: (body) => post("/models/estimate", body),
  PlanHardware: (body) => post("/models/hardware", body),
  CreateInterest: ({ interest = {}, ...query }) => post(withQuery("/models/interests", query), interest as JsonObject),
  ListInterests: (query) => get("/models/interests", query),
  GetInterest: ({ id = "" }) => get(`/models/interests/${id}`),
  UpdateInterest: ({ interest = {}, ...query }) => {
    const { id = "", ...body } = interest as JsonObject;
    return { ...post(withQuery(`/models/interests/${id}`, query), body), method: "PATCH" };
  },
  DeleteInterest: ({ id = "" }) => ({ method: "DELETE", path: `/models/interests/${id}` }),
  PreviewInterest: ({ id = "", interest, ...query }) =>
    interest === undefined
      ? get(`/models/interests/${id}:preview`, query)
      : post(withQuery("/models/interests:preview", query), interest as JsonObject),
  ListMatches: (query) => get("/models/matches", query),
  CreateWebhook: ({ webhook = {}, ...query }) => post(withQuery("/models/webhooks", query), webhook as JsonObject),
  ListWebhooks: (query) => get("/models/webhooks", query),
  GetWebhook: ({ id = "" }) => get(`/models/webhooks/${id}`),
  UpdateWebhook: ({ webhook = {}, ...query }) => {
    const { id = "", ...body } = webhook as JsonObject;
    return { ...post(withQuery(`/models/webhooks/${id}`, query), body), method: "PATCH" };
  },
  DeleteWebhook: ({ id = "" }) => ({ method: "DELETE", path: `/models/webhooks/${id}` }),
  RotateSecret: ({ id = "" }) => post(`/models/webhooks/${id}:rotateSecret`, {}),
  TestWebhook: ({ id = "" }) => post(`/models/webhooks/${id}:test`, {}),
  ListDeliveries: ({ webhook_id: id = "", ...query }) => get(`/models/webhooks/${id}/deliveries`, query),
  Redeliver: ({ webhook_id: webhookId = "", id = "" }) =>
    post(`/models/webhooks/${webhookId}/deliveries/${id}:redeliver`, {}),
  CreateBatch: ({ batch = {}, ...query }) => post(withQuery("/models/batches", query), batch as JsonObject),
  ListBatches: (query) => get("/models/batches", query),
  GetBatch: ({ id = "" }) => get(`/models/batches/${encodeURIComponent(id as string)}`),
  CancelBatch: ({ id = "" }) => post(`/models/batches/${encodeURIComponent(id as string)}:cancel`, {}),
  ListBatchResults: ({ batch_id: id = "", ...query }) =>
    get(`/models/batches/${encodeURIComponent(id as string)}/results`, query),
};

/** Calls by the documented paths, with fetch over HTTP/1.1 or node:http2 over cleartext HTTP/2. */
export function restClient(
  url: string,
  { http2, headers = keyHeader(url) }: { http2: boolean; headers?: Readonly<Record<string, string>> },
): Client {
  const send = http2 ? h2Client(url) : (request: HttpRequest) => sendHttp1(url, request);
  return {
    name: `REST over ${http2 ? "h2c" : "HTTP/1.1"}`,
    protocol: "rest",
    spelling: "proto",
    async call(method, request) {
      const call = restRequest(method, create(method.input, request));
      return readRest(method.output, await send({ ...call, headers: { ...call.headers, ...headers } }));
    },
  };
}

/** The request by the documented path of a method. */
export function restRequest<I extends DescMessage>(method: DescMethodUnary<I>, request: MessageShape<I>): HttpRequest {
  const json = toJson(method.input, request, { useProtoFieldName: true }) as JsonObject;
  const path = paths[method.name];
  if (path === undefined) {
    throw new Error(`no path is known for ${method.name}`);
  }
  return path(json);
}

function readRest<O extends DescMessage>(output: O, { status, text }: HttpAnswer): MessageShape<O> {
  if (status !== 200) {
    throw restError({ status, text });
  }
  return fromJson(output, JSON.parse(text), { registry: detailRegistry });
}

/** The error that a REST answer tells. */
export function restError({ status, text }: Pick<HttpAnswer, "status" | "text">): ReceivedError {
  const { error } = JSON.parse(text) as {
    error: { code: number; status: string; message: string; details: JsonObject[] };
  };
  if (error.code !== status) {
    throw new Error(`status ${status}, but the body says ${error.code}`);
  }
  const details = error.details.map(({ "@type": type, ...json }) => {
    return { type: (type as string).replace("type.googleapis.com/", ""), json };
  });
  return new ReceivedError(error.status, error.message, details);
}

function get(path: string, query: JsonObject = {}): HttpRequest {
  return { method: "GET", path: withQuery(path, query) };
}

function withQuery(path: string, query: JsonObject): string {
  const parameters = queryParameters(query);
  return parameters.length === 0 ? path : `${path}?${new URLSearchParams(parameters)}`;
}

function post(path: string, body: JsonObject): HttpRequest {
  return { method: "POST", path, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

/** A message's fields are parameters such as `device.gpu_name`. */
function queryParameters(query: JsonObject, prefix = ""): [string, string][] {
  return Object.entries(query).flatMap(([name, value]) => {
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return queryParameters(value, `${prefix}${name}.`);
    }
    const values: JsonValue[] = Array.isArray(value) ? value : [value];
    return values.map((v): [string, string] => [`${prefix}${name}`, String(v)]);
  });
}
