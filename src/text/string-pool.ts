/** The most strings of a pool. */
const KEPT_STRINGS = 4_096;
/** Longer strings hardly repeat. */
const LONGEST = 96;

/**
 * Lets equal strings of many parsed JSON values share their memory. `JSON.parse` makes a new string for each value, so
 * that 3,000 models held 17,000 copies of one date.
 *
 * A full pool is emptied: strings that come later are not shared with those that came before.
 */
export class StringPool {
  readonly #strings = new Map<string, string>();
  readonly #most: number;

  /** @param most the most strings that the pool keeps. */
  constructor(most: number = KEPT_STRINGS) {
    this.#most = most;
  }

  /** How many strings the pool keeps now. */
  get size(): number {
    return this.#strings.size;
  }

  /** Parses JSON. Strings of up to 96 characters in it are shared with those of earlier calls. */
  parse(json: string): unknown {
    return this.#share(JSON.parse(json));
  }

  /** Replaces strings in place, at any depth, and returns the value. */
  #share(value: unknown): unknown {
    if (typeof value === "string") {
      return value.length > LONGEST ? value : this.#shared(value);
    }
    if (Array.isArray(value)) {
      for (let at = 0; at < value.length; at++) {
        const item = value[at];
        if (typeof item === "string") {
          value[at] = this.#share(item);
        } else if (typeof item === "object") {
          this.#share(item);
        }
      }
    } else if (typeof value === "object" && value !== null) {
      const fields = value as Record<string, unknown>;
      for (const name in fields) {
        const field = fields[name];
        // Other values are not written back: that would give numbers new memory.
        if (typeof field === "string") {
          fields[name] = this.#share(field);
        } else if (typeof field === "object") {
          this.#share(field);
        }
      }
    }
    return value;
  }

  #shared(text: string): string {
    const known = this.#strings.get(text);
    if (known !== undefined) {
      return known;
    }
    if (this.#strings.size >= this.#most) {
      this.#strings.clear();
    }
    this.#strings.set(text, text);
    return text;
  }
}
