import { rareLanguages } from "../../../inventory/index.ts";
import { codeOfLanguage, pureNames, sharedNames } from "./text/language-names.ts";
import { isNegated } from "./text/negation.ts";
import type { Rule } from "./text/phrases.ts";
import { type Text, words } from "./text/text.ts";
import type { Found } from "./wish.ts";

/** Things that have a language: "French text". A name right before one of them means the language. */
const languageThings = words(
  "speech text texts audio language speaker speakers speaking spoken voice voices word words sentence sentences corpus corpora",
  "document documents news article articles review reviews tweet tweets tweeted email emails letter letters book books poem poems",
  "poetry translation translations translator transcript transcripts transcription subtitles subtitle captions caption dialect",
  "dialects accent accents accented model models llm llms bert gpt embedding embeddings encoder ner ocr tts asr stt grammar",
  "vocabulary script handwriting handwritten sentiment summaries summary summarization summarisation qa question questions",
  "passage passages chat chatbot conversation conversations dialogue version versions prompt prompts input output only",
  "native lyrics podcast podcasts radio lessons lesson novel novels paragraph paragraphs comment comments post posts headline",
  "headlines named pos tokens token wikipedia messages message recordings recording calls speakers' stt entities spelling",
  "similarity semantic toxicity reranking retrieval cross wording spellings characters entity hate intent emotion nli mlm stt search",
  "writing verse prose manga language's sources extractive clips interviews interview learner learners learning",
  "menu menus recipe recipes sign signs form forms contract contracts invoice invoices essay essays homework diary diaries",
);
/** People who are addressed in their own language: "for Polish citizens". */
const people = words(
  "citizens customers clients users readers listeners callers patients pensioners seniors pupils students children kids audience",
);
/** Words between the name and the thing: "Brazilian legal text", "Chinese supplier emails". */
const languageAdjectives = words(
  "legal medical historical old spoken written handwritten clinical biomedical financial product customer named social media",
  "extractive scientific court speech sentence masked supplier user support question voice technical informal formal noisy",
  "government tax bank insurance police school university municipal patent press hospital",
  "web female male zero short long named conversational council newspaper hotel read parliamentary",
  "app apps shop store restaurant film movie book forum youtube amazon google senior elderly young deaf blind",
);
/** Words before a language. */
const leadsToLanguage = words(
  "in into to from between speak speaks speaking spoke understand understands understanding read reads write writes written",
  "learn learns learning practise practice practising teach both support supports supporting handle handles know knows only plain good",
  "correct decent proper idiomatic fluent academic clean simple standard british american broken old modern brazilian european latin swiss austrian canadian mexican simplified traditional",
  "their my native colloquial everyday natural fluent than of for with covers covering spoken also mainly mostly",
);
/** Words before the name of a rare language, which may also be a place: "in Koba" may mean the town. */
const leadsToRare = words(
  "speak speaks speaking spoke spoken understand understands into learn learns learning teach fluent native colloquial",
);
/** If one of these words follows the name of a language, the name is used as a noun. */
const afterNoun = words(
  "and or for with on that which from to into by using at as too please but so in while who when where if because under via is are",
  "comes come goes works sounds what how why whether about instead first again back there here before after during without via than only speaking i we you it must should can not all if like would of out over offline automatically",
);
/** If one of these words follows a name, it is not a language, even after "in": "in Latin America", "in English class". */
const notAfter = words(
  "america american premier pastry pastries class classes department teacher teachers sign alphabet numerals orange oranges",
);
/** Words before "language" for languages that are not human. */
const notHuman = words(
  "programming query markup scripting computer coding formal assembly design shader sign hardware modelling modeling",
);

/** Codes of languages. Many are also words ("it", "no", "am", "is"), so a code counts only beside another one. */
const twoLetterCodes: ReadonlySet<string> = new Set(
  [...Object.values(sharedNames), ...Object.values(pureNames)].filter((code) => code.length === 2),
);

