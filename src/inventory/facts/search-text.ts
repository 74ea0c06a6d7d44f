import { languageName } from "./languages.ts";
import type { Model } from "./model.ts";

/** How many characters of a model card are searched. Its beginning says what the model is for. */
export const CARD_CHARS = 2_000;

/** Tags that say nothing about what a model is good for. */
const uselessTag =
  /^(?:license|region|arxiv|doi|deploy|base_model|dataset|endpoints_compatible|autotrain_compatible|text-embeddings-inference|text-generation-inference|eval-results|model-index|safetensors|pytorch|tf|jax|rust|onnx|custom_code|transformers|has_space|model_hub_mixin|pytorch_model_hub_mixin|not-for-all-audiences)\b/;

/**
 * The searched text of a model: the parts of its name, its tasks in words, its useful tags, languages, family,
 * library, description and the beginning of its card. A model without a description is found by the other parts.
 */
export function searchableText(model: Model, card?: string): string {
  const owner = model.name.split("/")[0] ?? "";
  const shortName = model.name.split("/")[1] ?? "";
  const tags = model.tags.filter((tag) => !uselessTag.test(tag) && tag.length > 2 && !model.labels.includes(tag));
  return [
    words(shortName),
    owner,
    model.labels.map(words).join(". "),
    model.types.includes("code") ? "code programming software" : "",
    model.description ?? "",
    model.family,
    tags.map(words).join(", "),
    // A model of a hundred languages is not about any of them.
    model.languages.length <= 8 ? model.languages.map(languageName).join(" ") : "multilingual many languages",
    model.library ?? "",
    (card ?? "").slice(0, CARD_CHARS),
  ]
    .filter((part) => part !== "")
    .join(". ");
}

function words(name: string): string {
  return name.replace(/[-_.:/]+/g, " ");
}
