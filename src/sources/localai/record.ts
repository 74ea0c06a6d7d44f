import { z } from "zod";
import { parseRecord, type SourceRecord } from "../../inventory/index.ts";
import { cardText } from "../record/card-text.ts";
import { namedParameters } from "../record/named-parameters.ts";
import { COMPUTED_SIZES, repositoryVariants } from "../record/repository-variants.ts";

/**
 * The parts of a gallery entry that we read, as LocalAI's index.yaml has them. The entries are written by hand, so an
 * invalid field is left out, and only an entry without a name is refused.
 */

const text = z.string().nullish().catch(undefined);
const words = z
  .array(z.unknown())
  .transform((list): string[] => list.filter((word) => typeof word === "string"))
  .nullish()
  .catch(undefined);

/** No name of a model is longer, and every pattern reads this many quickly. */
const MOST_NAME_CHARS = 1_000;

export const galleryEntrySchema = z.object({
  // YAML may have read a name as a number.
  name: z.union([z.string(), z.number()]).transform(String).pipe(z.string().trim().min(1).max(MOST_NAME_CHARS)),
  urls: words,
  description: text,
  license: text,
  tags: words,
  size: text,
  files: z
    .array(z.object({ filename: text, uri: text }).nullish().catch(undefined))
    .nullish()
    .catch(undefined),
  overrides: z
    .object({
      backend: text,
      known_usecases: words,
    })
    .nullish()
    .catch(undefined),
});

export type GalleryEntry = z.infer<typeof galleryEntrySchema>;

/** The Hub page of a model, not of a data set or document. */
const hubModel =
  /^https?:\/\/(?:www\.)?huggingface\.co\/(?!(?:datasets|spaces|papers|docs|blog|collections|posts|organizations)\/)([\w.-]{1,96})\/([\w.-]{1,96})/;
/** Address of a file: `huggingface://owner/model/path`, or its URL on the Hub. */
const hubFile = /^(?:huggingface:\/\/|hf:\/\/|https?:\/\/(?:www\.)?huggingface\.co\/)([\w.-]+\/[\w.-]+)\/(.+)$/;

const galleryPage = "https://localai.io/gallery.html";

/**
 * The record of a gallery entry, or what is wrong with it.
 *
 * @param taken keys of models that other entries have. A second entry of a Hub model keeps the gallery's name.
 */
export function localAiRecord(entry: GalleryEntry, taken: ReadonlySet<string>): ReturnType<typeof parseRecord> {
  const repositories = (entry.urls ?? []).flatMap((url) => {
    const found = hubModel.exec(url.trim());
    return found === null ? [] : [{ owner: found[1] as string, name: found[2] as string }];
  });
  const { name, base } = nameOf(entry.name.trim(), repositories, taken);
  const { variants, computed } = variantsOf(entry, name);
  const { parameters, activeParameters } = namedParameters(name);
  const card = cardText(entry.description ?? "");
  return parseRecord({
    name,
    source_url: sourceUrl(entry) ?? galleryPage,
    task_types: galleryTasks(entry),
    tags: (entry.tags ?? []).map((tag) => tag.trim()).filter((tag) => tag !== "" && tag.length <= 300),
    description: card.summary ?? (card.text === "" ? undefined : card.text.slice(0, 600)),
    license: entry.license?.trim() || undefined,
    parameters,
    active_parameters: activeParameters,
    base_model: base,
    variants: variants.length > 0 ? variants : undefined,
    card: card.text === card.summary || card.text === "" ? undefined : card.text,
    facts_from: {
      ...(parameters === undefined ? {} : { parameters: "the model's name" }),
      ...(computed ? { variants: COMPUTED_SIZES } : {}),
    },
  });
}

/**
 * `owner/model`: the owner is that of the entry's huggingface.co page, else `localai`. If the page is of the same model
 * (`ibm-granite_granite-4.0-h-tiny` and ibm-granite/granite-4.0-h-tiny), the Hub's name is used, so that both sources
 * describe one model; otherwise the page is the base model.
 */
function nameOf(
  entryName: string,
  repositories: ReadonlyArray<{ owner: string; name: string }>,
  taken: ReadonlySet<string>,
): { name: string; base?: string } {
  const plain = entryName.replaceAll("/", "-");
  const [first] = repositories;
  if (first === undefined) {
    return { name: `localai/${plain}` };
  }
  const same = repositories.find(
    ({ owner, name }) => alike(name, plain) || alike(`${owner}_${name}`, plain) || alike(`${owner}-${name}`, plain),
  );
  if (same !== undefined && !taken.has(`${same.owner}/${same.name}`.toLowerCase())) {
    return { name: `${same.owner}/${same.name}` };
  }
  const short = alike(plain.slice(0, first.owner.length + 1), `${first.owner}_`)
    ? plain.slice(first.owner.length + 1)
    : plain;
  const name = [short, plain].find((text) => !taken.has(`${first.owner}/${text}`.toLowerCase())) ?? plain;
  return { name: `${first.owner}/${name}`, base: `${first.owner}/${first.name}` };
}

