import type { EvalNeed } from "./need.ts";

const writers = ["text-generation", "conversational"];
const seers = ["image-text-to-text", "visual-question-answering", "any-to-any"];

/**
 * Written after the change of the encoder and of the certainty of scores, and before the program answered them: twenty
 * that no model serves, thirty of all tasks.
 */
export const thirdNeeds: readonly EvalNeed[] = [
  { need: "what colour should I paint my hallway", unserved: true },
  { need: "how long does an egg have to boil", unserved: true },
  { need: "least common multiple of two numbers", unserved: true },
  { need: "turn an ODT file into an EPUB with the same headings", unserved: true },
  { need: "a sudoku for the Sunday paper", unserved: true },
  { need: "when is the next full moon", unserved: true },
  { need: "ferry times between Split and Hvar", unserved: true },
  { need: "a fence between my garden and the street", unserved: true },
  { need: "tune my guitar", unserved: true },
  { need: "allocate hospital beds to patients with the fewest moves", unserved: true },
  { need: "vote counting under the single transferable vote", unserved: true },
  { need: "the driver for an old scanner", unserved: true },
  { need: "a mortgage with a fixed rate", unserved: true },
  { need: "wqpo zmxn alsk dj", unserved: true },
  { need: "the dishwasher shows error E15", unserved: true },
  { need: "vibrations of a violin string by the wave equation", unserved: true },
  { need: "tell the heat pump to start at five", unserved: true },
  { need: "shoes in size 43", unserved: true },
  { need: "iris recognition at the airport gate", unserved: true },
  { need: "a drum score from a recorded solo", unserved: true },
  {
    need: "Which of our e-mails are invoices? We have labelled 5,000 of them.",
    tasks: ["text-classification"],
    also: ["zero-shot-classification", "fill-mask"],
  },
  {
    need: "keep only the sentences of a speech that make a promise",
    tasks: ["text-classification", "zero-shot-classification", "token-classification", "summarization"],
    depth: 1,
  },
  { need: "chemical names in patents", tasks: ["token-classification"] },
  {
    need: "where on the aerial photo are swimming pools? boxes please",
    tasks: ["object-detection", "zero-shot-object-detection"],
  },
  { need: "how steep and far is the slope in front of the digger, one camera", tasks: ["depth-estimation"] },
  {
    need: "is the apple on the belt bruised",
    tasks: ["image-classification"],
    also: ["zero-shot-image-classification", "image-feature-extraction"],
  },
  {
    need: "write what the witness says, in French",
    tasks: ["automatic-speech-recognition", "audio-text-to-text"],
    wishes: { languages: ["fr"] },
  },
  { need: "our robot should say good morning in a warm voice, no cloud", tasks: ["text-to-speech"] },
  { need: "clean the hiss from cassettes of my grandfather's stories", tasks: ["audio-to-audio"], depth: 1 },
  {
    need: "who is speaking in a voice message, one of five employees",
    tasks: ["audio-classification", "feature-extraction"],
  },
  {
    need: "how many rooms will be booked each day next month",
    tasks: ["time-series-forecasting", "tabular-regression"],
  },
  { need: "write a eulogy from a few facts about the deceased", tasks: writers, also: seers },
  {
    need: "German to Italian for our ski school, under 1 GB",
    // No translation model of the catalogue is that small.
    tasks: ["translation", ...writers],
    also: ["text2text-generation"],
    wishes: { languages: ["de", "it"], maxGb: 1 },
    depth: 1,
  },
  {
    need: "the three most important points of a 20-page expert opinion",
    tasks: ["summarization", ...writers],
    also: [...seers, "text2text-generation"],
  },
  {
    need: "find clauses like this one in our old contracts",
    tasks: ["sentence-similarity", "feature-extraction", "text-ranking"],
  },
  { need: "what does this sign say and mean? people send us a photo", tasks: ["image-to-text", ...seers] },
  {
    need: "oil painting of a lighthouse, for commercial use",
    tasks: ["text-to-image"],
    also: ["image-to-image"],
    wishes: { license: "commercial" },
  },
  { need: "make the sky of my photo dramatic", tasks: ["image-to-image"], depth: 1 },
  { need: "exact outline of each leaf", tasks: ["image-segmentation", "mask-generation"] },
  {
    need: "a bot to practise Spanish conversation with, on a 24 GB card",
    tasks: writers,
    also: seers,
    wishes: { languages: ["es"], hardware: "gpu-24gb" },
  },
  { need: "which yoga pose is done in the clip", tasks: ["video-classification", "video-text-to-text"], depth: 1 },
  { need: "ask a table of election results who won in the north", tasks: ["table-question-answering"], depth: 1 },
  { need: "port a Fortran routine to Rust", tasks: ["code"] },
  { need: "a short melody with a harp for our radio show", tasks: ["text-to-audio"] },
  { need: "turn this selfie into a clip in which I smile", tasks: ["image-to-video"], depth: 1 },
  {
    need: "transcribe the podcast and make a voice read the text in Polish",
    parts: [["automatic-speech-recognition"], ["text-to-speech"]],
  },
  {
    need: "count cows in pictures and forecast the milk of the next weeks",
    parts: [["object-detection", "zero-shot-object-detection"], ["time-series-forecasting"]],
  },
  {
    need: "mark the answer to a reader's question in our articles, word for word",
    tasks: ["question-answering"],
    also: ["text-ranking"],
  },
  { need: "hide who is meant in witness statements", tasks: ["token-classification"] },
  {
    need: "shop assistant that reads labels of goods from photos and answers questions about them, on a phone",
    tasks: [...seers, "document-question-answering", "image-to-text"],
  },
];
