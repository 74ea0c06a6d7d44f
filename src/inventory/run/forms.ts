import { effectiveBits } from "../../hardware/index.ts";
import type { Model, Variant } from "../facts/model.ts";

/** How to start a model with an engine. */
export interface RunCommand {
  engine: string;
  /** shell, python or javascript. */
  language: "shell" | "python" | "javascript";
  /** One or more lines. */
  command: string;
  /** Where the engine is described. */
  url: string;
  /** The variant that it downloads, if it is known. */
  quantization?: string;
  /** The repository that it downloads from. */
  repository?: string;
  /** Notes to read before running it. */
  note?: string;
}

/** A variant in a repository of the Hub. */
export interface Form {
  repository: string;
  quantization: string;
  format: string | undefined;
  sizeGb: number | undefined;
  bits: number;
  /** Whether the inventory knows the repository's own variants; a model that names a repository may list others. */
  isListed: boolean;
}

/** A command as an engine's function makes it. A `url` replaces the engine's own. */
export type Made = Omit<RunCommand, "engine" | "url" | "note"> & { url?: string };

/**
 * Names come from outside, and people paste the commands into shells. So other characters are refused, and so are names
 * that a shell command would read as an option.
 */
export const hubName = /^(?!-)[\w.-]{1,96}\/[\w.-]{1,96}$/;

/** Whether the repository of a model is on the Hub. */
export function isAtHub({ name, sources, sourceUrl = "" }: Model): boolean {
  const isListed = sources.some((source) => source.name === "huggingface");
  return hubName.test(name) && (isListed || /^https:\/\/huggingface\.co\//.test(sourceUrl));
}

/**
 * The variants on the Hub: the model's own, those of its maker's other repositories, those in repositories that its
 * sources name, then those of the most downloaded repackaging.
 */
export function formsOf(model: Model): Form[] {
  const others = new Map(model.repackagings?.map((other) => [other.name, other]));
  const owner = model.key.slice(0, model.key.indexOf("/") + 1);
  const rankOf = ({ repository }: Variant) => {
    const other = others.get(repository ?? "");
    if (repository === undefined || repository === model.name) {
      return 0;
    }
    return other?.key.startsWith(owner) ? 1 : other === undefined ? 2 : 3 + 1 / (1 + (other.downloads ?? 0));
  };
  return [...model.variants]
    .sort((a, b) => rankOf(a) - rankOf(b))
    .flatMap((variant) => {
      const repository = variant.repository ?? model.name;
      const publisher = repository === model.name ? model : others.get(repository);
      if (
        variant.unpublished ||
        !hubName.test(repository) ||
        (publisher !== undefined && !publishes(publisher, variant))
      ) {
        return [];
      }
      const { quantization, format, sizeGb } = variant;
      const { bits } = effectiveBits(quantization);
      return [{ repository, quantization, format, sizeGb, bits, isListed: publisher !== undefined }];
    });
}

/** Whether a repository of the Hub has a variant. */
function publishes(publisher: Model, { quantization }: Variant): boolean {
  return isAtHub(publisher) && publisher.variants.some((own) => own.quantization === quantization && !own.unpublished);
}

/** Variants of about as many bits are of full quality; others of llama.cpp are compared with 8 bits, which lose nothing. */
const LOSSLESS_BITS = 9;

/** Bits of Q4_K_M, the usual choice where memory is short. */
const SMALL_BITS = 4.8;

const MOST_SMALL_BITS = 5.3;

/** The best variant and that of about four bits, at most one of each. The first of equal ones is taken. */
export function choose(forms: readonly Form[]): Form[] {
  const lossless = forms.filter(({ bits }) => bits <= LOSSLESS_BITS);
  const [best] = [...(lossless.length > 0 ? lossless : forms)].sort((a, b) => b.bits - a.bits);
  const [small] = forms
    .filter(({ bits }) => bits >= 4 && bits <= MOST_SMALL_BITS)
    .sort((a, b) => Math.abs(a.bits - SMALL_BITS) - Math.abs(b.bits - SMALL_BITS));
  return [...new Set([best, small])].filter((form) => form !== undefined);
}

/** Labels of models that chat. */
export const chatLabels: ReadonlySet<string> = new Set(["text-generation", "image-text-to-text", "any-to-any"]);

/** Labels of models that make vectors of texts. */
export const embeddingLabels: ReadonlySet<string> = new Set(["feature-extraction", "sentence-similarity"]);

/** Whether a model has one of these labels. */
export function isFor({ labels }: Model, wanted: ReadonlySet<string>): boolean {
  return labels.some((label) => wanted.has(label));
}

/** Labels of models that make vectors of images. */
export const imageLabels: ReadonlySet<string> = new Set(["zero-shot-image-classification", "image-feature-extraction"]);

/** Whether a model ranks texts for a query. */
export function isRanker({ labels }: Model): boolean {
  return labels.includes("text-ranking");
}

/** Whether a model takes images beside text. */
export function seesImages({ labels, capabilities = [] }: Model): boolean {
  return labels.includes("image-text-to-text") || (labels.includes("any-to-any") && capabilities.includes("vision"));
}

/** The model's repository if its variants are not known. */
export function ownWithoutVariants(model: Model): Pick<Form, "repository"> | undefined {
  const hasOwn = model.variants.some(({ repository }) => repository === undefined || repository === model.name);
  return !hasOwn && isAtHub(model) && !/gguf|ggml|mlx|onnx|exl[23]/i.test(model.name)
    ? { repository: model.name }
    : undefined;
}

/** Whether one of these libraries loads a model, by its field or its tags. */
export function loads({ library, tags }: Model, ...libraries: readonly string[]): boolean {
  return libraries.some((name) => library === name || tags.includes(name));
}

/** Whether a repository has only an adapter of another model's weights. */
export function isAdapter({ library, tags }: Model): boolean {
  return library === "peft" || tags.some((tag) => /^lora$|^base_model:adapter:/.test(tag));
}

/** Repositories with Python code of their own. These libraries run that code only with an option. */
export function hasOwnCode({ tags }: Model): boolean {
  return tags.includes("custom_code");
}

/** The fields of a command that name the variant it downloads. */
export function pick({ repository, quantization, isListed = true }: Pick<Form, "repository"> & Partial<Form>) {
  return { repository, ...(isListed && quantization !== undefined && { quantization }) };
}
