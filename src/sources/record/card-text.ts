/** A model card as text. */
export interface CardText {
  /** Its text without front matter, markup, pictures and addresses of links; at most `MAX_CARD_CHARS`. */
  text: string;
  /** Its first paragraph of prose, for a description; absent if there is none. */
  summary?: string;
}

/** What comes later is examples, tables of figures and references. */
const MAX_CARD_CHARS = 20_000;
/** Nobody reads a longer description. */
const MAX_SUMMARY_CHARS = 600;
/** Shorter paragraphs are captions and badges. */
const LEAST_SUMMARY_CHARS = 40;

/** Paragraphs about the card, not the model. */
const noSummary =
  /^(?:this (?:model )?card|model card|table of contents|license|citation|contents|note\b|\[!|more information needed|https?:)/i;

/** The text of a model card in Markdown. Never throws: it leaves unknown syntax as it is. */
export function cardText(markdown: string): CardText {
  const text = withoutElements(markdown.slice(0, 8 * MAX_CARD_CHARS))
    .replace(/^\uFEFF?---\r?\n[\s\S]*?\r?\n---[^\S\n]*(?:\r?\n|$)/, "")
    .replace(/\r\n?/g, "\n")
    .replace(/<!--[\s\S]*?(?:-->|$)/g, "")
    .replace(/^(```|~~~)[^\n]*\n[\s\S]*?(?:^\1[^\n]*$|(?![\s\S]))/gm, "\n")
    .replace(/<\/?[a-z][^<>]{0,2000}>/gi, " ")
    .replace(/!\[[^\][\n]{0,200}\](?:\([^()\n]{0,2000}\)|\[[^\]\n]{0,200}\])/g, " ")
    .replace(/\[([^\][\n]{0,500})\](?:\([^()\n]{0,2000}\)|\[[^\]\n]{0,200}\])/g, "$1")
    .replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (_, name: string) => entities[name] ?? " ")
    .replace(/^[^\S\n]{0,3}(?:#{1,6}|>+)[^\S\n]*/gm, "")
    .replace(/[*_]{2,3}([^*_\n]+)[*_]{2,3}/g, "$1")
    .replace(/[^\S\n]+/g, " ")
    // Only now: on long runs of blanks these patterns take quadratic time.
    .replace(/^ ?[-:| ]{3,}$/gm, "")
    .replace(/^ | $/gm, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim()
    .slice(0, MAX_CARD_CHARS)
    .toWellFormed();
  const summary = text
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replace(/\s+/g, " ").trim())
    .find((paragraph) => isProse(paragraph) && !noSummary.test(paragraph));
  return summary === undefined ? { text } : { text, summary: shortened(summary) };
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " ", "#39": "'" };

/** HTML elements whose content is not text. Written by hand: on unclosed elements a pattern takes quadratic time. */
function withoutElements(html: string): string {
  let rest = html;
  for (const name of ["style", "script", "svg"]) {
    const close = `</${name}>`;
    const lower = rest.toLowerCase();
    let [kept, at] = ["", 0];
    for (let start = lower.indexOf(`<${name}`); start >= 0; start = lower.indexOf(`<${name}`, at)) {
      const end = lower.indexOf(close, start);
      if (end < 0) {
        break;
      }
      kept += rest.slice(at, start);
      at = end + close.length;
    }
    rest = kept + rest.slice(at);
  }
  return rest;
}

/** Whether a paragraph is sentences, not a heading, table or list. */
function isProse(paragraph: string): boolean {
  return (
    paragraph.length >= LEAST_SUMMARY_CHARS &&
    !/^(?:[-*+|]|\d+\.) /.test(paragraph) &&
    !paragraph.includes(" | ") &&
    /[.!?:。！？]/.test(paragraph) &&
    paragraph.split(" ").length >= 6
  );
}

/** The first characters, cut after a sentence if there is one. */
function shortened(text: string): string {
  if (text.length <= MAX_SUMMARY_CHARS) {
    return text;
  }
  const start = text.slice(0, MAX_SUMMARY_CHARS);
  const end = Math.max(start.lastIndexOf(". "), start.lastIndexOf("! "), start.lastIndexOf("? "));
  return end >= LEAST_SUMMARY_CHARS ? start.slice(0, end + 1) : `${start.slice(0, start.lastIndexOf(" "))}…`;
}
