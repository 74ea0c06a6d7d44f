import type { Board, BoardPurpose } from "../board.ts";

/** The tasks of MTEB(eng, v2), by kind. */
export const mtebEnglish = {
  retrieval: [
    "ArguAna",
    "CQADupstackGamingRetrieval",
    "CQADupstackUnixRetrieval",
    "ClimateFEVERHardNegatives",
    "FEVERHardNegatives",
    "FiQA2018",
    "HotpotQAHardNegatives",
    "SCIDOCS",
    "TRECCOVID",
    "Touche2020Retrieval.v3",
  ],
  similarity: ["BIOSSES", "SICK-R", "STS12", "STS13", "STS14", "STS15", "STS17", "STS22.v2", "STSBenchmark"],
  classification: [
    "AmazonCounterfactualClassification",
    "Banking77Classification",
    "ImdbClassification",
    "MTOPDomainClassification",
    "MassiveIntentClassification",
    "MassiveScenarioClassification",
    "ToxicConversationsClassification",
    "TweetSentimentExtractionClassification",
  ],
  clustering: [
    "ArXivHierarchicalClusteringP2P",
    "ArXivHierarchicalClusteringS2S",
    "BiorxivClusteringP2P.v2",
    "MedrxivClusteringP2P.v2",
    "MedrxivClusteringS2S.v2",
    "StackExchangeClustering.v2",
    "StackExchangeClusteringP2P.v2",
    "TwentyNewsgroupsClustering.v2",
  ],
  reranking: ["AskUbuntuDupQuestions", "MindSmallReranking"],
  pairs: ["SprintDuplicateQuestions", "TwitterSemEval2015", "TwitterURLCorpus"],
  summaries: ["SummEvalSummarization.v2"],
} as const satisfies Record<string, readonly string[]>;

/** Boards that take the mean of some of MTEB's tasks, and those tasks. A model that lacks one is not on the board. */
export const mtebTasks: Readonly<Record<string, readonly string[]>> = {
  "mteb-eng-v2": Object.values(mtebEnglish).flat(),
  "mteb-eng-v2-retrieval": mtebEnglish.retrieval,
  "mteb-eng-v2-similarity": [...mtebEnglish.similarity, ...mtebEnglish.pairs],
  "mteb-eng-v2-classification": mtebEnglish.classification,
  "mteb-eng-v2-clustering": mtebEnglish.clustering,
  "mteb-eng-v2-reranking": mtebEnglish.reranking,
  "mteb-code": ["AppsRetrieval", "CodeSearchNetRetrieval", "CosQA"],
  "mteb-german-retrieval": ["GermanQuAD-Retrieval"],
  "mteb-german-similarity": ["GermanSTSBenchmark"],
  "mteb-miracl": ["MIRACLRetrievalHardNegatives"],
  "mteb-belebele": ["BelebeleRetrieval"],
  "mteb-vidore": ["VidoreArxivQARetrieval", "VidoreDocVQARetrieval"],
};

type MtebBoard = readonly [
  id: keyof typeof mtebTasks,
  name: string,
  measures: string,
  purposes: readonly BoardPurpose[],
  languages: readonly string[],
];

const boards: readonly MtebBoard[] = [
  [
    "mteb-eng-v2",
    "MTEB leaderboard for English",
    "embeddings of English texts in 41 tasks",
    ["search", "similarity", "clustering", "classification"],
    ["en"],
  ],
  ["mteb-eng-v2-retrieval", "MTEB leaderboard for English retrieval", "search in English texts", ["search"], ["en"]],
  [
    "mteb-eng-v2-similarity",
    "MTEB leaderboard for English similarity",
    "similarity of English sentences, and duplicates",
    ["similarity"],
    ["en"],
  ],
  [
    "mteb-eng-v2-classification",
    "MTEB leaderboard for English classification",
    "classification of English texts by their embeddings",
    ["classification"],
    ["en"],
  ],
  [
    "mteb-eng-v2-clustering",
    "MTEB leaderboard for English clustering",
    "clustering of English texts",
    ["clustering"],
    ["en"],
  ],
  [
    "mteb-eng-v2-reranking",
    "MTEB leaderboard for English reranking",
    "ordering of search results in English",
    ["reranking"],
    ["en"],
  ],
  ["mteb-code", "MTEB results for code search", "search for code by a description", ["code search"], ["en"]],
  ["mteb-german-retrieval", "MTEB results on GermanQuAD", "search in German texts", ["search"], ["de"]],
  [
    "mteb-german-similarity",
    "MTEB results on the German STS benchmark",
    "similarity of German sentences",
    ["similarity"],
    ["de"],
  ],
  [
    "mteb-miracl",
    "MTEB results on MIRACL",
    "search in 18 languages",
    ["search"],
    ["ar", "bn", "de", "en", "es", "fa", "fi", "fr", "hi", "id", "ja", "ko", "ru", "sw", "te", "th", "yo", "zh"],
  ],
  ["mteb-belebele", "MTEB results on Belebele", "search in 122 languages and language variants", ["search"], []],
  ["mteb-vidore", "MTEB results on ViDoRe", "search in pictures of pages", ["page search"], ["en"]],
];

/** MTEB, the Massive Text Embedding Benchmark. */
export const embeddingBoards: readonly Board[] = boards.map(([id, name, measures, purposes, languages]) => ({
  id: String(id),
  collection: "mteb",
  name,
  measures,
  tasks: purposes.includes("page search")
    ? ["visual-document-retrieval", "feature-extraction", "image-text-to-text"]
    : ["sentence-similarity", "feature-extraction", "text-ranking"],
  purposes,
  languages,
  metric: "mean of the tasks' main scores in %",
  higherIsBetter: true,
  // Correlations can be negative.
  range: [-100, 100],
  words: "a mean score of {} %",
  decimals: 1,
  aspect: "quality",
  license: "CC0-1.0",
  attribution: "MTEB, the Massive Text Embedding Benchmark",
  url: "https://huggingface.co/spaces/mteb/leaderboard",
}));
