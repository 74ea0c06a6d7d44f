import type { Command } from "../../command.ts";

/** `modelscout completion`. @param all the program's commands, of which it is one. */
export const completionCommand = (all: () => readonly Command[]): Command => ({
  name: "completion",
  summary: "Print a script that completes commands, options and names of models in a shell",
  description: [
    "Run the line for your shell once; the examples show the lines. Names of models, families and tasks come from the inventory on this machine, if it has one. You may also type a part from the middle of a name. Bash completes such a part only if exactly one model's name contains it.",
  ],
  positionals: [
    { name: "SHELL", help: "One of bash, zsh and fish" },
    {
      name: "WORD",
      help: "after --: a command line without the name of the program; prints the possible completions of its last word",
      rest: true,
      optional: true,
    },
  ],
  examples: [
    ["completion bash >> ~/.bashrc", "for bash"],
    ["completion zsh >> ~/.zshrc", "for zsh; compinit must come before it in that file"],
    ["completion fish > ~/.config/fish/completions/modelscout.fish", "for fish"],
    ["completion bash -- models sh", "how the script asks for completions"],
  ],
  run: async (context) => (await import("./run-completion.ts")).runCompletion(context, all()),
});
