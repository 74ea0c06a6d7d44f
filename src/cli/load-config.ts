import { type Config, readConfig } from "../config.ts";
import type { CommandContext } from "./command.ts";

/** The configuration, with its warnings told. @throws ConfigError */
export function loadConfig({ env, terminal }: Pick<CommandContext, "env" | "terminal">): Config {
  const { config, warnings } = readConfig(env);
  for (const warning of warnings) terminal.tell(`${terminal.paintNote("yellow", "Warning:")} ${warning}`);
  return config;
}
