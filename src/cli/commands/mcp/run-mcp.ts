import { once } from "node:events";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { readConfig } from "../../../config/index.ts";
import type { Inventory } from "../../../inventory/index.ts";
import { createMcpServer, Toolbox } from "../../../mcp/index.ts";
import { untilAborted } from "../../../pace/index.ts";
import { callerError, callInterceptors } from "../../../rpc/index.ts";
import { describedContract, errorRegistry } from "../../../server/index.ts";
import type { CommandContext } from "../../command.ts";
import { exitCodes } from "../../errors.ts";
import { localRoutes, localValues } from "../../local-services.ts";
import { withInventory } from "../../resources.ts";
import { listenForStop } from "../../stop-signals.ts";
import { cleanText } from "../../terminal/text.ts";

/** Largest message in bytes. The longest arguments of a tool take some 30,000. */
const MAX_MESSAGE_BYTES = 1_048_576;

/** Runs `modelscout mcp` until its input ends or a signal stops it. */
export async function runMcp(context: CommandContext): Promise<number> {
  const { terminal } = context;
  const note = (text: string) => terminal.note(cleanText(text));
  const { openNeedReader } = await import("../../../app/index.ts");
  const readNeed = await openNeedReader(readConfig(context.env).config, { onProblem: note });
  const { stdin, stdout } = process;
  if (stdin.isTTY) {
    note("Waiting for messages of an agent on standard input. docs/agents.md shows how to set up an agent.");
  }
  const stop = listenForStop();
  const inputEnded = once(stdin, "close");
  // Agents wait for the first answer for a short time only, and an empty inventory takes longer to fill.
  const opening = Promise.withResolvers<Inventory>();
  opening.promise.catch(() => {});
  let inventory: Inventory | undefined;
  const routes = localRoutes(() => inventory as Inventory, readNeed);
  const toolbox = new Toolbox({
    routes,
    connect: {
      interceptors: callInterceptors({
        shutdownSignal: stop.signal,
        logFailure: ({ method, error }) => note(`${method} failed: ${String(error)}`),
      }),
    },
    registry: errorRegistry,
    contract: describedContract(routes),
  });
  const call = {
    async admit() {
      inventory = await opening.promise;
      return localValues();
    },
    toCallerError: (thrown: unknown) => callerError(thrown, "local"),
  };
  const serving = serveStdio(() => createMcpServer(toolbox, call), {
    transport: new StdioServerTransport(stdin, stdout, { maxBufferSize: MAX_MESSAGE_BYTES }),
    onerror: (error) => note(`A message was refused: ${error.message}`),
  });
  try {
    await withInventory(context, async (opened) => {
      opening.resolve(opened.inventory);
      await untilAborted(stop.signal, inputEnded).catch((error) => {
        if (!stop.signal.aborted) {
          throw error;
        }
      });
      await serving.close();
    });
  } catch (error) {
    opening.reject(error);
    await serving.close();
    throw error;
  } finally {
    stop.release();
    stdin.destroy();
  }
  return stop.code() ?? exitCodes.done;
}
