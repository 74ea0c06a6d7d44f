import type { Board, BoardPurpose } from "../board.ts";

/**
 * EuroEval's leaderboards that are kept, as its files name them, with the language's ISO 639-1 code. Its groups of
 * languages but `european` are left out: they are means of the languages.
 */
export const euroEvalLanguages = {
  english: ["English", "en"],
  european: ["European languages", "en", "de", "fr", "es", "it", "nl", "pt", "pl", "sv", "da", "no", "fi", "cs", "el"],
  albanian: ["Albanian", "sq"],
  bosnian: ["Bosnian", "bs"],
  bulgarian: ["Bulgarian", "bg"],
  catalan: ["Catalan", "ca"],
  croatian: ["Croatian", "hr"],
  czech: ["Czech", "cs"],
  danish: ["Danish", "da"],
  dutch: ["Dutch", "nl"],
  estonian: ["Estonian", "et"],
  faroese: ["Faroese", "fo"],
  finnish: ["Finnish", "fi"],
  french: ["French", "fr"],
  german: ["German", "de"],
  greek: ["Greek", "el"],
  hungarian: ["Hungarian", "hu"],
  icelandic: ["Icelandic", "is"],
  italian: ["Italian", "it"],
  latvian: ["Latvian", "lv"],
  lithuanian: ["Lithuanian", "lt"],
  norwegian: ["Norwegian", "no", "nb", "nn"],
  polish: ["Polish", "pl"],
  portuguese: ["Portuguese", "pt"],
  romanian: ["Romanian", "ro"],
  serbian: ["Serbian", "sr"],
  slovak: ["Slovak", "sk"],
  slovene: ["Slovene", "sl"],
  spanish: ["Spanish", "es"],
  swedish: ["Swedish", "sv"],
  ukrainian: ["Ukrainian", "uk"],
} as const satisfies Record<string, readonly [name: string, ...codes: string[]]>;

/** EuroEval's two rankings: all tasks, for models that write; and understanding alone, which encoders do too. */
const kinds = {
  all: {
    title: "EuroEval leaderboard for",
    measures: "understanding, knowledge, reasoning and summaries",
    tasks: ["text-generation", "image-text-to-text", "any-to-any"],
    purposes: ["language understanding", "language generation", "knowledge"],
  },
  nlu: {
    title: "EuroEval leaderboard for understanding",
    measures: "classification of texts, recognition of names, judging of grammar and reading",
    tasks: [
      "fill-mask",
      "text-classification",
      "token-classification",
      "question-answering",
      "feature-extraction",
      "text-generation",
    ],
    purposes: ["language understanding", "classification"],
  },
} as const satisfies Record<string, { title: string; measures: string; tasks: string[]; purposes: BoardPurpose[] }>;

/** EuroEval: a board for each language and kind. */
export const euroEvalBoards: readonly Board[] = Object.entries(euroEvalLanguages).flatMap(([file, [name, ...codes]]) =>
  Object.entries(kinds).map(
    ([kind, { title, measures, tasks, purposes }]): Board => ({
      id: `euroeval-${file}-${kind}`,
      collection: "euroeval",
      name: `${title} ${name}`,
      measures: `${measures} in ${name}`,
      tasks,
      purposes,
      languages: codes,
      metric: "rank score (1 is best)",
      higherIsBetter: false,
      // A mean of ranks over tasks: nobody is better than first, and none of some hundred models is behind the last.
      range: [1, 1_000],
      words: "a rank score of {}, where 1 is best",
      decimals: 2,
      aspect: "quality",
      license: "MIT",
      attribution: "EuroEval",
      url: "https://euroeval.com/leaderboards/",
    }),
  ),
);
