import { createHash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

/**
 * A key is `ms_live_<id>_<secret><check>`. The id is public and names the key for its operator; the secret has 190
 * random bits; the check is a CRC-32 of everything before it, as in many services' tokens, so that a mistyped key is
 * recognised without a database. Secret scanners find keys by the pattern, and exclude other text by the check:
 *
 *     ms_live_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}
 */
const PATTERN = /^ms_live_(?<id>[0-9A-Za-z]{12})_[0-9A-Za-z]{38}$/;

const PREFIX = "ms_live_";
const ID_CHARS = 12;
const SECRET_CHARS = 32;
/** 32 bits in base 62. */
const CHECK_CHARS = 6;
const KEY_CHARS = PREFIX.length + ID_CHARS + 1 + SECRET_CHARS + CHECK_CHARS;
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The stored facts of a key. */
export interface ApiKeyFacts {
  /** Its public part, of 12 characters. */
  id: string;
  /**
   * SHA-256 of the whole key in hexadecimal digits. A slow hash protects secrets that can be guessed, such as
   * passwords; nobody tries 2^190 secrets, and a slow one would make every call slow.
   */
  hash: string;
}

/** A new key, and its facts to store. */
export function newApiKey(): ApiKeyFacts & { key: string } {
  const id = randomText(ID_CHARS);
  const body = `${PREFIX}${id}_${randomText(SECRET_CHARS)}`;
  const key = body + checkOf(body);
  return { id, key, hash: hashOf(key) };
}

/** Reads a text that should be a key. The problem repeats nothing of the text. */
export function readApiKey(text: string): ApiKeyFacts | { problem: string } {
  if (!text.startsWith(PREFIX)) {
    return { problem: `a key begins with ${PREFIX}` };
  }
  if (text.length !== KEY_CHARS) {
    return { problem: `a key has ${KEY_CHARS} characters, and this has ${text.length}` };
  }
  const id = PATTERN.exec(text)?.groups?.id;
  if (id === undefined) {
    return { problem: `a key is ${PREFIX}<id>_<secret>, of letters and digits` };
  }
  if (checkOf(text.slice(0, -CHECK_CHARS)) !== text.slice(-CHECK_CHARS)) {
    return { problem: "its checksum does not match, so it was mistyped" };
  }
  return { id, hash: hashOf(text) };
}

/** Whether a text has the form of a key's id. */
export function isKeyId(text: string): boolean {
  return text.length === ID_CHARS && /^[0-9A-Za-z]+$/.test(text);
}

function randomText(chars: number): string {
  return Array.from({ length: chars }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
}

function hashOf(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

function checkOf(body: string): string {
  let rest = crc32(body);
  let digits = "";
  for (let i = 0; i < CHECK_CHARS; i++) {
    digits = ALPHABET[rest % ALPHABET.length] + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}
