/** How a repository's weights are quantized. */
export interface PublishedQuantization {
  /** As the table of bits reads it: `AWQ-4bit`, `fp8`, `MLX-6bit`. */
  label: string;
  /** Bits of a weight, where several are packed into an element. */
  packedBits?: number;
}

type Method = (bits: number | undefined) => PublishedQuantization;

/** Methods by the word that names them, standing by itself; the more telling one first. */
const methods: ReadonlyArray<readonly [word: RegExp, of: Method]> = (
  [
    ["nvfp4", () => ({ label: "nvfp4", packedBits: 4 })],
    ["mxfp4", () => ({ label: "mxfp4", packedBits: 4 })],
    ["mxfp6", () => ({ label: "mxfp6", packedBits: 6 })],
    ["mxfp8", () => ({ label: "mxfp8" })],
    ["awq", (bits = 4) => ({ label: `AWQ-${bits}bit`, packedBits: bits })],
    ["gptq|autoround|auto-round", (bits = 4) => ({ label: `GPTQ-${bits}bit`, packedBits: bits })],
    ["hqq", (bits = 4) => ({ label: `HQQ-${bits}bit`, packedBits: bits })],
    ["aqlm", (bits = 2) => ({ label: `AQLM-${bits}bit`, packedBits: bits })],
    ["exl2", (bits = 4) => ({ label: `EXL2-${bits}bit`, packedBits: bits })],
    ["exl3", (bits = 4) => ({ label: `EXL3-${bits}bit`, packedBits: bits })],
    ["bnb|bitsandbytes|nf4", (bits = 4) => (bits === 8 ? { label: "int8" } : { label: "bnb-4bit", packedBits: 4 })],
    ["mlx", (bits) => (bits === undefined ? { label: "bf16" } : { label: `MLX-${bits}bit`, packedBits: bits })],
    ["w4a(?:16|8|4)|int4", () => ({ label: "int4", packedBits: 4 })],
    ["w8a(?:8|16)|int8", () => ({ label: "int8" })],
    ["fp8|f8_e4m3", () => ({ label: "fp8" })],
    ["fp4", () => ({ label: "fp4", packedBits: 4 })],
  ] satisfies ReadonlyArray<readonly [string, Method]>
).map(([word, of]) => [new RegExp(`(?<![a-z])(?:${word})(?![a-z])`), of] as const);

/** What every method's word has: most names and tags have none, and are done with at once. */
const anyMethod = /fp[468]|f8_|awq|gptq|auto-?round|hqq|aqlm|exl[23]|bnb|bitsandbytes|nf4|mlx|w[48]a|int[48]/;

/** Int8, w4a16. */
const weightBits = /(?<![a-z])(?:int|w)([2348])(?![0-9])/;
/** 4bit, 8-bits, 4.0bpw. */
const bitsWord = /(?<![a-z0-9.])(\d(?:\.\d{1,2})?)(?:-?_?bits?|bpw)(?![a-z0-9])/;

/**
 * How the weights of a repository are quantized, by its name and else by its tags; undefined where neither says
 * that they are.
 *
 * @param name `owner/model`
 */
export function publishedQuantization(name: string, tags: readonly string[]): PublishedQuantization | undefined {
  const short = name.slice(name.indexOf("/") + 1).toLowerCase();
  const words = tags.filter((tag) => !tag.includes(":")).map((tag) => tag.toLowerCase());
  if (!anyMethod.test(short) && !words.some((word) => anyMethod.test(word))) return undefined;
  const bits = bitsIn(short) ?? words.map(bitsIn).find((found) => found !== undefined);
  for (const text of [short, ...words]) {
    const found = anyMethod.test(text) ? methods.find(([word]) => word.test(text)) : undefined;
    if (found !== undefined) return found[1](bits);
  }
  return undefined;
}

function bitsIn(text: string): number | undefined {
  const found = bitsWord.exec(text)?.[1] ?? weightBits.exec(text)?.[1];
  const bits = found === undefined ? undefined : Number(found);
  return bits !== undefined && bits >= 1 && bits <= 8 ? bits : undefined;
}
