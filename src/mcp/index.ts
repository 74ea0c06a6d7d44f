// The Model Context Protocol: methods of the contract as tools for agents.

export { createMcpServer } from "./mcp-server.ts";
export { Toolbox } from "./toolbox.ts";
