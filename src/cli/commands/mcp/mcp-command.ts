import type { Command } from "../../command.ts";

/** `modelscout mcp` */
export const mcpCommand: Command = {
  name: "mcp",
  summary: "Serve tools to an agent over standard input and output",
  description: [
    "Speaks the Model Context Protocol (versions 2026-07-28 and 2025-11-25) until its input ends. An agent such as Claude, Cursor or VS Code starts it; docs/agents.md shows how to set them up. A running server offers the same tools over HTTP, at /mcp.",
    "Answers from the inventory on this machine; no server is needed, and calls use up no quota. Set MODELSCOUT_HOME in the agent's settings: otherwise the program uses the folder .modelscout in the folder where the agent starts it.",
  ],
  examples: [
    ["mcp", "what the agent runs"],
    ["mcp", "with the inventory of a server on this machine", "MODELSCOUT_HOME=/srv/modelscout/.modelscout"],
  ],
  run: async (context) => (await import("./run-mcp.ts")).runMcp(context),
};
