/** Characters of a text that are read. Texts say early what a model is for, or what is needed. */
const MAX_CHARS = 6_000;

/** Spellings that the pattern below would split. */
const symbols: readonly (readonly [RegExp, string])[] = [
  [/\bc\+\+/g, " cpp "],
  [/\b([cf])#/g, " $1sharp "],
  [/\.net\b/g, " dotnet "],
];

const diacritics = /\p{Mn}+/gu;
const apostrophes = /(?<=\p{L})['’](?=\p{L})/gu;
const word = /[\p{L}\p{N}]+/gu;

/** British spellings whose American form no rule below produces. */
const american: ReadonlyMap<string, string> = new Map(
  (
    "colour color,favour favor,favourite favorite,behaviour behavior,neighbour neighbor,labour labor,flavour flavor," +
    "humour humor,rumour rumor,armour armor,harbour harbor,tumour tumor,odour odor,colouring coloring," +
    "coloured colored,centre center,metre meter,kilometre kilometer,litre liter,fibre fiber,theatre theater," +
    "licence license,defence defense,catalogue catalog,programme program,grey gray,cheque check," +
    "jewellery jewelry,modelling modeling,modelled modeled,labelling labeling,labelled labeled," +
    "travelling traveling,traveller traveler,cancelled canceled,signalling signaling,analyse analyze," +
    "analysed analyzed,analysing analyzing,analyser analyzer,paralysed paralyzed,judgement judgment," +
    "grammes grams,tyre tire,mould mold,plough plow,sceptical skeptical,diarisation diarization"
  )
    .split(",")
    .flatMap((pair) => {
      const [british = "", spelling = ""] = pair.split(" ");
      return [
        [british, spelling],
        [`${british}s`, `${spelling}s`],
      ] as const;
    }),
);

/** Stems of words that end in -ise in American spelling too: noise, pointwise, raise, exercise, supervise. */
const alwaysIse =
  /(?:no|w|ra|bru|cru|po|pract|^r|^ar|^v|^ir|adv|dev|rev|superv|telev|prov|exerc|prec|conc|exc|inc|prom|prem|surpr|enterpr|compr|appr|repr|franch|merchand|gu|expert|parad|treat|tort|turqu|^dem|desp|advert|chast|circumc)$/;

/** A word in American spelling, as the word vectors and most writers have it. */
function americanOf(word: string): string {
  const listed = american.get(word);
  if (listed) {
    return listed;
  }
  const at = word.lastIndexOf("is");
  if (at < 3 || !/^is(?:e|es|ed|er|ers|ing|ation|ations)$/.test(word.slice(at))) {
    return word;
  }
  if (alwaysIse.test(word.slice(0, at))) {
    return word;
  }
  return `${word.slice(0, at)}iz${word.slice(at + 2)}`;
}

/**
 * The words of a text in order: lower case, in American spelling, without accents and apostrophes. Hyphens, dots and
 * all other characters separate words. Empty for a text without letters or digits. Reads the first 6,000 characters.
 */
export function wordsOf(text: string): string[] {
  let plain = text.length > MAX_CHARS ? text.slice(0, MAX_CHARS) : text;
  plain = plain.toLowerCase();
  if (!isAscii(plain)) {
    plain = plain.normalize("NFKD").replace(diacritics, "").replace(apostrophes, "");
  } else if (plain.includes("'")) {
    plain = plain.replace(apostrophes, "");
  }
  if (plain.includes("#") || plain.includes("+") || plain.includes(".net")) {
    for (const [pattern, spelling] of symbols) {
      plain = plain.replace(pattern, spelling);
    }
  }
  const words = plain.match(word) ?? [];
  for (let at = 0; at < words.length; at++) {
    if (words[at]!.length > 3) {
      words[at] = americanOf(words[at]!);
    }
  }
  return words;
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) > 127) {
      return false;
    }
  }
  return true;
}

/** A 32-bit hash of a word (FNV-1a over UTF-16 units, mixed). Words are stored by their hash, never as text. */
export function hashOf(word: string, seed = 0): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let at = 0; at < word.length; at++) {
    hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  }
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  hash ^= hash >>> 12;
  return hash >>> 0;
}
