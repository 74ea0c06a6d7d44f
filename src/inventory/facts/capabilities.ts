import { loadCatalogue } from "../../catalogue/index.ts";
import type { TaskType } from "./task-types.ts";

/** What a model can do besides its task, as the contract names it. */
export const capabilityNames = ["tools", "reasoning", "vision", "audio", "structured-output", "code"] as const;

/** The origin of facts that the catalogue's card of a model states. */
export const CATALOGUE_CARD = "modelscout's catalogue";

export type Capability = (typeof capabilityNames)[number];

/** The origin of capabilities that a source read in the chat template. */
export const CHAT_TEMPLATE = "the chat template";

/** Capabilities that a source states, and where it has them from. */
interface StatedCapabilities {
  names: readonly Capability[];
  origin: string;
}

/** The other facts of a model (see model.ts) that say what it can do. */
interface OtherFacts {
  key: string;
  name: string;
  labels: readonly string[];
  types: readonly TaskType[];
  tags: readonly string[];
  repackaging: boolean;
  baseModel?: string;
}

/** What the Hub's task labels say besides the task. */
const ofLabels: ReadonlyMap<string, Capability> = new Map([
  ["image-text-to-text", "vision"],
  ["video-text-to-text", "vision"],
  ["any-to-any", "vision"],
  ["visual-question-answering", "vision"],
  ["document-question-answering", "vision"],
  ["visual-document-retrieval", "vision"],
  ["audio-text-to-text", "audio"],
]);

/** What tags say, with `-` for blanks and underscores. They count for models that write text. */
const ofTags: ReadonlyMap<string, Capability> = new Map(
  (
    [
      ["tools", "tools tool-use tool-calling tool-call function-calling function-call"],
      ["reasoning", "reasoning thinking reasoning-model long-cot"],
      ["vision", "vision vlm vision-language vision-language-model chat-with-images"],
      ["audio", "audio-input speech-input"],
      ["structured-output", "structured-output structured-outputs json-mode json-output"],
    ] as const
  ).flatMap(([capability, tags]) => tags.split(" ").map((tag) => [tag, capability] as const)),
);

/** Labels of models that write text. A tag such as `reasoning` says something else of an embedding model. */
const writes: ReadonlySet<string> = new Set([
  "text-generation",
  "text2text-generation",
  "image-text-to-text",
  "video-text-to-text",
  "audio-text-to-text",
  "any-to-any",
]);

/** Names of models that think before they answer: Qwen3-4B-Thinking-2507, Phi-4-mini-reasoning. */
const thinkingName = /(?<!(?<![a-z])non?[-_]?)(?:thinking|reasoning)(?![a-z])/i;

/**
 * What a model can do besides its task, in the order of `capabilityNames`, and the origin of each in words. Empty if
 * nothing is known; this does not mean that the model lacks the capabilities. The origin is the first of these that
 * states the capability: the sources, the catalogue's card, the task labels, the type `code`, the tags, the name. A
 * copy in another format has what the card of its original states.
 *
 * @param stated by the sources, best first.
 */
export function capabilitiesOf(
  model: OtherFacts,
  stated: readonly StatedCapabilities[],
): { capabilities: Capability[]; origins: string | undefined } {
  const found = new Map<Capability, string>();
  const add = (capability: Capability, origin: string) => {
    if (!found.has(capability)) {
      found.set(capability, origin);
    }
  };
  const card = loadCatalogue().statedOf(model.key, model.repackaging ? model.baseModel : undefined);
  // Base models are published with the template of their line, which they were not trained on.
  const isBase = card?.readiness === "base";
  for (const { names, origin } of stated) {
    for (const name of isBase && origin === CHAT_TEMPLATE ? [] : names) {
      add(name, origin);
    }
  }
  for (const name of card?.capabilities ?? []) {
    if (isCapability(name)) {
      add(name, CATALOGUE_CARD);
    }
  }
  if (card?.readiness === "reasoning") {
    add("reasoning", CATALOGUE_CARD);
  }
  for (const label of model.labels) {
    const capability = ofLabels.get(label);
    if (capability !== undefined) {
      add(capability, `the task ${label}`);
    }
  }
  if (model.types.includes("code")) {
    add("code", "its name, tags or description");
  }
  if (!isBase && model.labels.some((label) => writes.has(label))) {
    for (const tag of model.tags) {
      const capability = ofTags.get(tag.toLowerCase().replace(/[\s_]/g, "-"));
      // Owners also tag models that are good at reasoning and answer at once; a card tells these apart.
      if (capability !== undefined && (capability !== "reasoning" || card === undefined)) {
        add(capability, `the tag ${tag}`);
      }
    }
    if (card === undefined && thinkingName.test(model.name.slice(model.name.indexOf("/")))) {
      add("reasoning", "its name");
    }
  }
  const capabilities = capabilityNames.filter((name) => found.has(name));
  return { capabilities, origins: capabilities.length === 0 ? undefined : inWords(capabilities, found) };
}

function isCapability(name: string): name is Capability {
  return (capabilityNames as readonly string[]).includes(name);
}

/** `tools, code (modelscout's catalogue), vision (the task image-text-to-text)` */
function inWords(capabilities: readonly Capability[], origins: ReadonlyMap<Capability, string>): string {
  const ofOrigin = Map.groupBy(capabilities, (name) => origins.get(name) as string);
  return [...ofOrigin].map(([origin, names]) => `${names.join(", ")} (${origin})`).join(", ");
}
