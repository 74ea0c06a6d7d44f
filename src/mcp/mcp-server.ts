import { ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import { didYouMean } from "../text/index.ts";
import { version } from "../version.ts";
import type { Toolbox, ToolCall } from "./toolbox.ts";

/** The description of all tools together, for agents. */
const instructions =
  "modelscout recommends AI models and knows how they run. Start with recommend_models for a need in plain English; take exact model names from its results or from search_models for the other tools. A fact that is absent from an answer is unknown, not 0. Answers are about open models that can be downloaded.";

/** How long clients may keep the list of tools: it changes only with the program. */
const toolsHint = { ttlMs: 3_600_000, cacheScope: "public" } as const;

/**
 * A server of the Model Context Protocol for one request or one connection.
 *
 * @param call what the transport knows of a call, except for the signal, which the protocol has as well.
 */
export function createMcpServer(toolbox: Toolbox, call: Omit<ToolCall, "signal">): Server {
  const server = new Server(
    { name: "modelscout", title: "modelscout", version },
    {
      capabilities: { tools: {} },
      instructions,
      cacheHints: { "tools/list": toolsHint, "server/discover": toolsHint },
    },
  );
  server.setRequestHandler("tools/list", async () => ({ tools: toolbox.list() }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    const { name, arguments: args = {} } = params;
    const result = await toolbox.call(name, args as never, { ...call, signal: mcpReq.signal });
    if (result === undefined) {
      const hint = didYouMean(name, toolbox.names) || ".";
      const shown = JSON.stringify(name.slice(0, 100));
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no tool ${shown}${hint} The tools are ${toolbox.names.join(", ")}.`,
      );
    }
    return { ...result };
  });
  return server;
}
