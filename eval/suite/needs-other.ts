import type { EvalNeed } from "./need.ts";

const write = ["text-generation", "conversational", "image-text-to-text", "any-to-any"];
const embed = ["sentence-similarity", "feature-extraction"];

/** Needs for rare tasks, for two tasks at once, with rejected things, and needs that no model serves. */
export const otherNeeds: readonly EvalNeed[] = [
  // Rare tasks
  {
    need: "forecast sales per product and shop for the next four weeks",
    tasks: ["time-series-forecasting"],
    models: ["amazon/chronos*", "autogluon/chronos*", "google/timesfm*", "ibm-granite/granite-timeseries*", "NX-AI/*"],
    maxBillions: 2,
  },
  {
    need: "predict the next candlesticks of bitcoin",
    tasks: ["time-series-forecasting"],
    models: ["NeoQuasar/Kronos*"],
  },
  {
    need: "find anomalies in vibration sensor data of pumps",
    tasks: ["time-series-forecasting"],
    models: ["AutonLab/MOMENT*", "ibm-granite/granite-timeseries-tspulse*"],
  },
  {
    need: "electricity load forecasting in a product for utilities, commercial use",
    tasks: ["time-series-forecasting"],
    wishes: { license: "commercial" },
    models: ["amazon/chronos*", "autogluon/chronos*", "google/timesfm*", "ibm-granite/granite-timeseries*"],
  },
  {
    need: "I have a spreadsheet of flats with size, floor and year and want to predict the rent",
    tasks: ["tabular-regression"],
    depth: 1,
    models: ["autogluon/mitra*"],
  },
  {
    need: "protein structure prediction from sequence",
    tasks: ["other"],
    depth: 1,
    models: ["facebook/esmfold*", "biohub/ESMFold2"],
  },
  { need: "design peptides that bind to a target", tasks: ["other"], depth: 1, models: ["boltzgen/*"] },
  {
    need: "cart pole balancing agent trained with PPO",
    tasks: ["reinforcement-learning"],
    depth: 1,
    models: ["HumanCompatibleAI/*"],
  },
  {
    need: "robot arm that follows spoken or written orders from a camera view",
    tasks: ["robotics"],
    depth: 1,
    models: ["openvla/*"],
  },
  {
    need: "vision model that reasons about physics in robot videos",
    tasks: ["image-text-to-text", "video-text-to-text"],
    models: ["nvidia/Cosmos-Reason2*"],
  },
  {
    need: "monthly demand numbers of the last ten years, what comes next year?",
    fields: { hardware: "cpu" },
    tasks: ["time-series-forecasting"],
  },
  {
    need: "quantum chemistry: better exchange-correlation functional",
    tasks: ["other"],
    depth: 1,
    models: ["microsoft/skala*"],
  },
  // Two tasks at once
  {
    need: "transcribe our sales calls and then write a short summary of each",
    parts: [["automatic-speech-recognition"], ["summarization", ...write, "audio-text-to-text"]],
  },
  {
    need: "read receipts from photos and translate them into English",
    parts: [
      ["image-to-text", "image-text-to-text"],
      ["translation", ...write],
    ],
  },
  {
    need: "voice assistant: speech recognition and a speaking voice",
    parts: [
      ["automatic-speech-recognition", "any-to-any"],
      ["text-to-speech", "any-to-any"],
    ],
  },
  {
    need: "sort incoming mails into five categories and draft a reply to each",
    parts: [["text-classification", "zero-shot-classification"], write],
  },
  { need: "embeddings for our documents plus a reranker on top", parts: [embed, ["text-ranking"]] },
  {
    need: "generate a product image from text and then animate it as a short video",
    parts: [["text-to-image"], ["image-to-video", "text-to-video"]],
  },
  {
    need: "subtitles: transcribe the film and translate the lines from English to French",
    parts: [["automatic-speech-recognition"], ["translation", ...write]],
  },
  {
    need: "detect faces of people in photos and also tell whether the photo is indecent",
    parts: [["object-detection", "image-segmentation"], ["image-classification"]],
  },
  {
    need: "remove noise from recordings, then transcribe them",
    parts: [["audio-to-audio"], ["automatic-speech-recognition"]],
  },
  {
    need: "Two things: find company names in contracts, and rate the mood of customer letters.",
    parts: [["token-classification"], ["text-classification"]],
  },
  {
    need: "code assistant for our developers and OCR for the accounting department",
    parts: [["code"], ["image-to-text", "image-text-to-text"]],
  },
  // Rejected things
  {
    need: "summaries of reports, not a chatbot",
    tasks: ["summarization"],
    also: ["text2text-generation"],
    without: ["conversational"],
  },
  {
    need: "sort complaints by topic. No LLM, no chatbot, please.",
    tasks: ["text-classification", "zero-shot-classification"],
    without: ["text-generation", "conversational"],
  },
  {
    need: "translation engine for our intranet, English to German, not a chat model",
    tasks: ["translation"],
    depth: 2,
    without: ["conversational"],
    wishes: { languages: ["de", "en"] },
  },
  {
    need: "search, not chat: find similar tickets",
    tasks: embed,
    also: ["text-ranking"],
    without: ["text-generation", "conversational"],
  },
  {
    need: "assistant for writing emails, but nothing from Qwen or DeepSeek",
    tasks: write,
    never: ["Qwen/*", "deepseek-ai/*", "*Qwen*", "*DeepSeek*"],
  },
  { need: "chat model, anything but Llama", tasks: write, never: ["meta-llama/*", "*Llama-*"] },
  { need: "transcription without Whisper", tasks: ["automatic-speech-recognition"], never: ["*whisper*"] },
  {
    need: "classify images, I do not want to generate any",
    tasks: ["image-classification", "zero-shot-image-classification"],
    without: ["image-gen"],
  },
  {
    need: "label reviews as positive or negative; don't give me a large language model, it has to be cheap",
    tasks: ["text-classification"],
    also: ["zero-shot-classification"],
    without: ["text-generation"],
    maxBillions: 1,
  },
  { need: "piano recording to MIDI notes", models: ["*/piano_trans", "*basic-pitch*"] },
  { need: "translate sign language videos into text", models: ["*/Uni-Sign"] },
  { need: "generate skeletal motion capture animation for game characters from text", models: ["tencent/HY-Motion*"] },
  // No model of the inventory serves these
  { need: "play chess at grandmaster level", unserved: true },
  { need: "segment lidar point clouds of a self-driving car", unserved: true },
  { need: "plan the shortest routes for 200 delivery vans", unserved: true },
  { need: "graph neural network that finds fraud rings in a payment network", unserved: true },
  { need: "parametric CAD files in STEP format from a text description", unserved: true },
  { need: "asdf qwer zxcv uiop", unserved: true },
  { need: "my washing machine is leaking, who can repair it?", unserved: true },
  { need: "a cheap flight to Lisbon in May", unserved: true },
  { need: "recommend films to users from their viewing history, collaborative filtering", unserved: true },
  { need: "recognise fingerprints for a door lock", unserved: true },
  { need: "smell sensor data: which perfume is it", unserved: true },
  {
    need: "chat about anything",
    fields: { maxSizeGb: 0.05, hardware: "cpu", license: "permissive", minContextLength: 500_000 },
    unserved: true,
  },
];
