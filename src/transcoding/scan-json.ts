const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const ZERO = 0x30;
const NINE = 0x39;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** A double holds every integer of fewer digits. */
const LONG = 16;
const FEW = 16;

interface Level {
  /** The keys of an object; undefined in a list. */
  keys: string[] | Set<string> | undefined;
  /** The key or index that the scan is at. */
  at: string | number;
}

/** What JSON.parse() does not tell about JSON text. */
export interface JsonScan {
  /** The paths (`a.b[0].c`) of object keys that stand twice. */
  readonly duplicates: readonly string[];
  /** Whether a number has so many digits that a double may not hold it. */
  readonly hasLongNumber: boolean;
}

/** Scans JSON text that JSON.parse() has accepted. */
export function scanJson(text: string): JsonScan {
  const duplicates: string[] = [];
  const stack: Level[] = [];
  let level: Level | undefined;
  let expectsKey = false;
  let digits = 0;
  let maxDigits = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char >= ZERO && char <= NINE) {
      digits++;
      continue;
    }
    if (digits > maxDigits) {
      maxDigits = digits;
    }
    digits = 0;
    switch (char) {
      case OPEN_BRACE:
        level = { keys: [], at: "" };
        stack.push(level);
        expectsKey = true;
        break;
      case OPEN_BRACKET:
        level = { keys: undefined, at: 0 };
        stack.push(level);
        expectsKey = false;
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
      case QUOTE: {
        const end = stringEnd(text, i);
        if (expectsKey && level?.keys !== undefined) {
          const raw = text.slice(i + 1, end);
          const key = raw.includes("\\") ? (JSON.parse(`"${raw}"`) as string) : raw;
          level.at = key;
          if (isKnown(level, key)) {
            duplicates.push(formatPath(stack));
          }
          expectsKey = false;
        }
        i = end;
        break;
      }
    }
  }
  return { duplicates, hasLongNumber: Math.max(digits, maxDigits) >= LONG };
}

/** Notes a key of an object. A list is faster than a Set for the few keys that objects mostly have. */
function isKnown(level: Level, key: string): boolean {
  const keys = level.keys!;
  if (Array.isArray(keys)) {
    if (keys.includes(key)) {
      return true;
    }
    keys.push(key);
    if (keys.length > FEW) {
      level.keys = new Set(keys);
    }
    return false;
  }
  const known = keys.has(key);
  keys.add(key);
  return known;
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
