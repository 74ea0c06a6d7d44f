/**
 * Records which functions of the project enter which other ones. Import it before the files to trace: it adds a note to
 * the beginning of each function of the files below src/ and packages/ that are loaded later, in this thread.
 */
import { registerHooks } from "node:module";
import { parseAst } from "vite";

/** A function of a file below src/ or packages/. */
export interface TracedFunction {
  /** Relative to the project. */
  file: string;
  /** Empty if the function has none. */
  name: string;
  /** Its first line, from 1. */
  line: number;
}

/** A function that was entered. */
export interface Entry {
  entered: TracedFunction;
  /**
   * The nearest function of the project on the stack, also across awaits. Undefined if only a library or the event loop
   * entered it.
   */
  caller: TracedFunction | undefined;
}

/** Room on the stack for the functions of libraries between two of the project. */
const STACK_FRAMES = 100;
const root = new URL("../../", import.meta.url).href;

/** A function in the changed text of its file, from the offset `start` to before the offset `end`. */
interface Placed {
  traced: TracedFunction;
  start: number;
  end: number;
}

interface LoadedFile {
  placed: Placed[];
  /** The offsets of the lines in the changed text. */
  lines: number[];
}

const files = new Map<string, LoadedFile>();
const functions: TracedFunction[] = [];
/** By file, line and column. */
const found = new Map<string, TracedFunction | undefined>();
let entries: Entry[] | undefined;

Reflect.set(globalThis, "noteEntry", (i: number) => {
  // The first function on the stack is the one that was entered.
  entries?.push({ entered: functions[i] as TracedFunction, caller: stack()[1] });
});

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const file = fileOf(url);
    if (file === undefined || !file.endsWith(".ts")) {
      return loaded;
    }
    return { ...loaded, source: withNotes(file, String(loaded.source)) };
  },
});

/** Records the entries during an action: the first of each pair of a caller and a function, in the order of the run. */
export async function recordEntries(action: () => Promise<void>): Promise<Entry[]> {
  const recorded: Entry[] = [];
  entries = recorded;
  await action();
  entries = undefined;
  const seen = new Map<TracedFunction, Set<TracedFunction | undefined>>();
  return recorded.filter(({ entered, caller }) => {
    const callers = seen.get(entered) ?? new Set();
    seen.set(entered, callers);
    return callers.size < callers.add(caller).size;
  });
}

interface SyntaxNode {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

/** Adds a note to each function, without new lines. */
function withNotes(file: string, source: string): string {
  const inserted: { at: number; text: string }[] = [];
  const placed: Placed[] = [];
  const visit = (node: SyntaxNode, parent?: SyntaxNode): void => {
    const body = node.body as SyntaxNode | null | undefined;
    if (/^(ArrowFunctionExpression|FunctionExpression|FunctionDeclaration)$/.test(node.type) && body) {
      const line = source.slice(0, node.start).split("\n").length;
      const traced = { file, name: nameOf(node, parent), line };
      const note = `noteEntry(${functions.push(traced) - 1})`;
      placed.push({ traced, start: node.start, end: node.end });
      if (body.type === "BlockStatement") {
        inserted.push({ at: body.start + 1, text: `${note};` });
      } else {
        inserted.push({ at: body.start, text: `(${note},` }, { at: body.end, text: ")" });
      }
    }
    for (const child of Object.values(node).flat()) {
      if (typeof (child as SyntaxNode | null)?.type === "string") {
        visit(child as SyntaxNode, node);
      }
    }
  };
  visit(parseAst(source, { lang: "ts" }) as unknown as SyntaxNode);
  inserted.sort((a, b) => a.at - b.at);
  const moved = (offset: number) =>
    inserted.reduce((sum, { at, text }) => (at < offset ? sum + text.length : sum), offset);
  let text = "";
  let copied = 0;
  for (const each of inserted) {
    text += source.slice(copied, each.at) + each.text;
    copied = each.at;
  }
  text += source.slice(copied);
  const lines = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    lines.push(at + 1);
  }
  files.set(file, {
    placed: placed.map((each) => ({ ...each, start: moved(each.start), end: moved(each.end) })),
    lines,
  });
  return text;
}

function nameOf({ id }: SyntaxNode, parent?: SyntaxNode): string {
  const named = (id ?? parent?.id ?? parent?.key) as { name?: string } | undefined;
  return named?.name ?? "";
}

/** The path of a traced file. */
function fileOf(url: string): string | undefined {
  const file = url.startsWith(root) ? url.slice(root.length) : "";
  return /^(src|packages)\//.test(file) ? file : undefined;
}

/** The functions of the project on the stack, the latest two at most. */
function stack(): (TracedFunction | undefined)[] {
  const { stackTraceLimit, prepareStackTrace } = Error;
  const latest: (TracedFunction | undefined)[] = [];
  Error.stackTraceLimit = STACK_FRAMES;
  Error.prepareStackTrace = (_, sites) => {
    for (const site of sites) {
      const file = fileOf(site.getFileName() ?? "");
      if (file !== undefined && latest.push(functionAt(file, site)) === 2) {
        break;
      }
    }
  };
  void new Error().stack;
  Object.assign(Error, { stackTraceLimit, prepareStackTrace });
  return latest;
}

/** The innermost function at a place. Undefined outside of functions, and in files that were loaded before. */
function functionAt(file: string, site: NodeJS.CallSite): TracedFunction | undefined {
  const [line, column] = [site.getLineNumber() ?? 1, site.getColumnNumber() ?? 1];
  const key = `${file}:${line}:${column}`;
  if (!found.has(key)) {
    const { placed, lines } = files.get(file) ?? { placed: [], lines: [] };
    const offset = (lines[line - 1] ?? 0) + column - 1;
    const around = placed.filter(({ start, end }) => start <= offset && offset < end);
    found.set(key, around.sort((a, b) => a.end - a.start - (b.end - b.start))[0]?.traced);
  }
  return found.get(key);
}
