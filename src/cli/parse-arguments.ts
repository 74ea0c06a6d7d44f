import { parseArgs } from "node:util";
import { didYouMean } from "../text/index.ts";
import type { Command, OptionSpec, ParsedArguments } from "./command.ts";
import { UsageError } from "./errors.ts";

/**
 * Reads the arguments of a command.
 *
 * @throws UsageError with all faults at once.
 */
export function parseArguments(command: Command, args: readonly string[]): ParsedArguments {
  const specs = new Map((command.options ?? []).map((option) => [option.name, option]));
  const options = Object.fromEntries(
    [...specs.values()].map(({ name, value }) => [
      name,
      { type: value === undefined ? ("boolean" as const) : ("string" as const) },
    ]),
  );
  // Not strict: Node's own check stops at the first fault and cannot name the nearest option.
  const { tokens } = parseArgs({ args: [...args], options, tokens: true, strict: false, allowPositionals: true });
  const faults: string[] = [];
  const positionals: string[] = [];
  const given = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind === "positional") {
      positionals.push(token.value);
    }
    if (token.kind !== "option") {
      continue;
    }
    const spec = specs.get(token.name);
    const fault =
      spec === undefined
        ? unknownOption(token.rawName, specs.keys())
        : valueFault(spec, token.value, token.inlineValue);
    if (fault !== undefined) {
      faults.push(fault);
      continue;
    }
    const before = given.get(token.name) ?? [];
    if (before.length > 0 && spec?.value !== undefined && spec.repeatable !== true) {
      faults.push(`--${token.name}: is given twice`);
    }
    given.set(token.name, [...before, token.value ?? ""]);
  }
  faults.push(...positionalFaults(command, positionals));
  if (faults.length > 0) {
    throw new UsageError(command.name, [...new Set(faults)]);
  }
  return {
    positionals,
    has: (name) => given.has(name),
    value: (name) => given.get(name)?.at(-1),
    values: (name) => given.get(name) ?? [],
  };
}

function unknownOption(rawName: string, known: Iterable<string>): string {
  const hint = didYouMean(rawName.replace(/^-+/, ""), [...known, "help"], { show: (name) => `--${name}` });
  return `${rawName}: unknown option${hint}`;
}

function valueFault(spec: OptionSpec, value: string | undefined, inline: boolean | undefined): string | undefined {
  const option = `--${spec.name}`;
  if (spec.value === undefined) {
    return value === undefined ? undefined : `${option}: takes no value`;
  }
  // In `--task --json` the value is missing; `--task=--json` gives "--json" as the value.
  if (value === undefined || (inline !== true && value.startsWith("--"))) {
    return `${option}: needs a value, ${option} ${spec.value}`;
  }
  return undefined;
}

function positionalFaults({ positionals: specs = [] }: Command, given: readonly string[]): string[] {
  const needed = specs.slice(given.length).filter(({ optional }) => optional !== true);
  const missing = needed.map(({ name, help }) => `${name}: is missing; ${help}`);
  if (specs.at(-1)?.rest === true) {
    return missing;
  }
  return [...missing, ...given.slice(specs.length).map((word) => `${JSON.stringify(word)}: unexpected argument`)];
}
