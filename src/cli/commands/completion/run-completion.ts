import { existsSync } from "node:fs";
import { InventoryService } from "../../../../gen/modelscout/v1/inventory_pb.ts";
import { readConfig } from "../../../config/index.ts";
import { hardwareClasses } from "../../../hardware/index.ts";
import { licenseWords, localFolder, taskTypes } from "../../../inventory/index.ts";
import type { Command, CommandContext } from "../../command.ts";
import { exitCodes, UsageError } from "../../errors.ts";
import { callService, localServices } from "../../local-services.ts";
import { withInventory } from "../../resources.ts";

const scripts: Readonly<Record<string, string>> = {
  bash: `_modelscout() {
  local IFS=$'\\n'
  COMPREPLY=($(modelscout completion bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _modelscout modelscout`,
  zsh: `_modelscout() {
  local -a found
  found=("\${(@f)$(modelscout completion zsh -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$found" ]]; then compadd -U -a found; else _files; fi
}
compdef _modelscout modelscout`,
  fish: `function __modelscout_complete
    set -l words (commandline -opc) (commandline -ct)
    modelscout completion fish -- $words[2..] 2>/dev/null
end
complete -c modelscout -a '(__modelscout_complete)'`,
};

/** Runs `modelscout completion SHELL [-- WORD …]`. */
export async function runCompletion(context: CommandContext, commands: readonly Command[]): Promise<number> {
  const [shell = "", ...words] = context.args.positionals;
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
  if (script === undefined) {
    throw new UsageError("completion", [
      `SHELL: is ${JSON.stringify(shell)}; must be ${Object.keys(scripts).join(", ")}`,
    ]);
  }
  if (words.length === 0) {
    context.terminal.print(script);
    return exitCodes.done;
  }
  const found = await completions(context, commands, words, shell);
  if (found.length > 0) {
    context.terminal.print(found.join("\n"));
  }
  return exitCodes.done;
}

/** What the last word may become. Names come from outside and are put into a shell, so other characters are refused. */
async function completions(
  context: CommandContext,
  commands: readonly Command[],
  words: readonly string[],
  shell: string,
): Promise<string[]> {
  const typed = words.at(-1) as string;
  const { command, given } = commandOf(commands, words.slice(0, -1));
  const choices = command === undefined ? commands : command.commands;
  if (choices !== undefined) {
    const inner = choices.map(({ name }) => name.split(" ").at(-1) as string);
    const isProgram = command === undefined;
    const flags = isProgram ? ["--help", "--version"] : ["--help"];
    return startingWith(typed, typed.startsWith("-") ? flags : isProgram ? [...inner, "help"] : inner);
  }
  const options = command?.options ?? [];
  const option = options.find(({ name }) => given.at(-1) === `--${name}`);
  if (option?.value !== undefined) {
    return startingWith(typed, optionValues[option.name] ?? []);
  }
  if (typed.startsWith("-")) {
    return startingWith(typed, [...options.map(({ name }) => `--${name}`), "--help"]);
  }
  const found = command === undefined ? [] : await names(context, command, typed, shell);
  return found.filter((name) => /^[\w./:+-]+$/.test(name));
}

/** Values of options that are one of few. */
const optionValues: Readonly<Record<string, readonly string[]>> = {
  class: Object.keys(hardwareClasses),
  hardware: Object.keys(hardwareClasses),
  license: licenseWords,
  task: taskTypes,
};

/** The command that words name, and the words after its name. */
function commandOf(
  commands: readonly Command[],
  words: readonly string[],
): { command: Command | undefined; given: readonly string[] } {
  let command: Command | undefined;
  let given = words[0] === "help" ? words.slice(1) : words;
  for (;;) {
    const choices: readonly Command[] | undefined = command === undefined ? commands : command.commands;
    const next = choices?.find(({ name }) => name.split(" ").at(-1) === given[0]);
    if (next === undefined) {
      return { command, given };
    }
    command = next;
    given = given.slice(1);
  }
}

function startingWith(typed: string, words: readonly string[]): string[] {
  return words.filter((word) => word.startsWith(typed));
}

/** Names searched at a time. */
const MOST_NAMES = 50;

/** The names in the inventory that a command takes; none without an inventory, which is not made for this. */
async function names(context: CommandContext, { name }: Command, typed: string, shell: string): Promise<string[]> {
  if (name === "completion") {
    return startingWith(typed, Object.keys(scripts));
  }
  if (!["models show", "models compare", "models family", "models task", "fit"].includes(name)) {
    return [];
  }
  const folder = localFolder(readConfig(context.env).config.inventoryUri);
  if (folder !== undefined && !existsSync(folder)) {
    return [];
  }
  const { method } = InventoryService;
  return withInventory(context, async ({ inventory }) => {
    const service = localServices(inventory).inventory;
    if (name === "models family") {
      const { families } = await callService(method.listFamilies, service.listFamilies, {});
      return startingWith(
        typed.toLowerCase(),
        families.map(({ family }) => family),
      );
    }
    if (name === "models task") {
      const { tasks } = await callService(method.listTasks, service.listTasks, {});
      return startingWith(typed.toLowerCase(), [...new Set([...tasks.map(({ task }) => task), ...taskTypes])]);
    }
    const request = { q: typed, pageSize: MOST_NAMES };
    const { models } = await callService(method.searchModels, service.searchModels, request);
    const found = models.map((model) => model.name);
    const begun = found.filter((each) => each.toLowerCase().startsWith(typed.toLowerCase()));
    // Bash replaces the word by the common beginning of all names, which must not be less than what was typed.
    return shell === "bash" && (begun.length > 0 || found.length > 1) ? begun : found;
  });
}
