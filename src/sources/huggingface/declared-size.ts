import { namedParameters } from "../record/named-parameters.ts";

/** What a repository declares about its size. */
export interface SizeFacts {
  /** `owner/model` */
  name: string;
  /** Elements of each type in its safetensors files: `{ BF16: 8190735360 }`. */
  elements?: Readonly<Record<string, number>>;
  /** The sum of the elements; some models report only this. */
  total?: number;
  /** Parameters from the header of its GGUF file. */
  ggufParameters?: number;
  /** The files that hold weights, with their bytes if known. */
  weightFiles: ReadonlyArray<{ bytes?: number }>;
  /** Bits of a weight if several weights are packed into an element (4 for AWQ), else undefined. */
  packedBits?: number;
}

/** The plausible part of these facts. */
export interface DeclaredSize {
  parameters?: number;
  activeParameters?: number;
  /** Source of the parameters, in words. */
  from?: string;
  /** Bytes of the safetensors files, from their headers; undefined if those are implausible. */
  safetensorsBytes?: number;
}

/** Bytes of an element, by safetensors' names of types. */
// biome-ignore format: a table
const elementBytes: Readonly<Record<string, number>> = {
  F64: 8, I64: 8, U64: 8, F32: 4, I32: 4, U32: 4, F16: 2, BF16: 2, I16: 2, U16: 2, I8: 1, U8: 1, BOOL: 1,
  F8_E4M3: 1, F8_E5M2: 1, F8_E8M0: 1, F8_E4M3FNUZ: 1, F8_E5M2FNUZ: 1, F6_E2M3: 0.75, F6_E3M2: 0.75, F4: 0.5,
};
const wholeType = /^[IU]\d+$/;
/** For types that safetensors may add. */
const USUAL_BYTES = 2;

/** 10^13 is five times the largest known model. */
const MOST_PARAMETERS = 1e13;
/** The Hub accepts no larger file. */
const LARGEST_FILE_BYTES = 500e9;
/** The fewest bytes for a parameter: 8-bit floats, or one bit if weights are packed. */
const LEAST_BYTES = { plain: 1, packed: 1 / 8 };
/** Counts from files are exact, so a round one was taken from a name. */
const ROUND = 1e6;
/** The number in a name is rounded; a count of packed elements is lower than it by more than this. */
const PACKED_RATIO = 1.3;

interface Claim {
  parameters: number;
  from: string;
}

/**
 * The parameters of a model, from the headers of its files or else from its name; undefined if the files cannot hold
 * them, or if the declared count is another number of the name.
 */
export function declaredSize(facts: SizeFacts): DeclaredSize {
  const named = namedParameters(facts.name);
  const headers = readElements(facts);
  const declared = facts.ggufParameters ?? headers?.elements ?? facts.total;
  const isCounted = declared !== undefined && declared % ROUND !== 0;
  const capacity = Math.min(fileCapacity(facts), isCounted && headers !== undefined ? headers.bytes : Infinity);
  const claims = [
    ...(isCounted ? counted(facts, declared, headers, named.parameters) : []),
    ...(named.parameters === undefined ? [] : [{ parameters: named.parameters, from: "the model's name" }]),
    ...(declared === undefined || isCounted || named.others.includes(declared) || declared === named.activeParameters
      ? []
      : [{ parameters: declared, from: "reported by the source" }]),
  ];
  const least = facts.packedBits === undefined && !headers?.isPacked ? LEAST_BYTES.plain : LEAST_BYTES.packed;
  const best = claims.find(({ parameters }) => parameters <= MOST_PARAMETERS && parameters * least <= capacity);
  const bytes = isCounted && headers !== undefined && headers.bytes <= fileCapacity(facts) ? headers.bytes : undefined;
  return {
    ...best,
    ...(named.activeParameters === undefined ? {} : { activeParameters: named.activeParameters }),
    ...(bytes === undefined ? {} : { safetensorsBytes: bytes }),
  };
}

/** The parameters that a count of elements means. Packed elements are fewer than the parameters. */
function counted(
  { ggufParameters, packedBits }: SizeFacts,
  count: number,
  headers: Headers | undefined,
  named: number | undefined,
): Claim[] {
  if (ggufParameters !== undefined) {
    return (named ?? 0) > count * PACKED_RATIO ? [] : [{ parameters: count, from: "GGUF header" }];
  }
  if (headers === undefined || !headers.isPacked) {
    return [{ parameters: count, from: "safetensors headers" }];
  }
  if (packedBits === undefined || named !== undefined) {
    return [];
  }
  return [{ parameters: headers.unpacked, from: `safetensors headers, unpacked at ${packedBits} bits` }];
}

interface Headers {
  elements: number;
  bytes: number;
  /** Elements if every integer among them holds as many weights as fit. */
  unpacked: number;
  /** Whether most of the weights are packed into integers. */
  isPacked: boolean;
}

function readElements({ elements: byType = {}, packedBits }: SizeFacts): Headers | undefined {
  let [elements, bytes, wholeBytes, unpacked] = [0, 0, 0, 0];
  for (const [type, count] of Object.entries(byType)) {
    const size = elementBytes[type] ?? USUAL_BYTES;
    const isWhole = wholeType.test(type);
    elements += count;
    bytes += count * size;
    if (isWhole) {
      wholeBytes += count * size;
    }
    unpacked += isWhole && packedBits !== undefined ? Math.round((count * size * 8) / packedBits) : count;
  }
  if (elements === 0) {
    return undefined;
  }
  // A few integers are indexes and masks. An element of 8 bits or more holds one weight.
  const isPacked = wholeBytes > bytes / 4 && (packedBits === undefined || unpacked > elements);
  return { elements, bytes, unpacked, isPacked };
}

/** The most bytes that the files can hold. */
function fileCapacity({ weightFiles }: SizeFacts): number {
  if (weightFiles.length === 0) {
    return Infinity;
  }
  return weightFiles.reduce((sum, { bytes = LARGEST_FILE_BYTES }) => sum + bytes, 0);
}
