import type { Board } from "../board.ts";

const common = {
  collection: "open-asr",
  tasks: ["automatic-speech-recognition", "audio-text-to-text"],
  license: "Apache-2.0",
  attribution: "Open ASR leaderboard (Hugging Face)",
  url: "https://huggingface.co/spaces/hf-audio/open_asr_leaderboard",
} as const;

const wordErrors = {
  metric: "word error rate in %",
  higherIsBetter: false,
  // Insertions can make it more than 100.
  range: [0, 200],
  words: "{} % of words wrong",
  decimals: 1,
  aspect: "quality",
} as const;

const realTime = {
  metric: "seconds of audio per second (RTFx)",
  higherIsBetter: true,
  range: [0, 100_000],
  words: "{} seconds of audio transcribed a second",
  decimals: 0,
  aspect: "speed",
  // The README of the leaderboard's repository names it.
  device: "NVIDIA A100-SXM4-80GB",
} as const;

/** The languages of the multilingual track, by the prefix of its columns. */
export const openAsrLanguages = {
  de: "German",
  fr: "French",
  it: "Italian",
  es: "Spanish",
  pt: "Portuguese",
} as const;

/** The Open ASR leaderboard: errors and speed of speech recognition. */
export const speechBoards: readonly Board[] = [
  {
    id: "open-asr-en-shortform",
    name: "Open ASR leaderboard",
    measures: "errors in transcripts of English speech, over eight data sets",
    purposes: ["transcription"],
    languages: ["en"],
    ...common,
    ...wordErrors,
  },
  {
    id: "open-asr-en-longform",
    name: "Open ASR leaderboard for long recordings",
    measures: "errors in transcripts of long English recordings",
    purposes: ["transcription", "long recordings"],
    languages: ["en"],
    ...common,
    ...wordErrors,
  },
  {
    id: "open-asr-multilingual",
    name: "Open ASR leaderboard for five languages",
    measures: "errors in transcripts of German, French, Italian, Spanish and Portuguese speech",
    purposes: ["transcription"],
    languages: Object.keys(openAsrLanguages),
    ...common,
    ...wordErrors,
  },
  ...Object.entries(openAsrLanguages).map(
    ([code, language]): Board => ({
      id: `open-asr-${code}`,
      name: `Open ASR leaderboard for ${language}`,
      measures: `errors in transcripts of ${language} speech`,
      purposes: ["transcription"],
      languages: [code],
      ...common,
      ...wordErrors,
    }),
  ),
  {
    id: "open-asr-en-shortform-speed",
    name: "Open ASR leaderboard's speed list",
    measures: "speed of transcribing short English recordings, in large batches",
    purposes: ["transcription"],
    languages: ["en"],
    ...common,
    ...realTime,
  },
  {
    id: "open-asr-en-longform-speed",
    name: "Open ASR leaderboard's speed list for long recordings",
    measures: "speed of transcribing long English recordings",
    purposes: ["transcription", "long recordings"],
    languages: ["en"],
    ...common,
    ...realTime,
  },
];
