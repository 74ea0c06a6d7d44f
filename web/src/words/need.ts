/** Labels of the contract's nine task types, in its order. */
export const taskTypes = {
  "text-gen": "Text",
  "image-gen": "Image & video",
  code: "Code",
  embed: "Search & similarity",
  classify: "Classification",
  vision: "Vision",
  audio: "Audio & speech",
  multimodal: "Multimodal",
  other: "Other",
} as const;

export type TaskType = keyof typeof taskTypes;

/** Whether a text is one of the nine. */
export function isTaskType(text: string): text is TaskType {
  return Object.hasOwn(taskTypes, text);
}

/** Licences to choose from: the contract's values, and common ids. */
export const licenseChoices = [
  ["", "Any licence"],
  ["open", "Open (OSI, CC-BY, public domain)"],
  ["permissive", "Permissive (MIT, Apache …)"],
  ["commercial", "Commercial use allowed"],
  ["apache-2.0", "apache-2.0"],
  ["mit", "mit"],
] as const;

/** What may decide among models that suit: the contract's values. */
export const priorityChoices = [
  ["", "As described in the text"],
  ["balanced", "Balanced"],
  ["quality", "Quality"],
  ["speed", "Speed"],
  ["size", "Small size"],
] as const;

/** What a model may be able to do beside its task: the contract's words. */
export const capabilityChoices = [
  ["tools", "call tools"],
  ["reasoning", "think before it answers"],
  ["vision", "see images"],
  ["audio", "hear sound"],
  ["structured-output", "answer in JSON"],
  ["code", "write code"],
] as const;

/** A capability in words; the contract's word if a newer service has another one. */
export function capabilityLabel(word: string): string {
  return capabilityChoices.find(([known]) => known === word)?.[1] ?? word;
}

/** Labels of the kinds of wishes. */
const labels: Readonly<Record<string, string>> = {
  size: "Size",
  hardware: "Hardware",
  license: "Licence",
  language: "Language",
  context: "Context",
  speed: "Speed",
  privacy: "Privacy",
  domain: "Subject",
  avoid: "Avoid",
  capability: "Ability",
  family: "Family",
  unavailable: "No model has",
  priority: "Priority",
};

/** The label of a kind of wish. */
export function wishLabel(kind: string): string {
  return labels[kind] ?? kind;
}
