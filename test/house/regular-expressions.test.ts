import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { analyse } from "scslre";
import { parseAst } from "vite";
import { describe, expect, it } from "vitest";

/**
 * Expressions that may take more than linear time, because their input is short or comes from the operator. By file, or
 * by folder with a slash at the end.
 */
const bounded: Readonly<Record<string, string>> = {
  "cli/": "the output of the machine's own tools, and arguments typed by the user",
  "hardware/model/": "names of models have 200 characters at most, in requests and in records",
  "hardware/devices/processors/": "names are cut to 200 characters before (MOST_NAME_CHARS)",
  "inventory/table/table-fault.ts": "what the table's library says of its own files",
};

interface Expression {
  file: string;
  line: number;
  source: string;
  flags: string;
}

const root = join(import.meta.dirname, "../..");

/** Every literal in src/ and in the packages; the files of a package by their path in the project. */
function expressions(): Expression[] {
  const src = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" });
  const packages = readdirSync(join(root, "packages"), { recursive: true, encoding: "utf8" })
    .filter((file) => /^[^/\\]+[/\\]src[/\\]/.test(file))
    .map((file) => `packages/${file}`);
  const files = [...src, ...packages].filter((file) => file.endsWith(".ts"));
  return files.flatMap((file) => {
    const text = readFileSync(join(root, file.startsWith("packages/") ? "" : "src", file), "utf8");
    return literalsIn(parseAst(text, { lang: "ts" })).map(({ start, regex }) => {
      const line = text.slice(0, start).split("\n").length;
      return { file, line, source: regex.pattern, flags: regex.flags };
    });
  });
}

function literalsIn(node: unknown): Array<{ start: number; regex: { pattern: string; flags: string } }> {
  if (typeof node !== "object" || node === null) {
    return [];
  }
  const isLiteral = "type" in node && node.type === "Literal" && "regex" in node && node.regex;
  return [...(isLiteral ? [node as never] : []), ...Object.values(node).flatMap(literalsIn)];
}

/** What modules that read names, records and needs make of their tables when they are loaded. */
async function expressionsMadeAtLoad(): Promise<Expression[]> {
  const made: Expression[] = [];
  const original = globalThis.RegExp;
  globalThis.RegExp = new Proxy(original, {
    construct(target, parameters) {
      const expression = Reflect.construct(target, parameters) as RegExp;
      const [, file, line] = /\/src\/(\S+\.ts):(\d+)/.exec(new Error().stack?.split("\n")[2] ?? "") ?? [];
      if (file !== undefined) {
        made.push({ file, line: Number(line), source: expression.source, flags: expression.flags });
      }
      return expression;
    },
  });
  try {
    await Promise.all([import("../../src/sources/index.ts"), import("../../src/recommend/index.ts")]);
  } finally {
    globalThis.RegExp = original;
  }
  return made;
}

/** Why an expression takes more than linear time; empty if no reason is known. */
function faultsOf({ source, flags }: Pick<Expression, "source" | "flags">): string[] {
  const { reports } = analyse({ source, flags });
  const found = reports.map(({ type, exponential }) => (exponential ? "exponential" : `polynomial (${type})`));
  return restartsInWildcard(source) ? [...found, "polynomial (its beginning is found again in its wildcard)"] : found;
}

/**
 * Whether an unanchored expression has an unbounded wildcard between its beginning and a part that may be missing:
 * `xeon.*e3` searches the rest of the text for every "xeon". The analysis above does not look for such beginnings.
 */
function restartsInWildcard(source: string): boolean {
  return alternatives(source).some(
    (alternative) => !alternative.startsWith("^") && /[^(|]\.(?:[*+]|\{\d+,\})\??(?!$|\)+$|\$\)*$)./.test(alternative),
  );
}

/** The top-level alternatives of an expression. */
function alternatives(source: string): string[] {
  const found = [""];
  let depth = 0;
  for (const token of source.match(/\\.|\[(?:\\.|[^\]\\])*\]|[\s\S]/g) ?? []) {
    if (token === "(") {
      depth += 1;
    }
    if (token === ")") {
      depth -= 1;
    }
    if (token === "|" && depth === 0) {
      found.push("");
    }
    // An escaped dot, or a dot in a class, is not a wildcard.
    else {
      found[found.length - 1] += token === "\\." || token.startsWith("[") ? "x" : token;
    }
  }
  return found;
}

describe("The check of regular expressions", () => {
  it.each(["xeon.*e3", "a|xeon.*\\b[xe]", "@.*$", "(a+)+$", "\\/+$", "\\[([^\\]]*\\d[^\\]]*)\\]", "^\\s*(.*)\\s*$"])(
    "finds /%s/",
    (source) => {
      expect(faultsOf({ source, flags: "" })).not.toEqual([]);
    },
  );

  it.each(["^xeon.*e3", "(?<!\\/)\\/+$", "@[^]*", "x\\.*y", "[.*]x", "a{1,3}b", "^(?:.*)$"])(
    "passes /%s/",
    (source) => {
      expect(faultsOf({ source, flags: "" })).toEqual([]);
    },
  );
});

describe("Regular expressions of src/ and packages/", async () => {
  const literals = expressions();
  const made = await expressionsMadeAtLoad();
  const all = [...literals, ...made];
  const faults = all.flatMap((each) => {
    const found = faultsOf(each);
    return found.length === 0 ? [] : [{ ...each, found }];
  });
  const isAllowed = ({ file }: Expression) =>
    Object.keys(bounded).some((place) => (place.endsWith("/") ? file.startsWith(place) : file === place));

  it("take linear time on text from outside", () => {
    expect(literals.length).toBeGreaterThan(500);
    expect(made.length).toBeGreaterThan(20);
    const wrong = faults.filter((each) => !isAllowed(each));
    expect(wrong.map(({ file, line, source, found }) => `${file}:${line} /${source}/ ${found.join(", ")}`)).toEqual([]);
  });

  it("are not on the list above without need", () => {
    const needed = Object.keys(bounded).filter((place) => faults.some(({ file }) => file.startsWith(place)));
    expect(Object.keys(bounded)).toEqual(needed);
  });
});