/** The codes of rare languages by name, in lower case. A name that a more common language has too means that language. */
const rareCodes: ReadonlyMap<string, string> = new Map(
  [...rareLanguages()]
    .map(([code, { name }]) => [name.toLowerCase().replaceAll("-", " "), code] as const)
    .filter(([name]) => codeOfLanguage(name) === undefined),
);

/** The most words of such a name. */
const MOST_NAME_WORDS = Math.max(...[...rareCodes.keys()].map((name) => name.split(" ").length));

const language = (code: string, from: number, to: number): Found => ({
  wish: { kind: "language", value: code === "mul" ? "multilingual" : code, code },
  from,
  to,
});

export const languageRules: readonly Rule[] = [
  { phrases: [Object.keys(pureNames).join("|")], unlessNegated: true, read: readPure },
  { phrases: [Object.keys(sharedNames).join("|")], unlessNegated: true, read: readShared },
  { phrases: [[...twoLetterCodes].join("|")], read: readCode },
  // Only the first words are indexed: thousands of phrases would make each start slower.
  { phrases: [[...new Set([...rareCodes.keys()].map((name) => name.split(" ")[0]))].join("|")], read: readRare },
  {
    phrases: [
      "multilingual|multilingually|multi lingual|language|languages?",
      "crosslingual|polyglot|bilingual|trilingual|plurilingual",
      "cross lingual|language",
      "language agnostic|independent",
      "many|several|multiple|different|various|all|any|other|most|more|numerous|foreign|european|african|indian|asian|nordic|world|low european|african|indian|asian|resource|the|major|official|foreign|common|different? languages|language",
      "languages of all kinds",
    ],
    unlessNegated: true,
    read: (text, from, to) => {
      const last = text.word(to);
      const first = text.word(from);
      if (first.startsWith("multi") && to > from && last === "multilingual") {
        return undefined;
      }
      if (isIdentification(text)) {
        return undefined;
      }
      if (first === "multi" && last === "multi") {
        return undefined;
      }
      if (
        last === "language" &&
        (first === "the" || first === "other" || first === "different" || first === "foreign" || first === "low")
      ) {
        return undefined;
      }
      if (notHuman.has(text.word(to - 1)) || notHuman.has(text.before(from))) {
        return undefined;
      }
      if (text.after(to) === "model" && last === "language") {
        return undefined;
      }
      return language("mul", from, to);
    },
  },
  {
    phrases: ["languages"],
    read: (text, from, to) => {
      // "100 languages", "eight languages", "ten European languages".
      const at = /^(?:european|african|indian|asian|different|foreign|official|major|world|low|resource)$/.test(
        text.before(from),
      )
        ? from - 2
        : from - 1;
      if (at < 0 || !text.joined(at, to) || isIdentification(text)) {
        return undefined;
      }
      const word = text.word(at);
      const isCount =
        /^\d{1,4}$/.test(word) ||
        /^(?:two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|fifty|hundred|dozens?|hundreds)$/.test(
          word,
        );
      return isCount && !isNegated(text, at, to) ? language("mul", at, to) : undefined;
    },
  },
];

/** Whether the description asks to identify languages, which is a task and names no language to handle. */
function isIdentification(text: Text): boolean {
  return /language (?:identification|detection|id\b)|which language|what language/i.test(text.description);
}

function readPure(text: Text, from: number, to: number): Found | undefined {
  const code = codeOfLanguage(text.word(from));
  if (code === undefined || notAfter.has(text.after(to))) {
    return undefined;
  }
  if (/^(?:gum|coffee|duck|ducks|fish|garden|tea|horse|horses|warriors?|bazaar)$/.test(text.after(to))) {
    return undefined;
  }
  return withLead(text, code, from, to);
}

/**
 * Reads the name of a language without a two-letter code. Such a name may also be that of a place or of a people. So each
 * of its words must have a capital letter. If it is a single word, a word beside it must also say that a language is meant.
 */
