import { type DescMethod, fromJson, type JsonObject, type Registry } from "@bufbuild/protobuf";
import {
  Code,
  type ConnectError,
  type ConnectRouter,
  type ConnectRouterOptions,
  type ContextValues,
  createConnectRouter,
} from "@connectrpc/connect";
import type { UniversalHandler } from "@connectrpc/connect/protocol";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  HelpSchema,
  RetryInfoSchema,
} from "../../gen/google/rpc/error_details_pb.ts";
import { describeProblem } from "../../packages/connect-transcoding/src/index.ts";
import {
  callUnary,
  createJsonValidator,
  type JsonValidator,
  violationsError,
} from "../../packages/connect-transcoding/src/tools.ts";
import { checkValues } from "../rpc/index.ts";
import { hideKeys } from "../text/index.ts";
import { boundAnswer } from "./bound-answer.ts";
import { type ToolContract, type ToolSchemas, toolSchemas } from "./tool-schemas.ts";
import { type Tool, toolPageSize, tools } from "./tools.ts";

/** Options of Toolbox. */
export interface ToolboxOptions {
  /** Registers the services. */
  routes: (router: ConnectRouter) => void;
  /** Interceptors and limits of the calls, as in other protocols. */
  connect: Pick<ConnectRouterOptions, "interceptors" | "shutdownSignal">;
  /** Types for google.protobuf.Any in messages. */
  registry: Registry;
  contract: ToolContract;
}

/** One call of a tool, as its transport knows it. */
export interface ToolCall {
  /**
   * Admits the call of a method.
   *
   * @returns the context values of the call.
   * @throws ConnectError if the caller may not call it.
   */
  admit: (method: DescMethod) => ContextValues | Promise<ContextValues>;
  /** Aborts when nobody waits for the answer any more. */
  signal: AbortSignal;
  /** Makes the error for the caller of anything thrown, and records it. */
  toCallerError: (thrown: unknown) => ConnectError;
}

/** The result of a tool, as the protocol has it. */
export interface ToolResult {
  content: { type: "text"; text: string }[];
  structuredContent?: JsonObject;
  isError?: boolean;
}

interface ServedTool {
  tool: Tool;
  schemas: ToolSchemas;
  handler: UniversalHandler;
  validate: JsonValidator;
}

const jsonOptions = { alwaysEmitImplicit: true, useProtoFieldName: true } as const;

/** The tools over services in this process: they call the same handlers, with the same checks, as other protocols. */
export class Toolbox {
  readonly #tools: ReadonlyMap<string, ServedTool>;
  readonly #registry: Registry;

  /** @throws Error if a tool's method is not served. */
  constructor({ routes, connect, registry, contract }: ToolboxOptions) {
    this.#registry = registry;
    const router = createConnectRouter({
      ...connect,
      acceptCompression: [],
      grpc: false,
      grpcWeb: false,
      connect: true,
      jsonOptions: { ...jsonOptions, registry },
    });
    routes(router);
    const seen = new Set<string>();
    this.#tools = new Map(
      tools.map((tool) => {
        const handler = router.handlers.find(({ method }) => method === tool.method);
        if (handler === undefined) {
          throw new Error(`${tool.method.name} of the tool ${tool.name} is not served`);
        }
        const validate = createJsonValidator(tool.method.input, { finiteNumbersOnly: true });
        return [tool.name, { tool, schemas: toolSchemas(tool.method, contract, seen), handler, validate }];
      }),
    );
  }

  /** The names of all tools. */
  get names(): string[] {
    return [...this.#tools.keys()];
  }

  /** All tools, as the protocol lists them. */
  list() {
    return [...this.#tools.values()].map(({ tool: { name, title, description }, schemas }) => ({
      name,
      title,
      description,
      ...schemas,
      annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
    }));
  }

  /**
   * Calls a tool.
   *
   * @returns its answer, or its error in words that an agent can act on. Undefined if there is no such tool.
   */
  async call(name: string, args: JsonObject, call: ToolCall): Promise<ToolResult | undefined> {
    const served = this.#tools.get(name);
    if (served === undefined) {
      return undefined;
    }
    try {
      const contextValues = await call.admit(served.tool.method);
      const request = withPageSize(checked(served, args), served.schemas);
      const { message } = await callUnary(
        served.handler,
        {
          url: `http://localhost${served.handler.requestPath}`,
          header: new Headers({ "content-type": "application/json" }),
          signal: call.signal,
          contextValues,
        },
        request,
      );
      return this.#resultOf(served.tool, JSON.parse(Buffer.from(message).toString()) as JsonObject);
    } catch (thrown) {
      return { content: [{ type: "text", text: errorText(call.toCallerError(thrown)) }], isError: true };
    }
  }

  #resultOf({ method, text, whole }: Tool, answer: JsonObject): ToolResult {
    const { shortened, ...bounded } = boundAnswer(answer, whole);
    // The text is of the shortened answer, so that it has nothing that the structured content lacks.
    const words = text(fromJson(method.output, bounded, { registry: this.#registry }));
    const left = Array.isArray(shortened) ? [`Shortened: ${shortened.join("; ")}.`] : [];
    return {
      content: [{ type: "text", text: [words, ...left].join("\n") }],
      structuredContent: shortened === undefined ? bounded : { ...bounded, shortened },
    };
  }
}

/** The arguments as a request. @throws ConnectError with all violations, under the names that the agent used. */
function checked({ tool: { method }, validate }: ServedTool, args: JsonObject): JsonObject {
  const sent = new Set(Object.keys(args));
  // The validator changes objects in place.
  const { value, problems } = validate(structuredClone(args));
  const message = (value ?? {}) as JsonObject;
  const violations = checkValues(method, message, sent);
  if (problems.length > 0 || violations.length > 0) {
    throw violationsError(problems, describeProblem, violations);
  }
  return message;
}

/** A request for a page, with the page size of tools. */
function withPageSize(request: JsonObject, { inputSchema }: ToolSchemas): JsonObject {
  if (inputSchema.properties.page_size === undefined) {
    return request;
  }
  const { pageSize, page_size: asked = pageSize, ...rest } = request;
  const size = typeof asked === "number" && asked !== 0 ? Math.min(asked, toolPageSize.most) : toolPageSize.usual;
  return { ...rest, page_size: size };
}

/** An error in words: what is wrong, each violation with what would be right, the reason, and when to try again. */
function errorText(error: ConnectError): string {
  const [badRequest] = error.findDetails(BadRequestSchema);
  const [info] = error.findDetails(ErrorInfoSchema);
  const [retry] = error.findDetails(RetryInfoSchema);
  const [help] = error.findDetails(HelpSchema);
  const violations = badRequest?.fieldViolations ?? [];
  const head = violations.length > 0 ? "The arguments are wrong:" : `${error.rawMessage}.`;
  const seconds = Number(retry?.retryDelay?.seconds ?? 0) + (retry?.retryDelay?.nanos ?? 0) / 1e9;
  const text = [
    head,
    ...violations.map(({ field, description }) => (field === "" ? `- ${description}` : `- ${field}: ${description}`)),
    `Reason: ${info?.reason ?? Code[error.code]}`,
    ...(retry === undefined ? [] : [`Try again in ${Math.ceil(seconds)} s.`]),
    ...(help?.links ?? []).map(({ description, url }) => `${description} (${url})`),
  ].join("\n");
  return hideKeys(text);
}
