import { effectiveBits } from "../../hardware/index.ts";
import type { SourceRecord } from "../../inventory/index.ts";

type Variant = NonNullable<SourceRecord["variants"]>[number];

/** A file of a repository. */
export interface RepositoryFile {
  path: string;
  /** Absent if the source does not report it. */
  bytes?: number;
}

/** The facts that variants are derived from. */
export interface RepositoryFacts {
  files: readonly RepositoryFile[];
  /** The quantization of its safetensors, from `publishedQuantization`; undefined if they are not quantized. */
  quantization?: string;
  /** The type of most elements of its safetensors, such as `BF16`. */
  elementType?: string;
  /** Size of its safetensors. */
  safetensorsBytes?: number;
  parameters?: number;
}

/** The variants of a repository, and whether any of their sizes is computed. */
export interface RepositoryVariants {
  variants: Variant[];
  computed: boolean;
}

/** The note for sizes that are computed because no source reports them. */
export const COMPUTED_SIZES = "sizes computed: parameters x bits per weight";

/** The note for sizes of GGUF files that the source reports. */
export const FILE_SIZES = "file sizes of the repository";

/** Quantizations as llama.cpp writes them in the name of a file or of its folder. */
const ggufQuantization =
  /(?<=^|[-_./])(?:ud-)?(?:i?q[1-8][-_](?:k(?:[-_](?:xxl|xl|l|m|s|p))?|0|1|nl|xxs|xs|s|m|l|ks|kt)|tq[12][-_]0|mxfp4(?:_moe)?|nvfp4|bf16|f16|fp16|f32|fp32)(?=$|[-_./])/gi;
/** Files of a model besides its weights: projectors for images, draft heads, adapters. */
const companion = /^mtp[-_]|(?:^|[-_.])(?:mmproj|projector|imatrix|vocab|adapter|lora)(?:[-_.]|$)/i;
/** The end of the name of a split file. */
const shard = /(?:\.gguf)?-\d{5}-of-\d{5}$/i;

/** Fewer or more bits a weight than any quantization: then the size is not that of the model. */
const BITS_OF_WEIGHTS = { least: 0.8, most: 66 };

/** Whether the path is of a GGUF file with weights of a known quantization. */
export function isWeightsFile(path: string): boolean {
  return ggufName(path)?.label !== undefined;
}

/** The variants of a model in its repository, largest first as `normalise` orders them. */
export function repositoryVariants(facts: RepositoryFacts): RepositoryVariants {
  const variants = [...ggufVariants(facts.files), ...safetensorsVariants(facts)];
  const { parameters } = facts;
  let computed = false;
  for (const variant of variants) {
    if (variant.size_gb !== undefined && parameters !== undefined && !isPlausible(variant.size_gb, parameters)) {
      delete variant.size_gb;
    }
    if (variant.size_gb !== undefined || parameters === undefined) {
      continue;
    }
    const { bits, known } = effectiveBits(variant.quantization);
    if (!known) {
      continue;
    }
    variant.size_gb = Number(((parameters * bits) / 8e9).toPrecision(3));
    computed = true;
  }
  return { variants, computed };
}

function isPlausible(sizeGb: number, parameters: number): boolean {
  const bits = (sizeGb * 8e9) / parameters;
  return bits >= BITS_OF_WEIGHTS.least && bits <= BITS_OF_WEIGHTS.most;
}

function ggufVariants(files: readonly RepositoryFile[]): Variant[] {
  // Grouped by stem: if a repository collects several models, only the one with the most variants counts.
  const byStem = new Map<string, Map<string, number | undefined>>();
  for (const { path, bytes } of files) {
    const { label, stem } = ggufName(path) ?? {};
    if (label === undefined || stem === undefined) {
      continue;
    }
    const variants = byStem.get(stem) ?? new Map<string, number | undefined>();
    byStem.set(stem, variants);
    const quantization = plainName(label);
    const before = variants.get(quantization);
    const size = bytes === undefined ? undefined : bytes / 1e9;
    // The sizes of the parts of a split file add up.
    variants.set(quantization, before === undefined || size === undefined ? size : before + size);
  }
  const most = [...byStem.values()].sort((a, b) => b.size - a.size)[0] ?? new Map<string, number | undefined>();
  return [...most].map(([quantization, size]) => variantOf(quantization, "gguf", size));
}

