import { tiers } from "../../../access/caller.ts";
import type { Command, CommandContext, OptionSpec } from "../../command.ts";

const run = async (name: "runCreate" | "runList" | "runRevoke", context: CommandContext) =>
  (await import("./run-keys.ts"))[name](context);

const tier: OptionSpec = { name: "tier", value: "TIER", help: tiers.join(", ") };

/** `modelscout keys …` */
export const keysCommand: Command = {
  name: "keys",
  summary: "Make, list and revoke API keys",
  description: [
    "Callers send a key as the X-API-Key header; without one they are Free. A key belongs to an owner, who may have several: quotas and rows are the owner's. Works on the state database, beside a running server.",
  ],
  examples: [
    ["keys create --tier pro", "a key without a daily limit"],
    ["keys list", "which keys there are"],
    ["keys revoke 4cS0bXq1ZkT9", "end one"],
  ],
  commands: [
    {
      name: "keys create",
      summary: "Make an API key",
      description: [
        "Prints the key alone on standard output, once: only a hash of it is stored. What else there is to say goes to standard error.",
      ],
      options: [
        tier,
        { name: "owner", value: "NAME", help: "Whom it belongs to, an owner's name or id; default a new owner" },
        { name: "name", value: "NAME", help: "What to call the key, such as the program that uses it" },
        {
          name: "expires",
          value: "WHEN",
          help: "When it ends: after 12h, 30d, 8w or 1y, or at a date (its 00:00 UTC) or RFC 3339 time; default never",
        },
        { name: "json", help: "Print JSON, as AdminService.CreateKey answers" },
      ],
      examples: [
        ["keys create --tier pro", "a Pro key of a new owner"],
        ["keys create --tier basic --owner acme --name web --expires 90d", "another key of acme, for a while"],
        ["keys create --tier pro 2>/dev/null > key.txt", "into a file"],
      ],
      run: (context) => run("runCreate", context),
    },
    {
      name: "keys list",
      summary: "List API keys, the newest first",
      description: ["Never the keys themselves, which are not stored. The last use is told to about a minute."],
      options: [
        { name: "owner", value: "NAME", help: "Only those of this owner, by name or id" },
        { ...tier, help: `Only those of this tier: ${tier.help}` },
        { name: "json", help: "Print JSON, as AdminService.ListKeys answers, of all keys" },
      ],
      examples: [
        ["keys list", "all keys"],
        ["keys list --owner acme", "those of an owner"],
      ],
      run: (context) => run("runList", context),
    },
    {
      name: "keys revoke",
      summary: "Revoke an API key",
      description: [
        "It is refused within a second, on every replica, and streams that it opened end. Nothing of its owner's is deleted: another key of the owner goes on with it. A key that was revoked already stays so.",
      ],
      positionals: [{ name: "ID", help: "the key's id: the 12 characters after ms_live_, as keys list tells it" }],
      options: [{ name: "json", help: "Print JSON, as AdminService.RevokeKey answers" }],
      examples: [["keys revoke 4cS0bXq1ZkT9", "end one key"]],
      run: (context) => run("runRevoke", context),
    },
  ],
};
