/** Sizes in the name of a model. */
export interface NamedParameters {
  parameters?: number;
  activeParameters?: number;
  /** Numbers that look like a size but are something else: 2 billion for `laion2B`, 4 billion for `E4B`. */
  others: readonly number[];
}

const count = "(\\d{1,4}(?:[._]\\d{1,3})?)([bmt])(?![a-z0-9])";
const total = new RegExp(`(?<![a-z0-9.])${count}`, "gi");
const active = new RegExp(`(?<![a-z0-9])a${count}`, "i");
/** Llama 4 names the active parameters and the number of experts: 17B-16E has 109 billion. */
const activeAndExperts = new RegExp(`(?<![a-z0-9.])${count}-\\d+e(?![a-z0-9])`, "i");
/** After a letter: samples seen (s34B), the training set (lvd142m), parameters without embeddings (E4B). */
const glued = new RegExp(`(?<=[a-z])${count}`, "gi");

/**
 * Names whose number means something else: drafts and adapters are named after the model that they help, CLIP's laion
 * after the number of pictures, and the experts of 8x7B share layers.
 */
const otherMeanings =
  /(?<![a-z])(?:eagle\d?|dflash|draft|drafter|speculator|medusa|lora|qlora|dora|adapter|mmproj|projector|tokenizer|controlnet|vae|laion\w*)(?![a-z])|(?<![a-z0-9])\d+x\d+(?:\.\d+)?[bm](?![a-z0-9])/i;
/** Text after a quantization's name describes the quantization: `GPTQ-4b-128g`. */
const quantizationOn = /(?:^|[-_.])(?:gptq|awq|exl[23]|int[48]|w\d{1,3}a\d{1,3}).*/is;

const units: Readonly<Record<string, number>> = { m: 1e6, b: 1e9, t: 1e12 };

/**
 * The parameter counts in a model's name (`Qwen3-30B-A3B`, `wav2vec2-xls-r-300m`), as its makers rounded them.
 *
 * @param name `owner/model`; the owner is ignored.
 */
export function namedParameters(name: string): NamedParameters {
  const short = name.slice(name.indexOf("/") + 1).replace(quantizationOn, "");
  const others = [...short.matchAll(glued)].map(figure);
  if (otherMeanings.test(short)) {
    return { others: [...others, ...[...short.matchAll(total)].map(figure)] };
  }
  const experts = activeAndExperts.exec(short);
  if (experts !== null) {
    return { activeParameters: figure(experts), others: [...others, figure(experts)] };
  }
  const counts = [...short.matchAll(total)].filter((match) => figure(match) > 0);
  // Next to a size in B or M, a T counts tokens: TinyLlama-1.1B-3T.
  const sizes = counts.filter(([, , unit]) => unit?.toLowerCase() !== "t");
  const figures = (sizes.length > 0 ? sizes : counts).map(figure);
  const activeMatch = active.exec(short);
  return {
    // The largest: next to 7B, 1M counts tokens of context, and 1B is the active part.
    ...(figures.length === 0 ? {} : { parameters: Math.max(...figures) }),
    ...(activeMatch === null ? {} : { activeParameters: figure(activeMatch) }),
    others,
  };
}

function figure([, digits = "", unit = ""]: RegExpMatchArray): number {
  return Math.round(Number(digits.replace("_", ".")) * (units[unit.toLowerCase()] as number));
}