function readRare(text: Text, from: number): Found | undefined {
  for (let to = from + MOST_NAME_WORDS - 1; to >= from; to--) {
    const places = Array.from({ length: to - from + 1 }, (_, k) => from + k);
    const code = rareCodes.get(places.map((at) => text.word(at)).join(" "));
    if (code === undefined || !text.joined(from, to) || !places.every((at) => text.isCapitalised(at))) {
      continue;
    }
    const isMeant =
      to > from || leadsToRare.has(text.before(from)) || isLanguageThing(text, to) || isPaired(text, from, to);
    if (isMeant && !isNegated(text, from, to) && !notAfter.has(text.after(to))) {
      return withLead(text, code, from, to);
    }
  }
  return undefined;
}

/** Reads "EN to DE", "en-de", "FR->EN": a code beside another one, both in capitals or both not. */
function readCode(text: Text, from: number, to: number): Found | undefined {
  const isBeside = (step: 1 | -1): boolean => {
    const isSpelledOut = text.word(from + step) === "to";
    const at = from + (isSpelledOut ? 2 * step : step);
    if (!twoLetterCodes.has(text.word(at)) || text.word(at) === text.word(from)) {
      return false;
    }
    const between = text.between(step === 1 ? at : from);
    return (
      (isSpelledOut || /^\s*(?:-|–|→|\/|-+>|=>)\s*$/.test(between)) && isCapital(text, at) === isCapital(text, from)
    );
  };
  if (!isBeside(1) && !isBeside(-1)) {
    return undefined;
  }
  const isTranslating = /translat|language|subtitle|corpus|corpora/i.test(text.description);
  return isTranslating || (isCapital(text, from) && /\bEN\b/.test(text.description))
    ? language(text.word(from), from, to)
    : undefined;
}

function isCapital(text: Text, at: number): boolean {
  return text.raw(at) === text.raw(at).toUpperCase();
}

function readShared(text: Text, from: number, to: number): Found | undefined {
  const word = text.word(from);
  const code = codeOfLanguage(word);
  if (code === undefined) {
    return undefined;
  }
  const next = text.after(to);
  if (notAfter.has(next)) {
    return undefined;
  }
  const before = text.word(from - 1);
  // Not the verb: "polish the text", "to polish my emails", "Polish my essay".
  if (word === "polish" && !isPolishLanguage(text, from, to)) {
    return undefined;
  }
  if (word === "english" && /^(?:plain|simple)$/.test(before)) {
    return undefined;
  }
  if (word === "brazilian" || word === "israeli" || word === "ethiopian" || word === "afghan") {
    if (codeOfLanguage(next) === code || !isLanguageThing(text, to)) {
      return undefined;
    }
    return language(code, from, to);
  }
  if (isLanguageThing(text, to) || isForPeople(text, from, to)) {
    return withLead(text, code, from, to);
  }
  if (next === "" || afterNoun.has(next)) {
    if (leadsToLanguage.has(text.before(from)) || isPaired(text, from, to) || text.endsSegment(to)) {
      // "Of the French" and "with a German" mean people and things.
      const lead = text.before(from);
      if (lead === "a" || lead === "an" || lead === "the") {
        return undefined;
      }
      if (next !== "" && !leadsToLanguage.has(lead) && !isPaired(text, from, to)) {
        return undefined;
      }
      if (
        next === "" &&
        lead !== "" &&
        !leadsToLanguage.has(lead) &&
        !isPaired(text, from, to) &&
        !endsBare(text, from, to)
      ) {
        return undefined;
      }
      return withLead(text, code, from, to);
    }
    return undefined;
  }
  // "French-English pairs", "Japanese to German": the neighbour is a language too.
  if (isPaired(text, from, to)) {
    return language(code, from, to);
  }
  // An adverb may follow, as in "in German automatically"; a noun would make the name an adjective.
  return /^(?:in|into)$/.test(text.before(from)) && (next.endsWith("ly") || codeOfLanguage(next) !== undefined)
    ? withLead(text, code, from, to)
    : undefined;
}

/** Whether the name ends a segment without a determiner before it: "… detector german, CPU", "speech recognition Dutch". */
function endsBare(text: Text, from: number, to: number): boolean {
  return (
    text.endsSegment(to) &&
    !/^(?:a|an|the|some|every|each|is|are|was|be|as|very|more|our|new|authentic)$/.test(text.word(from - 1))
  );
}

