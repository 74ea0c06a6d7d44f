import { tiers } from "../../../access/caller.ts";
import type { Command, CommandContext, OptionSpec } from "../../command.ts";

const run = async (name: "runKeysCreate" | "runKeysList" | "runKeysRevoke", context: CommandContext) =>
  (await import("./run-keys.ts"))[name](context);

const tier: OptionSpec = { name: "tier", value: "TIER", help: tiers.join(", ") };

/** `modelscout keys …` */
export const keysCommand: Command = {
  name: "keys",
  summary: "Create, list and revoke API keys",
  description: [
    "Callers send a key in the X-API-Key header; without a key they are on the Free tier. A key belongs to an owner, who may have several. Quotas and data belong to the owner. These commands work on the state database, also while a server runs.",
  ],
  examples: [
    ["keys create --tier pro", "create a key without a daily limit"],
    ["keys list", "list all keys"],
    ["keys revoke 4cS0bXq1ZkT9", "revoke a key"],
  ],
  commands: [
    {
      name: "keys create",
      summary: "Create an API key",
      description: [
        "Prints the key on standard output. It is shown only once, because only a hash of it is stored. All other messages go to standard error.",
      ],
      options: [
        tier,
        { name: "owner", value: "NAME", help: "Owner of the key, by name or id; default a new owner" },
        { name: "name", value: "NAME", help: "Label of the key, such as the program that uses it" },
        {
          name: "expires",
          value: "WHEN",
          help: "When it expires: after 12h, 30d, 8w or 1y, at a date (00:00 UTC) or at an RFC 3339 time; default never",
        },
        { name: "json", help: "Print JSON, as returned by AdminService.CreateKey" },
      ],
      examples: [
        ["keys create --tier pro", "a Pro key of a new owner"],
        ["keys create --tier basic --owner acme --name web --expires 90d", "another key of acme, valid for 90 days"],
        ["keys create --tier pro 2>/dev/null > key.txt", "write the key into a file"],
      ],
      run: (context) => run("runKeysCreate", context),
    },
    {
      name: "keys list",
      summary: "List API keys, the newest first",
      description: [
        "The list shows ids, not the keys themselves, which are not stored. The last use is accurate to about a minute.",
      ],
      options: [
        { name: "owner", value: "NAME", help: "Only keys of this owner, by name or id" },
        { ...tier, help: `Only keys of this tier: ${tier.help}` },
        { name: "json", help: "Print JSON, as returned by AdminService.ListKeys, all pages in one" },
      ],
      examples: [
        ["keys list", "all keys"],
        ["keys list --owner acme", "the keys of an owner"],
      ],
      run: (context) => run("runKeysList", context),
    },
    {
      name: "keys revoke",
      summary: "Revoke an API key",
      description: [
        "Every replica refuses the key within half a second, and its open streams end within a second. The owner's data stays, and the owner's other keys keep working. Revoking a key twice changes nothing.",
      ],
      positionals: [{ name: "ID", help: "the key's id: the 12 characters after ms_live_, as shown by keys list" }],
      options: [{ name: "json", help: "Print JSON, as returned by AdminService.RevokeKey" }],
      examples: [["keys revoke 4cS0bXq1ZkT9", "revoke a key"]],
      run: (context) => run("runKeysRevoke", context),
    },
  ],
};
