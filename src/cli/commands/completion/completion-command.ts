import type { Command } from "../../command.ts";

/** `modelscout completion`. @param all the program's commands, of which it is one. */
export const completionCommand = (all: () => readonly Command[]): Command => ({
  name: "completion",
  summary: "Print a script that completes commands, options and names of models in a shell",
  description: [
    "Put the line of your shell into its start file. Names of models, families and tasks come from the inventory on this machine, once there is one. A part of a name finds a model too, in bash if only one has it.",
  ],
  positionals: [
    { name: "SHELL", help: "bash, zsh or fish" },
    {
      name: "WORD",
      help: "behind --, the words of a command line so far, without the program: prints what the last one may become",
      rest: true,
      optional: true,
    },
  ],
  examples: [
    ["completion bash >> ~/.bashrc", "for bash"],
    ["completion zsh >> ~/.zshrc", "for zsh, behind compinit"],
    ["completion fish > ~/.config/fish/completions/modelscout.fish", "for fish"],
    ["completion bash -- models sh", "what the script asks"],
  ],
  run: async (context) => (await import("./run-completion.ts")).runCompletion(context, all()),
});
