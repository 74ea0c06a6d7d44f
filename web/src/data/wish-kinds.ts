/** Kinds of wishes that words tell, as people call them. */
const labels: Readonly<Record<string, string>> = {
  size: "Size",
  hardware: "Hardware",
  license: "Licence",
  language: "Language",
  context: "Context",
  speed: "Speed",
  privacy: "Privacy",
  domain: "Field",
  avoid: "Not",
};

/** A kind of wish as people call it. */
export function wishLabel(kind: string): string {
  return labels[kind] ?? kind;
}
