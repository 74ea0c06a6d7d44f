import type { Model } from "./model.ts";
import type { SourceRecord } from "./record.ts";
import { searchText } from "./search-text.ts";

/**
 * The record that a model was made from, as far as it can be read off the model: for inventories that did not keep what
 * their sources told. The card is what the searched text has behind everything else.
 */
export function entryRecord(model: Model, text: string): SourceRecord {
  const start = `${searchText(model)}. `;
  return {
    name: model.name,
    source_url: model.sourceUrl,
    task_types: filled(model.labels),
    tags: filled(model.tags),
    description: model.description,
    license: model.license,
    parameters: model.parameters,
    active_parameters: model.activeParameters,
    context_length: model.contextLength,
    size_gb: model.sizeGb,
    downloads: model.downloads,
    likes: model.likes,
    updated_at: model.updatedAt === undefined ? undefined : new Date(model.updatedAt).toISOString(),
    library: model.library,
    languages: filled(model.languages),
    base_model: model.baseModel,
    gated: model.gated,
    variants: model.variants.map(({ quantization, format, sizeGb, repository }) => ({
      quantization,
      format,
      size_gb: sizeGb,
      repository,
    })),
    card: text.startsWith(start) ? text.slice(start.length) : undefined,
    attention: model.attention,
    facts_from: Object.keys(model.factsFrom).length > 0 ? model.factsFrom : undefined,
  };
}

/** A list, where it has something: what is absent is told by something else, such as the tags. */
function filled<T>(list: readonly T[]): T[] | undefined {
  return list.length > 0 ? [...list] : undefined;
}