function isForPeople(text: Text, from: number, to: number): boolean {
  const next = text.after(to);
  return (
    text.before(from) === "for" &&
    (people.has(next) || (languageAdjectives.has(next) && people.has(text.after(to + 1))))
  );
}

function isLanguageThing(text: Text, at: number): boolean {
  const next = text.after(at);
  if (languageThings.has(next)) {
    return true;
  }
  return (
    languageAdjectives.has(next) &&
    (languageThings.has(text.after(at + 1)) ||
      (languageAdjectives.has(text.after(at + 1)) && languageThings.has(text.after(at + 2))))
  );
}

/** Whether another language is beside it, after a hyphen, "to", "and", "or", a comma, a slash or an arrow. */
function isPaired(text: Text, from: number, to: number): boolean {
  const beside = (step: 1 | -1, edge: number): boolean => {
    let at = edge + step;
    if (/^(?:to|and|or|into|from|between|vs|versus|then|nor)$/.test(text.word(at))) {
      at += step;
    }
    const gapAt = step === 1 ? at : edge;
    if ((text.tokens[gapAt]?.gap ?? 2) === 2) {
      return false;
    }
    return codeOfLanguage(text.word(at)) !== undefined;
  };
  return beside(-1, from) || beside(1, to);
}

function isPolishLanguage(text: Text, from: number, to: number): boolean {
  const next = text.after(to);
  if (/^(?:the|my|our|your|his|her|their|up|this|these|it|a|an|drafts?)$/.test(next)) {
    return false;
  }
  const before = text.before(from);
  if (before === "in" || before === "into" || before === "from") {
    return true;
  }
  if (text.isCapitalised(from) && (!text.startsSentence(from) || isPaired(text, from, to))) {
    return before !== "to" || next === "" || afterNoun.has(next) || languageThings.has(next);
  }
  if (text.isCapitalised(from)) {
    return /^(?:speech|language|transcription|encoder|sentiment|embeddings?|translation|speakers?|speaking|audio|voice|ner|bert|model|llm|asr|tts|voices)$/.test(
      next,
    );
  }
  return before !== "to"
    ? isPaired(text, from, to) && next === ""
    : isPaired(text, from, to) && (next === "" || afterNoun.has(next) || languageThings.has(next));
}

/** Makes the wish with the preposition before the name, and "speaking", "language" or "only" after it. */
function withLead(text: Text, code: string, from: number, to: number): Found {
  const start = /^(?:in|into|from|to)$/.test(text.before(from)) ? from - 1 : from;
  const next = text.after(to);
  return language(code, start, next === "speaking" || next === "language" || next === "only" ? to + 1 : to);
}

/** Marks source and target languages: "French to English", "into English from French", "into Thai". */
export function tagLanguageSides(found: Found[], text: Text): Found[] {
  const languages = found.filter(({ wish }) => wish.kind === "language");
  const [first, second] = languages.map(({ from }) => leadOf(text, from));
  let sides: ReadonlyArray<"from" | "to" | undefined> = [];
  // "In Thai" alone gives no direction: the input or the output may be in Thai.
  if (languages.length === 1) {
    sides = [first === "in" ? undefined : first];
  } else if (languages.length === 2 && first === "to" && second === "from") {
    sides = ["to", "from"];
  } else if (languages.length === 2 && first !== "to" && (second === "to" || second === "in")) {
    sides = ["from", "to"];
  }
  return found.map((each) => {
    const side = sides[languages.indexOf(each)];
    return side === undefined || each.wish.kind !== "language" ? each : { ...each, wish: { ...each.wish, side } };
  });
}

/** The direction that the preposition at or before a language gives. */
function leadOf(text: Text, at: number): "from" | "to" | "in" | undefined {
  const own = text.word(at);
  const lead = /^(?:from|to|into|in)$/.test(own) ? own : text.before(at);
  if (lead === "from" || lead === "in") {
    return lead;
  }
  return lead === "to" || lead === "into" ? "to" : undefined;
}
