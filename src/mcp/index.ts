// The Model Context Protocol: methods of the contract as tools for agents.

export { createMcpServer } from "./mcp-server.ts";
export { Toolbox, type ToolboxOptions, type ToolCall } from "./toolbox.ts";
export { toolPageSize, tools } from "./tools.ts";