/** The quantization in the path of a GGUF file with weights, and the rest of its name. */
function ggufName(path: string): { label?: string; stem: string } | undefined {
  if (!/\.gguf$/i.test(path)) {
    return undefined;
  }
  const file = path.slice(0, -".gguf".length).replace(shard, "");
  const name = file.slice(file.lastIndexOf("/") + 1);
  if (companion.test(name)) {
    return undefined;
  }
  const own = quantizationIn(name);
  const label = own ?? quantizationIn(file.slice(0, Math.max(0, file.lastIndexOf("/"))));
  const stem = (own === undefined ? name : name.replace(own, "")).toLowerCase().replace(/[^a-z0-9]+/g, " ");
  return { label, stem: stem.trim() };
}

/**
 * The GGUF file whose header describes the model of a repository. Of a split file it is the first part. Undefined
 * without GGUF files, and if they are of several models.
 */
export function describingGguf(paths: readonly string[]): string | undefined {
  const files = paths.filter((path) => ggufName(path) !== undefined).sort();
  const stems = new Set(files.map((path) => ggufName(path)?.stem));
  return stems.size === 1 ? files[0] : undefined;
}

/** The last quantization in a name: earlier ones may belong to the base model. */
function quantizationIn(name: string): string | undefined {
  return name.match(ggufQuantization)?.at(-1);
}

/** Spelt as in the table of bits: Q4_K_M, UD-Q4_K_XL, bf16. */
function plainName(label: string): string {
  const float = /^(bf16|f16|fp16|f32|fp32)$/i.exec(label)?.[1]?.toLowerCase();
  if (float !== undefined) {
    return float.replace(/^f(?=\d)/, "fp");
  }
  return label.toUpperCase().replace(/(?<!^UD)-/g, "_");
}

function safetensorsVariants(facts: RepositoryFacts): Variant[] {
  if (!facts.files.some(({ path }) => /\.safetensors$/i.test(path))) {
    return otherVariants(facts);
  }
  const quantization = facts.quantization ?? plainTypes[facts.elementType ?? ""];
  if (quantization === undefined) {
    return [];
  }
  const size = facts.safetensorsBytes === undefined ? undefined : facts.safetensorsBytes / 1e9;
  return [variantOf(quantization, /^mlx/i.test(quantization) ? "mlx" : "safetensors", size)];
}

/** Formats by a file that they contain, for quantized weights that are not safetensors. */
const otherFormats: ReadonlyArray<readonly [file: RegExp, format: string]> = [
  [/(?:^|\/)openvino[^/]*\.(?:bin|xml)$/i, "openvino"],
  [/\.onnx$/i, "onnx"],
  [/\.ml(?:modelc?|package)(?:$|\/)/i, "coreml"],
  [/\.(?:tflite|task|litertlm)$/i, "litert"],
  [/(?:^|\/)model\.bin$/i, "ctranslate2"],
  [/\.(?:bin|pt|pth)$/i, "pytorch"],
];

/** Quantized weights in files other than safetensors: only the name or a tag says their quantization. */
function otherVariants({ files, quantization }: RepositoryFacts): Variant[] {
  if (quantization === undefined) {
    return [];
  }
  const format = otherFormats.find(([file]) => files.some(({ path }) => file.test(path)))?.[1];
  return format === undefined ? [] : [variantOf(quantization, format, undefined)];
}

/** Names of weights of these types; other types hold packed weights or integers, which say too little. */
const plainTypes: Readonly<Record<string, string>> = {
  F64: "fp64",
  F32: "fp32",
  F16: "fp16",
  BF16: "bf16",
  F8_E4M3: "fp8",
  F8_E5M2: "fp8",
  I8: "int8",
};

function variantOf(quantization: string, format: string, sizeGb: number | undefined): Variant {
  return sizeGb === undefined ? { quantization, format } : { quantization, format, size_gb: sizeGb };
}
