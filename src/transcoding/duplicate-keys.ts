const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

interface Level {
  /** The keys of an object; undefined in a list. */
  readonly keys: Set<string> | undefined;
  /** The key or index that the scan is at. */
  at: string | number;
}

/** The paths (`a.b[0].c`) of object keys that stand twice in JSON text which JSON.parse() has accepted. */
export function duplicateKeys(text: string): string[] {
  const duplicates: string[] = [];
  const stack: Level[] = [];
  let level: Level | undefined;
  let expectsKey = false;
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case OPEN_BRACE:
      case OPEN_BRACKET:
        expectsKey = text.charCodeAt(i) === OPEN_BRACE;
        level = expectsKey ? { keys: new Set(), at: "" } : { keys: undefined, at: 0 };
        stack.push(level);
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        stack.pop();
        level = stack.at(-1);
        expectsKey = false;
        break;
      case COMMA:
        expectsKey = level?.keys !== undefined;
        if (typeof level?.at === "number") {
          level.at++;
        }
        break;
      case COLON:
        expectsKey = false;
        break;
      case QUOTE: {
        const end = stringEnd(text, i);
        if (expectsKey && level?.keys !== undefined) {
          const raw = text.slice(i + 1, end);
          const key = raw.includes("\\") ? (JSON.parse(`"${raw}"`) as string) : raw;
          level.at = key;
          if (level.keys.has(key)) {
            duplicates.push(formatPath(stack));
          }
          level.keys.add(key);
        }
        i = end;
        break;
      }
    }
  }
  return duplicates;
}

/** Index of the quote that ends the string which starts at `start`. */
function stringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) {
    end = text.indexOf('"', end + 1);
  }
  return end;
}

function isEscaped(text: string, index: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(index - 1 - backslashes) === BACKSLASH) {
    backslashes++;
  }
  return backslashes % 2 === 1;
}

function formatPath(stack: readonly Level[]): string {
  let path = "";
  for (const { at } of stack) {
    path += typeof at === "number" ? `[${at}]` : path === "" ? at : `.${at}`;
  }
  return path;
}
