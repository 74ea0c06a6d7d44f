import type { Command } from "./command.ts";
import { commands } from "./commands.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { displayWidth, wrapText } from "./terminal/text.ts";

const PROGRAM = "modelscout";
/** Help is prose: longer lines are hard to read. A pipe has no width of its own. */
const MAX_WIDTH = 100;
const DEFAULT_WIDTH = 80;

const usualExits: ReadonlyArray<readonly [number, string]> = [
  [0, "done"],
  [1, "an error; the message is on standard error"],
  [2, "wrong usage"],
];

/** The help of the program. */
export function renderProgramHelp(terminal: Terminal): string {
  const inner = commands.flatMap((command) => command.commands ?? [command]);
  return sections(terminal, [
    [
      "",
      prose(terminal, [
        "modelscout recommends AI models for a need that you describe in plain English. It works offline, with an inventory of models that comes with it.",
      ]),
    ],
    ["Usage", [`  ${PROGRAM} COMMAND [options]`, `  ${PROGRAM} COMMAND --help`]],
    [
      "Commands",
      pairs(
        terminal,
        inner.map(({ name, summary }) => [name, summary]),
      ),
    ],
    [
      "Options",
      pairs(terminal, [
        ["-h, --help", "Show help, of the program or of a command"],
        ["-v, --version", "Show the version"],
      ]),
    ],
    [
      "Examples",
      examples(terminal, [
        ['recommend "transcribe meetings on a laptop CPU"', "the first thing to try"],
        ["models families", "list the families in the inventory"],
        ["serve", "serve recommendations over HTTP and gRPC"],
      ]),
    ],
    [
      "Environment",
      [
        ...pairs(terminal, [
          ["MODELSCOUT_HOME", "Folder of all local state; default .modelscout in the current folder"],
          ["MODELSCOUT_STARTER", "on (default) or off: fill an empty inventory with the starter catalogue"],
          ["HOST, PORT", "Address and port on which serve listens; default 127.0.0.1 and 8080"],
          ["NO_COLOR", "Set to any value to switch colours off"],
        ]),
        "",
        "  docs/settings.md lists all variables.",
      ],
    ],
    [
      "Exit status",
      pairs(
        terminal,
        usualExits.map(([code, says]) => [String(code), says]),
      ),
    ],
  ]);
}

/** The help of a command or a group of commands. */
export function renderCommandHelp(command: Command, terminal: Terminal): string {
  const { commands: inner = [], positionals = [], options = [], exits = [] } = command;
  const words = positionals.map(({ name, rest, optional }) =>
    optional ? `[${name}${rest ? " …" : ""}]` : rest ? `"${name}"` : name,
  );
  const usage = [PROGRAM, command.name, ...(inner.length > 0 ? ["COMMAND"] : words), "[options]"].join(" ");
  const special = new Set(exits.map(([code]) => code));
  const allExits = [...usualExits.filter(([code]) => !special.has(code)), ...exits].sort(([a], [b]) => a - b);
  const optionRows = options.map(
    ({ name, value, help }) => [`--${name}${value === undefined ? "" : ` ${value}`}`, help] as const,
  );
  return sections(terminal, [
    ["", prose(terminal, [`${command.summary}.`])],
    ["Usage", [`  ${usage}`]],
    ["", prose(terminal, command.description)],
    [
      "Commands",
      pairs(
        terminal,
        inner.map(({ name, summary }) => [name, summary]),
      ),
    ],
    [
      "Arguments",
      pairs(
        terminal,
        positionals.map(({ name, help }) => [name, sentence(help)]),
      ),
    ],
    ["Options", pairs(terminal, [...optionRows, ["-h, --help", "Show this help"]])],
    ["Examples", examples(terminal, command.examples)],
    [
      "Exit status",
      pairs(
        terminal,
        allExits.map(([code, says]) => [String(code), says]),
      ),
    ],
  ]);
}

function sections(terminal: Terminal, all: ReadonlyArray<readonly [title: string, lines: readonly string[]]>): string {
  return all
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => [...(title === "" ? [] : [terminal.paint("bold", title)]), ...lines].join("\n"))
    .join("\n\n");
}

function prose(terminal: Terminal, paragraphs: readonly string[]): string[] {
  return [paragraphs.map((paragraph) => wrapText(paragraph, helpWidth(terminal))).join("\n\n")].filter(
    (text) => text !== "",
  );
}

function pairs(terminal: Terminal, rows: ReadonlyArray<readonly [string, string]>): string[] {
  const left = Math.max(0, ...rows.map(([name]) => displayWidth(name)));
  return rows.map(([name, says]) => {
    const padded = name + " ".repeat(left - displayWidth(name));
    const text = wrapText(says, helpWidth(terminal), `  ${padded}  `);
    return text.replace(padded, () => terminal.paint("cyan", padded));
  });
}

function examples(terminal: Terminal, rows: Command["examples"]): string[] {
  return rows.flatMap(([line, does, settings]) => [
    terminal.paint("dim", `  # ${does}`),
    `  ${settings === undefined ? "" : `${settings} `}${PROGRAM} ${line}`,
  ]);
}

function helpWidth({ width }: Terminal): number {
  return Math.min(width ?? DEFAULT_WIDTH, MAX_WIDTH);
}

function sentence(phrase: string): string {
  return phrase.charAt(0).toUpperCase() + phrase.slice(1);
}
