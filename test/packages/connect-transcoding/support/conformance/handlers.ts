import { create, type DescMessage, type DescService, type Message, toJson } from "@bufbuild/protobuf";
import { ConnectError, type ConnectRouter, type HandlerContext, type ServiceImpl } from "@connectrpc/connect";
import { ErrorInfoSchema } from "../../../../../gen/google/rpc/error_details_pb.ts";
import type { Recorder } from "./recorder.ts";

// Messages of descriptors that are known at run time only.
// biome-ignore lint/suspicious/noExplicitAny: the tests know the fields, the compiler cannot
type AnyValue = any;
type AnyMessage = Message & Record<string, AnyValue>;
type Handler = (request: AnyValue, context: HandlerContext) => AnyValue;

/** Replacements for handlers, by RPC name. */
export type HandlerOverrides = Readonly<Record<string, Handler>>;

/** The handlers that the header of the cases describes, recording what they see. */
export function conformanceRoutes(
  service: DescService,
  recorder: Recorder,
  overrides: HandlerOverrides = {},
): (router: ConnectRouter) => void {
  return (router) => {
    const implementation: Record<string, Handler> = {};
    for (const method of service.methods) {
      const handler = overrides[method.name] ?? HANDLERS[method.name]?.(method.output);
      if (handler !== undefined) {
        implementation[method.localName] = record(method.name, method.input, method.methodKind, handler, recorder);
      }
    }
    router.service(service, implementation as unknown as Partial<ServiceImpl<DescService>>);
  };
}

function record(rpc: string, input: DescMessage, kind: string, handler: Handler, recorder: Recorder): Handler {
  const note = (context: HandlerContext) => recorder.call(rpc, context.requestHeader, context.signal);
  if (kind === "client_streaming" || kind === "bidi_streaming") {
    return (requests: AsyncIterable<AnyMessage>, context) => {
      note(context);
      async function* seen() {
        for await (const request of requests) {
          recorder.messages.push(toJson(input, request));
          yield request;
        }
      }
      return handler(seen(), context);
    };
  }
  return (request: AnyMessage, context) => {
    note(context);
    recorder.messages.push(toJson(input, request));
    return handler(request, context);
  };
}

const echo = () => (request: AnyMessage) => request;
const item = (output: DescMessage) => (request: AnyMessage) => itemFor(output, request.id);
const itemX = (output: DescMessage) => () => itemFor(output, "x");
const empty = (output: DescMessage) => () => create(output);

const HANDLERS: Readonly<Record<string, (output: DescMessage) => Handler>> = {
  GetQuery: echo,
  PostQuery: echo,
  BodyQuery: echo,
  LeafQuery: echo,
  TypedPath: echo,
  CreateItem: echo,
  ReplaceItem: echo,
  GetItem: item,
  ArchiveItem: item,
  ListTags: item,
  GetTitle: item,
  GetLeaf: item,
  GetSize: item,
  GetLabels: item,
  GetColor: item,
  UpdateItem: empty,
  BatchGetItems: itemX,
  CreateBook: itemX,
  GetBook: itemX,
  GetFile: itemX,
  SetTags: itemX,
  SetTitle: itemX,
  SetSize: itemX,
  SetColor: itemX,
  SetLabels: itemX,
  SetTime: itemX,
  Upload: itemX,
  UploadNamed: itemX,
  DeleteItem: empty,
  Ping: empty,
  HeadItem: empty,
  Collect: (output) => async (requests: AsyncIterable<AnyMessage>) => {
    for await (const _ of requests) {
      // Read to the end, so that a broken message shows.
    }
    return itemFor(output, "x");
  },
  Chat: () =>
    async function* (requests: AsyncIterable<AnyMessage>) {
      yield* requests;
    },
  Fail: () => (request: AnyMessage) => {
    const details = request.withDetail ? [{ desc: ErrorInfoSchema, value: { reason: "R", domain: "D" } }] : [];
    throw new ConnectError(request.message, request.code, undefined, details);
  },
  Raw: (output) => (request: AnyMessage) =>
    request.id === "untyped"
      ? create(output, { data: Buffer.from("raw") } as Record<string, unknown>)
      : create(output, { contentType: "text/csv", data: Buffer.from("a,b\n1,2\n") } as Record<string, unknown>),
  Watch: watch,
  WatchTitles: watch,
  Download: (output) =>
    async function* (request: AnyMessage) {
      for (let i = 1; i <= request.count; i++) {
        yield create(output, { contentType: "application/octet-stream", data: Buffer.from(`chunk${i}`) } as Record<
          string,
          unknown
        >);
      }
      failWith(request.failCode);
    },
};

function watch(output: DescMessage): Handler {
  return async function* (request: AnyMessage) {
    for (let i = 1; i <= request.count; i++) {
      yield create(output, { id: `${request.id}-${i}`, title: `t${i}` } as Record<string, unknown>);
    }
    failWith(request.failCode);
  };
}

function failWith(code: number): void {
  if (code !== 0) {
    throw new ConnectError("boom", code);
  }
}

/** The item that most handlers return. */
export function itemFor(output: DescMessage, id: string): Message {
  if (id === "empty") {
    return create(output);
  }
  const leaf = { name: "n" };
  return create(output, { id, title: "T", tags: ["a", "b"], size: 123n, leaf, labels: { k: "v" }, color: 1 } as Record<
    string,
    unknown
  >);
}
