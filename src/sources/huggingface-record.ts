import { parseRecord } from "../inventory/facts/record.ts";
import { toldLicense } from "../inventory/licenses/read-license.ts";
import type { CardText } from "./card-text.ts";
import { hubPath } from "./hub-path.ts";
import type { HubModel } from "./huggingface-api.ts";
import { publishedQuantization } from "./published-quantization.ts";
import { COMPUTED_SIZES, repositoryVariants } from "./repository-variants.ts";
import { toldSize } from "./told-size.ts";

/** Weights that somebody downloads; the rest of a repository is configuration, examples and exports. */
const weights = /\.(?:safetensors|gguf|bin|pt|pth|ckpt|onnx|nemo|h5|msgpack|mlmodel|tflite|task|litertlm)$/i;
/** The form of a field of `parseRecord`; a list that is longer, or a word, is no reason to leave the model out. */
const MOST_WORDS = 1_000;
const LONGEST_WORD = 300;

/** A model of the Hub as a record, or what is wrong with it. */
export function huggingFaceRecord(
  model: HubModel,
  { hubUrl, card }: { hubUrl: string; card?: CardText },
): ReturnType<typeof parseRecord> {
  const { cardData } = model;
  const tags = fitting(model.tags ?? []);
  const quantization = publishedQuantization(model.id, tags);
  const files = (model.siblings ?? []).map(({ rfilename, size }) => ({ path: rfilename, bytes: size ?? undefined }));
  const elements = model.safetensors?.parameters ?? undefined;
  const size = toldSize({
    name: model.id,
    elements,
    total: model.safetensors?.total ?? undefined,
    ggufParameters: model.gguf?.total || undefined,
    weightFiles: files.filter(({ path }) => weights.test(path)),
    packedBits: quantization?.packedBits,
  });
  // An adapter's name tells the size of the model that it is for.
  const isAdapter = tags.some((tag) => tag.startsWith("base_model:adapter:")) || model.library_name === "peft";
  const parameters = isAdapter ? undefined : size.parameters;
  const { variants, computed } = repositoryVariants({
    files,
    quantization: quantization?.label,
    elementType: mostOf(elements),
    safetensorsBytes: size.safetensorsBytes,
    parameters,
  });
  const languages = fitting(cardData?.language ?? []);
  return parseRecord({
    name: model.id,
    source_url: `${hubUrl}/${hubPath(model.id)}`,
    task_types: model.pipeline_tag ? [model.pipeline_tag] : undefined,
    tags,
    description: card?.summary,
    license: toldLicense({ id: cardData?.license?.[0], name: cardData?.license_name, link: cardData?.license_link }),
    parameters,
    active_parameters: isAdapter ? undefined : size.activeParameters,
    context_length: model.gguf?.context_length || undefined,
    downloads: model.downloads ?? undefined,
    likes: model.likes ?? undefined,
    updated_at: model.lastModified ?? undefined,
    library: model.library_name ?? undefined,
    languages: languages.length > 0 ? languages : undefined,
    base_model: cardData?.base_model?.length === 1 ? cardData.base_model[0] : undefined,
    gated: model.gated === undefined || model.gated === null ? undefined : model.gated !== false,
    variants: variants.length > 0 ? variants.slice(0, MOST_WORDS) : undefined,
    card: card?.text,
    facts_from: {
      ...(parameters === undefined ? {} : { parameters: size.from }),
      ...(computed ? { variants: COMPUTED_SIZES } : {}),
      ...(card?.summary === undefined ? {} : { description: "the model card" }),
    },
  });
}

/** The type that most elements have. */
function mostOf(elements: Readonly<Record<string, number>> | undefined): string | undefined {
  return Object.entries(elements ?? {}).sort((a, b) => b[1] - a[1])[0]?.[0];
}

function fitting(words: readonly string[]): string[] {
  return words
    .map((word) => word.trim())
    .filter((word) => word !== "" && word.length <= LONGEST_WORD)
    .slice(0, MOST_WORDS);
}
