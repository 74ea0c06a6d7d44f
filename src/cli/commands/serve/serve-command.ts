import type { Command } from "../../command.ts";

/** `modelscout serve` */
export const serveCommand: Command = {
  name: "serve",
  summary: "Serve recommendations over REST, gRPC, gRPC-Web and Connect on one port",
  description: [
    "Listens at once, and answers as soon as the inventory is open. The first start indexes the starter catalogue. All protocols share one port. Logs are JSON lines on standard output.",
    "SIGTERM or Ctrl-C stops it when open calls have ended, or after MODELSCOUT_DRAIN_S seconds (default 20). A second signal stops it at once.",
  ],
  options: [
    {
      name: "port",
      value: "PORT",
      help: "Port to listen on, 0 for a free one; default PORT from the environment, else 8080",
    },
    { name: "host", value: "ADDRESS", help: "Address to listen on; default HOST from the environment, else 127.0.0.1" },
    {
      name: "accept-loss",
      help: "Start even if a part of the inventory or the state was lost, and continue with the rest",
    },
  ],
  examples: [
    ["serve", "on http://127.0.0.1:8080"],
    ["serve --port 9000", "on another port"],
    ["serve --host 0.0.0.0", "for other machines too"],
  ],
  exits: [
    [0, "stopped by one signal; open calls have ended, or were cut off after MODELSCOUT_DRAIN_S seconds"],
    [1, "it could not start: the port is taken, or the state or the inventory cannot be opened or has lost data"],
    [130, "stopped at once by a second Ctrl-C"],
    [142, "ended by the watchdog: the event loop was blocked"],
    [143, "stopped at once by a second SIGTERM"],
  ],
  run: async (context) => (await import("./run-serve.ts")).runServe(context),
};
