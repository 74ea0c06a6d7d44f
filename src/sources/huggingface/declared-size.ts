import { namedParameters } from "../record/named-parameters.ts";

/** What a repository tells about its size. */
export interface SizeFacts {
  /** `owner/model` */
  name: string;
  /** Elements of each type in its safetensors files: `{ BF16: 8190735360 }`. */
  elements?: Readonly<Record<string, number>>;
  /** The sum that comes with them, or that comes alone. */
  total?: number;
  /** Parameters as the header of its GGUF file tells them. */
  ggufParameters?: number;
  /** The files that hold weights, with their bytes where they are told. */
  weightFiles: ReadonlyArray<{ bytes?: number }>;
  /** Bits of a weight where several weights are packed into an element (4 for AWQ); undefined where they are not. */
  packedBits?: number;
}

/** What is believed of that. */
export interface DeclaredSize {
  parameters?: number;
  activeParameters?: number;
  /** Where the parameters are from, in words. */
  from?: string;
  /** Bytes of the safetensors files, from their headers; undefined where those tell nothing that can be. */
  safetensorsBytes?: number;
}

/** Bytes of an element, by safetensors' names of types. */
// biome-ignore format: a table
const elementBytes: Readonly<Record<string, number>> = {
  F64: 8, I64: 8, U64: 8, F32: 4, I32: 4, U32: 4, F16: 2, BF16: 2, I16: 2, U16: 2, I8: 1, U8: 1, BOOL: 1,
  F8_E4M3: 1, F8_E5M2: 1, F8_E8M0: 1, F8_E4M3FNUZ: 1, F8_E5M2FNUZ: 1, F6_E2M3: 0.75, F6_E3M2: 0.75, F4: 0.5,
};
const wholeType = /^[IU]\d+$/;
/** For a type that safetensors gets later. */
const USUAL_BYTES = 2;

/** No model has more; 10^13 is five times the largest that is known of. */
const MOST_PARAMETERS = 1e13;
/** The Hub takes no larger file. */
const LARGEST_FILE_BYTES = 500e9;
/** The least that holds a parameter, in bytes: 8-bit floats, or one bit where weights are packed. */
const LEAST_BYTES = { plain: 1, packed: 1 / 8 };
/** Counts from files are exact, so a round one was read from a name by whoever told it. */
const ROUND = 1e6;
/** A name's figure is rounded; a count of packed elements is less than it by more than that. */
const PACKED_RATIO = 1.3;

interface Claim {
  parameters: number;
  from: string;
}

/**
 * The parameters of a model, from the headers of its files or else from its name; undefined where the files cannot hold
 * them, or where what is told is another figure of the name.
 */
export function declaredSize(facts: SizeFacts): DeclaredSize {
  const named = namedParameters(facts.name);
  const headers = readElements(facts);
  const told = facts.ggufParameters ?? headers?.elements ?? facts.total;
  const isCounted = told !== undefined && told % ROUND !== 0;
  const capacity = Math.min(fileCapacity(facts), isCounted && headers !== undefined ? headers.bytes : Infinity);
  const claims = [
    ...(isCounted ? counted(facts, told, headers, named.parameters) : []),
    ...(named.parameters === undefined ? [] : [{ parameters: named.parameters, from: "the model's name" }]),
    ...(told === undefined || isCounted || named.others.includes(told) || told === named.activeParameters
      ? []
      : [{ parameters: told, from: "told by the source" }]),
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

/** What a count of elements claims: packed ones are fewer than the parameters. */
function counted(
  { ggufParameters, packedBits }: SizeFacts,
  told: number,
  headers: Headers | undefined,
  named: number | undefined,
): Claim[] {
  if (ggufParameters !== undefined) {
    return (named ?? 0) > told * PACKED_RATIO ? [] : [{ parameters: told, from: "GGUF header" }];
  }
  if (headers === undefined || !headers.isPacked) {
    return [{ parameters: told, from: "safetensors headers" }];
  }
  if (packedBits === undefined || named !== undefined) {
    return [];
  }
  return [{ parameters: headers.unpacked, from: `safetensors headers, unpacked at ${packedBits} bits` }];
}

interface Headers {
  elements: number;
  bytes: number;
  /** Elements if the whole numbers among them hold as many weights as fit. */
  unpacked: number;
  /** Whether most of the weights are packed into whole numbers. */
  isPacked: boolean;
}

function readElements({ elements: told = {}, packedBits }: SizeFacts): Headers | undefined {
  let [elements, bytes, wholeBytes, unpacked] = [0, 0, 0, 0];
  for (const [type, count] of Object.entries(told)) {
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
  // A few whole numbers are indexes and masks. At 8 bits and more an element holds one weight.
  const isPacked = wholeBytes > bytes / 4 && (packedBits === undefined || unpacked > elements);
  return { elements, bytes, unpacked, isPacked };
}

/** The most that the files can hold, in bytes. */
function fileCapacity({ weightFiles }: SizeFacts): number {
  if (weightFiles.length === 0) {
    return Infinity;
  }
  return weightFiles.reduce((sum, { bytes = LARGEST_FILE_BYTES }) => sum + bytes, 0);
}
