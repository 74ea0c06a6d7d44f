/** A word or number of a description. */
export interface Token {
  /** In lower case, with plain apostrophes, without a possessive 's. */
  readonly word: string;
  /** Where it starts in the description, in UTF-16 units. */
  readonly start: number;
  /** Where it ends, exclusive. */
  readonly end: number;
  /**
   * The kind of gap before it: 0 blanks, a hyphen or nothing; 1 a comma, slash, quote or bracket; 2 a sentence's end.
   */
  readonly gap: 0 | 1 | 2;
}

/** A description as tokens, with the queries that rules need. */
export class Text {
  readonly description: string;
  readonly tokens: readonly Token[];

  constructor(description: string) {
    this.description = description;
    this.tokens = tokenise(description);
  }

  /** The word at a position; empty outside the text. */
  word(index: number): string {
    return this.tokens[index]?.word ?? "";
  }

  /** The word at a position as the description writes it. */
  raw(index: number): string {
    const token = this.tokens[index];
    return token === undefined ? "" : this.description.slice(token.start, token.end);
  }

  /** The word right after a position; empty if a comma or a sentence's end is between. */
  after(index: number): string {
    const token = this.tokens[index + 1];
    return token === undefined || token.gap > 0 ? "" : token.word;
  }

  /** The word right before a position; empty if a comma or a sentence's end is between. */
  before(index: number): string {
    return this.tokens[index]?.gap === 0 ? this.word(index - 1) : "";
  }

  /** Whether only blanks, hyphens and words are between two positions. */
  joined(from: number, to: number): boolean {
    for (let index = from + 1; index <= to; index++) {
      if (this.tokens[index]?.gap !== 0) {
        return false;
      }
    }
    return true;
  }

  /** The characters between a token and the one before it. */
  between(index: number): string {
    const start = this.tokens[index - 1]?.end ?? 0;
    return this.description.slice(start, this.tokens[index]?.start ?? this.description.length);
  }

  /** Whether these tokens are alone between commas, sentence ends or the ends of the text. */
  isSegment(from: number, to: number): boolean {
    return this.startsSegment(from) && this.endsSegment(to);
  }

  startsSegment(index: number): boolean {
    return index <= 0 || this.tokens[index]?.gap !== 0;
  }

  endsSegment(index: number): boolean {
    return this.tokens[index + 1]?.gap !== 0;
  }

  /** Whether the token starts with a capital letter. */
  isCapitalised(index: number): boolean {
    const code = this.description.charCodeAt(this.tokens[index]?.start ?? -1);
    return code >= 65 && code <= 90;
  }

  /** Whether the token is the first of a sentence. */
  startsSentence(index: number): boolean {
    return index <= 0 || this.tokens[index]?.gap === 2;
  }
}

const OTHER = 0;
const LETTER = 1;
const DIGIT = 2;
const APOSTROPHE = 3;

/**
 * The kind of a UTF-16 unit; OTHER for NaN, which is past the end. Above ASCII all that is neither space nor
 * punctuation counts as a letter.
 */
function kindOf(code: number): number {
  if (code < 128) {
    if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90)) {
      return LETTER;
    }
    if (code >= 48 && code <= 57) {
      return DIGIT;
    }
    return code === 39 ? APOSTROPHE : OTHER;
  }
  if (code === 0x2019) {
    return APOSTROPHE;
  }
  if (!(code >= 0xc0) || code === 0xd7 || code === 0xf7) {
    return OTHER;
  }
  // General punctuation to symbols, CJK punctuation, emoji and private use, full-width forms.
  if ((code >= 0x2000 && code <= 0x2bff) || (code >= 0x3000 && code <= 0x303f)) {
    return OTHER;
  }
  if (code >= 0xd800 && code <= 0xf8ff) {
    return OTHER;
  }
  return code < 0xff00 ? LETTER : OTHER;
}

function tokenise(description: string): Token[] {
  const tokens: Token[] = [];
  const length = description.length;
  let end = 0;
  for (let at = 0; at < length; ) {
    const kind = kindOf(description.charCodeAt(at));
    if (kind !== LETTER && kind !== DIGIT) {
      at++;
      continue;
    }
    const start = at;
    at = kind === DIGIT ? numberEnd(description, at) : wordEnd(description, at);
    tokens.push({
      word: normalise(description.slice(start, at)),
      start,
      end: at,
      gap: tokens.length === 0 ? 2 : gapOf(description, end, start),
    });
    end = at;
  }
  return tokens;
}

/** The end of digits with points and commas between them. */
function numberEnd(text: string, start: number): number {
  let at = start;
  for (;;) {
    while (kindOf(text.charCodeAt(at)) === DIGIT) {
      at++;
    }
    const code = text.charCodeAt(at);
    if ((code !== 46 && code !== 44) || kindOf(text.charCodeAt(at + 1)) !== DIGIT) {
      return at;
    }
    at++;
  }
}

/** The end of letters and digits, with apostrophes between letters. */
function wordEnd(text: string, start: number): number {
  let at = start;
  for (;;) {
    const kind = kindOf(text.charCodeAt(at));
    if (kind === LETTER || kind === DIGIT) {
      at++;
    } else if (kind === APOSTROPHE && kindOf(text.charCodeAt(at + 1)) === LETTER) {
      at++;
    } else {
      return at;
    }
  }
}

function normalise(word: string): string {
  const lower = word.toLowerCase();
  if (!lower.includes("'") && !lower.includes("\u2019")) {
    return lower;
  }
  const plain = lower.replaceAll("\u2019", "'");
  return plain.endsWith("'s") ? plain.slice(0, -2) : plain;
}

function gapOf(text: string, from: number, to: number): 0 | 1 | 2 {
  let gap: 0 | 1 | 2 = 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === 32 || code === 9 || code === 160) {
      continue;
    }
    // Hyphens join words, unless there are blanks on both sides.
    if (code === 45 || code === 0x2010 || code === 0x2011 || code === 0x2013) {
      if (at > from && at + 1 < to) {
        gap = gap === 2 ? 2 : 1;
      }
      continue;
    }
    if (code === 46 || code === 33 || code === 63 || code === 59 || code === 58 || code === 10 || code === 13) {
      return 2;
    }
    gap = 1;
  }
  return gap;
}

/** Returns the set of the words of some lines. */
export function words(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(" ")));
}
