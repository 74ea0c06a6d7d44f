import { describe, expect, it } from "vitest";
import type { Command } from "../../src/cli/command.ts";
import { UsageError } from "../../src/cli/errors.ts";
import { parseArguments } from "../../src/cli/parse-arguments.ts";

const command: Command = {
  name: "try",
  summary: "",
  description: [],
  examples: [],
  positionals: [{ name: "FILE", help: "a file" }],
  options: [
    { name: "source", value: "NAME", help: "" },
    { name: "language", value: "CODE", repeatable: true, help: "" },
    { name: "json", help: "" },
  ],
};

function faultsOf(...args: string[]): readonly string[] {
  try {
    parseArguments(command, args);
  } catch (error) {
    if (error instanceof UsageError) {
      return error.faults;
    }
    throw error;
  }
  return [];
}

describe("arguments", () => {
  it("are read in any order, with = or a space", () => {
    const args = parseArguments(command, [
      "--language=de",
      "a.jsonl",
      "--json",
      "--source",
      "mine",
      "--language",
      "fr",
    ]);
    expect(args.positionals).toEqual(["a.jsonl"]);
    expect(args.value("source")).toBe("mine");
    expect(args.values("language")).toEqual(["de", "fr"]);
    expect(args.has("json")).toBe(true);
    expect(args.value("missing")).toBeUndefined();
  });

  it("accept a dash as a word, any words after --, and negative numbers as values", () => {
    expect(parseArguments(command, ["-"]).positionals).toEqual(["-"]);
    expect(parseArguments(command, ["--", "--json"]).positionals).toEqual(["--json"]);
    expect(parseArguments(command, ["x", "--source", "-1"]).value("source")).toBe("-1");
  });

  it("are refused with all faults at once", () => {
    expect(faultsOf("--sorce", "x", "--json=yes", "--source")).toEqual([
      "--sorce: unknown option; did you mean --source?",
      "--json: takes no value",
      "--source: needs a value, --source NAME",
    ]);
  });

  it.each([
    [["a", "--source", "--json"], "--source: needs a value, --source NAME"],
    [["a", "--source", "x", "--source", "y"], "--source: is given twice"],
    [["a", "b"], '"b": unexpected argument'],
    [[], "FILE: is missing; a file"],
    [["a", "-x"], "-x: unknown option"],
  ])("refuse %j", (args, fault) => expect(faultsOf(...args)).toContain(fault));
});
