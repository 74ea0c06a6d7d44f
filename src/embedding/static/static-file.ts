import { readFileSync } from "node:fs";
import { createMatrices, type Matrix } from "../vector-kernels.ts";

const MAGIC = 0x4d534431; // "MSD1"

const arrays = {
  i8: Int8Array,
  u8: Uint8Array,
  u16: Uint16Array,
  i32: Int32Array,
  u32: Uint32Array,
  f32: Float32Array,
} as const;

type Kind = keyof typeof arrays;
export type Section = Int8Array | Uint8Array | Uint16Array | Int32Array | Uint32Array | Float32Array;

interface Entry {
  name: string;
  kind: Kind;
  length: number;
}

interface Head {
  /** Facts that the training script stores besides numbers: labels, dimensions, version. */
  facts: Record<string, unknown>;
  sections: Entry[];
}

/** A file of named number arrays: a short JSON head, then each array at a multiple of 8 bytes, little-endian. */
export interface StaticFile {
  facts: Record<string, unknown>;
  /** @throws Error if the file has no such array of that kind. */
  section<K extends Kind>(name: string, kind: K): InstanceType<(typeof arrays)[K]>;
}

/** Reads a data file. Its arrays are views of the bytes, so nothing is copied or parsed. */
export function readStaticFile(url: URL): StaticFile {
  return parseStaticFile(readFileSync(url), url.pathname);
}

/** Reads the bytes of a data file. `origin` is used in messages. */
export function parseStaticFile(file: Buffer, origin = "this"): StaticFile {
  const bytes = file.byteOffset % 8 === 0 ? file : Buffer.from(new Uint8Array(file).buffer);
  if (bytes.readUInt32LE(0) !== MAGIC) {
    throw new Error(`${origin} is not a data file of this version`);
  }
  const headLength = bytes.readUInt32LE(4);
  const head = JSON.parse(bytes.toString("utf8", 8, 8 + headLength)) as Head;
  const sections = new Map<string, Section>();
  let at = aligned(8 + headLength);
  for (const { name, kind, length } of head.sections) {
    sections.set(`${name}:${kind}`, new arrays[kind](bytes.buffer as ArrayBuffer, bytes.byteOffset + at, length));
    at = aligned(at + length * arrays[kind].BYTES_PER_ELEMENT);
  }
  return {
    facts: head.facts,
    section(name, kind) {
      const found = sections.get(`${name}:${kind}`);
      if (!found) {
        throw new Error(`the data file lacks ${name}`);
      }
      return found as InstanceType<(typeof arrays)[typeof kind]>;
    },
  };
}

/** Writes the bytes of a data file for readStaticFile. */
export function staticFileBytes(facts: Record<string, unknown>, sections: Record<string, Section>): Buffer {
  const entries: Entry[] = Object.entries(sections).map(([name, array]) => ({
    name,
    kind: kindOf(array),
    length: array.length,
  }));
  const head = Buffer.from(JSON.stringify({ facts, sections: entries } satisfies Head));
  const parts: Buffer[] = [];
  let size = 0;
  const push = (part: Buffer): void => {
    const padding = aligned(size + part.length) - size - part.length;
    parts.push(part, Buffer.alloc(padding));
    size += part.length + padding;
  };
  const start = Buffer.alloc(8);
  start.writeUInt32LE(MAGIC, 0);
  start.writeUInt32LE(head.length, 4);
  push(Buffer.concat([start, head]));
  for (const array of Object.values(sections)) {
    push(Buffer.from(array.buffer as ArrayBuffer, array.byteOffset, array.byteLength));
  }
  return Buffer.concat(parts);
}

/**
 * Finds the rows of hashes in a file that has them in a hash table: the section `slots` has a power of two entries, each 0
 * or the number of a row plus 1, and a hash that meets a taken slot is in one of the next.
 *
 * @returns the row of a hash, -1 for one that the file does not have.
 */
export function rowFinder(file: StaticFile): (hash: number) => number {
  const slots = file.section("slots", "u32");
  const hashes = file.section("hashes", "u32");
  const mask = slots.length - 1;
  return (hash) => {
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const row = slots[slot]!;
      if (row === 0) {
        return -1;
      }
      if (hashes[row - 1] === hash) {
        return row - 1;
      }
    }
  };
}

function kindOf(array: Section): Kind {
  for (const [kind, type] of Object.entries(arrays)) {
    if (array instanceof type) {
      return kind as Kind;
    }
  }
  throw new Error("an array of numbers that the file format has no kind for");
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}

/**
 * Reads matrices of eight-bit numbers, each row with its own scale, into one memory. The scales of `name` are `nameScales`.
 */
export function readMatrices<const N extends readonly string[]>(
  file: StaticFile,
  names: N,
): { [I in keyof N]: Matrix } {
  const stored = names.map((name) => ({
    values: file.section(name, "i8"),
    scales: file.section(`${name}Scales`, "f32"),
  }));
  const matrices = createMatrices(stored.map(({ values, scales }) => [scales.length, values.length / scales.length]));
  for (const [index, matrix] of matrices.entries()) {
    const { values, scales } = stored[index]!;
    const scaled = new Float32Array(matrix.width);
    for (const [row, scale] of scales.entries()) {
      for (let i = 0; i < scaled.length; i++) {
        scaled[i] = values[row * scaled.length + i]! * scale;
      }
      matrix.set(row, scaled);
    }
  }
  return matrices as { [I in keyof N]: Matrix };
}