function alike(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function sourceUrl({ urls }: GalleryEntry): string | undefined {
  return urls?.map((url) => url.trim()).find((url) => isPage(url));
}

function isPage(text: string): boolean {
  const url = text.length <= 2_000 && /^https?:\/\//.test(text) ? URL.parse(text) : null;
  return url !== null && url.username === "" && url.password === "";
}

/** The files that LocalAI downloads, and their repository. */
function variantsOf(
  entry: GalleryEntry,
  name: string,
): { variants: NonNullable<SourceRecord["variants"]>; computed: boolean } {
  const files = (entry.files ?? []).flatMap((file) => {
    const uri = file?.uri?.trim();
    if (uri === undefined) {
      return [];
    }
    const found = hubFile.exec(uri);
    const path = (found?.[2] ?? file?.filename ?? uri)
      .replace(/^(?:resolve|blob|raw)\/[^/]+\//, "")
      .replace(/\?.*/s, "");
    return [{ path, repository: found?.[1] }];
  });
  const totalBytes = declaredBytes(entry.size);
  // The size is that of all files; with one file it is the variant's size.
  const bytes = files.length === 1 ? totalBytes : undefined;
  const { parameters } = namedParameters(name);
  const { variants, computed } = repositoryVariants({ files: files.map(({ path }) => ({ path, bytes })), parameters });
  const repository = files.find(({ repository }) => repository !== undefined)?.repository;
  const isElsewhere = repository !== undefined && !alike(repository, name);
  return { variants: variants.map((v) => (isElsewhere ? { ...v, repository } : v)), computed };
}

/** Reads `1.5GB` as bytes. LocalAI counts 1,000 bytes to the kB. */
function declaredBytes(size: string | null | undefined): number | undefined {
  const found = /^\s*(\d+(?:\.\d+)?)\s*([MGT])i?B\s*$/i.exec(size ?? "");
  const unit = { M: 1e6, G: 1e9, T: 1e12 }[found?.[2]?.toUpperCase() ?? ""];
  return found === null || unit === undefined ? undefined : Number(found[1]) * unit;
}

/** The hub label of each use of LocalAI that has one. */
const labelOfUse: Readonly<Record<string, string>> = {
  chat: "text-generation",
  completion: "text-generation",
  embeddings: "feature-extraction",
  token_classify: "token-classification",
  image: "text-to-image",
  video: "text-to-video",
  transcript: "automatic-speech-recognition",
  vad: "voice-activity-detection",
  tts: "text-to-speech",
  sound_generation: "text-to-audio",
  audio_transform: "audio-to-audio",
  speaker_recognition: "audio-classification",
  realtime_audio: "audio-text-to-text",
  face_recognition: "image-feature-extraction",
  detection: "object-detection",
  rerank: "text-ranking",
};

/** The hub label of tags, for entries without a use. The first match counts. */
const labelOfTag: ReadonlyArray<readonly [tags: readonly string[], label: string]> = [
  [["text-to-speech", "tts", "voice-cloning"], "text-to-speech"],
  [["speech-recognition", "asr", "stt", "transcription", "speech-to-text"], "automatic-speech-recognition"],
  [["vad", "voice-activity-detection"], "voice-activity-detection"],
  [["image-to-video"], "image-to-video"],
  [["text-to-video", "video-generation"], "text-to-video"],
  [["image-editing", "image-to-image"], "image-to-image"],
  [["text-to-image", "image-generation"], "text-to-image"],
  [["depth-estimation"], "depth-estimation"],
  [["object-detection"], "object-detection"],
  [["segmentation", "image-segmentation"], "image-segmentation"],
  [["music-generation", "text-to-audio", "sound-generation"], "text-to-audio"],
  [["audio-classification", "sound-event-detection"], "audio-classification"],
  [["image-to-3d"], "image-to-3d"],
  [["reranker", "rerank", "reranking"], "text-ranking"],
  [["embedding", "embeddings", "text-embedding"], "feature-extraction"],
  [["token-classification", "ner"], "token-classification"],
  [["text-classification"], "text-classification"],
  [["image-to-text", "ocr"], "image-to-text"],
];

/** Tags of language models: most entries name what the model is good at, not that it writes text. */
const languageTags = [
  "llm",
  "chat",
  "instruction-tuned",
  "instruct",
  "reasoning",
  "roleplay",
  "creative-writing",
  "function-calling",
];
const sightTags = ["vision", "vlm", "multimodal"];

/** The hub labels of a gallery entry; empty if neither its uses nor its tags have one. */
function galleryTasks({ overrides, tags }: GalleryEntry): string[] {
  const uses = new Set(overrides?.known_usecases ?? []);
  const words = new Set((tags ?? []).map((tag) => tag.toLowerCase()));
  const declared = [...uses].flatMap((use) => labelOfUse[use] ?? []);
  const tagged = labelOfTag.find(([names]) => names.some((name) => words.has(name)))?.[1];
  const labels = declared.length > 0 ? declared : tagged === undefined ? [] : [tagged];
  const sees = uses.has("vision") || sightTags.some((tag) => words.has(tag));
  const writes =
    labels.includes("text-generation") || (labels.length === 0 && languageTags.some((tag) => words.has(tag)));
  const main = sees && (writes || uses.has("vision")) ? "image-text-to-text" : writes ? "text-generation" : undefined;
  const others = labels.filter((label) => label !== "text-generation" && label !== main);
  return [...new Set(main === undefined ? others : [main, ...others])];
}
