/** A task with the words for the descriptions of its models. */
export interface TaskFragments {
  /** The hub's label; undefined for models of unknown task. */
  label?: string;
  /** Its models of a thousand, about as on the hub. */
  share: number;
  library: string;
  /** Usual numbers of parameters, in millions. */
  sizes: readonly number[];
  /** The work of such models, as the middle of a sentence. */
  does: readonly string[];
}

const llm = [135, 360, 600, 1_500, 3_000, 4_000, 7_000, 8_000, 9_000, 12_000, 14_000, 27_000, 32_000, 70_000];
const encoder = [22, 33, 66, 110, 125, 278, 335, 560];
const picture = [5, 22, 28, 86, 304, 632];
const sound = [39, 74, 95, 244, 317, 769, 1_550];
const painter = [860, 2_600, 6_600, 8_100, 12_000];

/** Tasks by their number of models on the hub, of a thousand. */
export const tasks: readonly TaskFragments[] = [
  {
    label: "text-generation",
    share: 300,
    library: "transformers",
    sizes: llm,
    does: [
      "writes and rewrites text and follows instructions in several turns",
      "answers questions step by step before giving a short reply",
      "calls tools and returns structured JSON",
      "plays characters and tells long stories",
      "completes and explains source code",
      "turns questions into SQL for a known schema",
      "keeps to the wording of a style guide",
      "reads long files and answers from them",
    ],
  },
  {
    share: 170,
    library: "transformers",
    sizes: llm,
    does: [
      "is a checkpoint of an experiment",
      "holds the weights of a training run",
      "is an adapter to be merged",
      "is shared for comparison",
    ],
  },
  {
    label: "text-classification",
    share: 100,
    library: "transformers",
    sizes: encoder,
    does: [
      "tells the sentiment of a sentence",
      "sorts messages by intent",
      "flags abusive comments",
      "scores how formal a text is",
      "detects spam and fraud",
      "tells which language a text is in",
    ],
  },
  {
    label: "text-to-image",
    share: 90,
    library: "diffusers",
    sizes: painter,
    does: [
      "paints pictures from a prompt",
      "draws characters in one consistent style",
      "makes product photographs with readable lettering",
      "generates tiles and textures",
      "renders interiors and buildings",
    ],
  },
  {
    label: "reinforcement-learning",
    share: 60,
    library: "stable-baselines3",
    sizes: [1, 2, 5],
    does: ["plays a landing game", "balances a pole", "walks in a simulator", "steers a car around a track"],
  },
  {
    label: "automatic-speech-recognition",
    share: 40,
    library: "transformers",
    sizes: sound,
    does: [
      "transcribes speech with punctuation",
      "writes down phone calls with time stamps",
      "recognises dictation with technical terms",
      "takes down meetings of many voices",
    ],
  },
  {
    label: "image-classification",
    share: 35,
    library: "transformers",
    sizes: picture,
    does: [
      "tells plants and animals apart",
      "sorts photographs by what they show",
      "grades the quality of produce",
      "finds defects on a production line",
    ],
  },
  {
    label: "token-classification",
    share: 30,
    library: "transformers",
    sizes: encoder,
    does: ["finds names, places and companies", "marks personal data for removal", "tags parts of speech"],
  },
  {
    label: "feature-extraction",
    share: 26,
    library: "sentence-transformers",
    sizes: encoder,
    does: ["turns passages into vectors for search", "embeds code and its comments", "encodes short queries"],
  },
  {
    label: "sentence-similarity",
    share: 24,
    library: "sentence-transformers",
    sizes: encoder,
    does: ["compares sentences by meaning", "finds duplicates among tickets", "matches questions with answers"],
  },
  {
    label: "translation",
    share: 18,
    library: "transformers",
    sizes: [60, 77, 220, 418, 615, 1_300, 3_300],
    does: ["translates articles in both directions", "translates manuals with their terms", "translates subtitles"],
  },
  {
    label: "fill-mask",
    share: 16,
    library: "transformers",
    sizes: encoder,
    does: ["fills gaps in a sentence", "is a base to fine-tune on labelled text"],
  },
  {
    label: "question-answering",
    share: 12,
    library: "transformers",
    sizes: encoder,
    does: ["finds the answer to a question in a passage", "marks the span that answers"],
  },
  {
    label: "summarization",
    share: 12,
    library: "transformers",
    sizes: [60, 140, 306, 406, 568],
    does: ["sums up long reports in a few sentences", "writes headlines", "condenses conversations"],
  },
  {
    label: "image-text-to-text",
    share: 12,
    library: "transformers",
    sizes: llm,
    does: [
      "answers questions about pictures, charts and scans",
      "reads receipts into fields",
      "describes screenshots and finds buttons",
    ],
  },
  {
    label: "text-to-speech",
    share: 10,
    library: "transformers",
    sizes: [15, 82, 330, 500, 1_600],
    does: ["reads text aloud in natural voices", "speaks with a voice cloned from seconds of sound"],
  },
  {
    label: "object-detection",
    share: 9,
    library: "ultralytics",
    sizes: [3, 9, 25, 43, 68],
    does: ["finds people and vehicles in pictures", "draws boxes around goods on a shelf", "counts cells"],
  },
  {
    label: "text2text-generation",
    share: 8,
    library: "transformers",
    sizes: [60, 220, 770, 3_000],
    does: ["corrects grammar and spelling", "rewrites questions for search"],
  },
  {
    label: "image-segmentation",
    share: 6,
    library: "transformers",
    sizes: [4, 28, 47, 82, 215],
    does: ["outlines roads and roofs from above", "removes the background of portraits", "segments organs in scans"],
  },
  {
    label: "audio-classification",
    share: 6,
    library: "transformers",
    sizes: sound,
    does: ["tells the mood of a voice", "recognises birds by their song", "names the genre of music"],
  },
  {
    label: "tabular-classification",
    share: 4,
    library: "sklearn",
    sizes: [1, 11],
    does: ["predicts churn from a table", "scores credit applications"],
  },
  {
    label: "zero-shot-classification",
    share: 3,
    library: "transformers",
    sizes: encoder,
    does: ["sorts texts by labels never trained on"],
  },
  {
    label: "text-ranking",
    share: 3,
    library: "sentence-transformers",
    sizes: encoder,
    does: ["ranks passages by how well they answer a query"],
  },
  {
    label: "image-to-image",
    share: 3,
    library: "diffusers",
    sizes: painter,
    does: ["edits a photograph as told", "sharpens and enlarges pictures"],
  },
  {
    label: "text-to-video",
    share: 2,
    library: "diffusers",
    sizes: [1_300, 5_000, 14_000],
    does: ["makes short clips from a prompt"],
  },
  {
    label: "depth-estimation",
    share: 2,
    library: "transformers",
    sizes: picture,
    does: ["tells the distance of every pixel from one photograph"],
  },
  {
    label: "time-series-forecasting",
    share: 2,
    library: "chronos",
    sizes: [9, 48, 200, 710],
    does: ["forecasts demand, load and prices with intervals"],
  },
  {
    label: "visual-question-answering",
    share: 2,
    library: "transformers",
    sizes: [385, 470, 2_000],
    does: ["answers short questions about a photograph"],
  },
  {
    label: "zero-shot-image-classification",
    share: 2,
    library: "open_clip",
    sizes: [150, 428, 986],
    does: ["matches pictures with captions"],
  },
  {
    label: "robotics",
    share: 2,
    library: "lerobot",
    sizes: [52, 450, 3_300],
    does: ["moves an arm by camera and command"],
  },
  {
    label: "any-to-any",
    share: 1,
    library: "transformers",
    sizes: llm,
    does: ["takes and gives text, pictures and sound"],
  },
];

/** Domains that models are made for. */
export const modelDomains: readonly string[] = [
  "medicine",
  "radiology reports",
  "law",
  "contracts",
  "court rulings",
  "finance",
  "banking",
  "insurance claims",
  "customer support",
  "online shops",
  "tourism",
  "education",
  "school mathematics",
  "physics",
  "chemistry",
  "proteins",
  "genomes",
  "agriculture",
  "weather",
  "satellite pictures",
  "news",
  "politics",
  "history",
  "poetry",
  "fantasy novels",
  "role play",
  "games",
  "chess",
  "football",
  "music",
  "film reviews",
  "recipes",
  "fashion",
  "architecture",
  "real estate",
  "factories",
  "electronics",
  "telecommunication",
  "networks",
  "cyber security",
  "logs",
  "Python",
  "JavaScript",
  "Rust",
  "shell scripts",
  "spreadsheets",
  "patents",
  "academic papers",
  "job adverts",
  "human resources",
  "government forms",
  "invoices",
  "handwriting",
  "old prints",
  "subtitles",
  "podcasts",
  "call centres",
  "traffic",
  "drones",
  "robots in warehouses",
];

/** Further sentences for descriptions. */
export const details: readonly string[] = [
  "Small enough for a laptop without a graphics card.",
  "Needs a card with 24 GB.",
  "Trained on public data only.",
  "The training set is not published.",
  "Made for a thesis and not maintained.",
  "Quantization costs little accuracy.",
  "Weak on long inputs.",
  "Handles long inputs well.",
  "Better than its base on our own test set.",
  "The first of a series of checkpoints.",
  "Use the chat template.",
  "For research; check the output.",
  "Runs in the browser.",
  "Fast on phones.",
  "Tuned with preference data.",
  "Merged from two fine-tunes.",
  "Distilled from a larger model.",
  "Not safe for children.",
  "Knows nothing after its training ended.",
  "Works offline.",
  "Rare words come out wrong.",
  "Evaluated by hand on a hundred cases.",
  "Trained for three epochs with a low learning rate.",
  "The tokenizer is that of the base.",
];

/** Further sentences for model cards. */
export const cardSentences: readonly string[] = [
  "It was trained on eight cards for two days with mixed precision.",
  "The data was cleaned of duplicates and filtered by length.",
  "Load it with the library named above and pass plain text.",
  "Limits: figures, dates and quotations may be invented.",
  "On the held-out part the score rose by four points over the base.",
  "The batch size was 64 and the learning rate fell by a cosine.",
  "Please cite the report when you use it.",
  "Bias of the sources shows in the answers; test before use.",
  "The context may be extended by scaling the positions.",
  "An earlier version had a faulty tokenizer; use this one.",
  "Inputs longer than the window are cut at the end.",
  "We thank the volunteers who labelled the data.",
];

/**
 * Well-known lineages with the task of most of their models, so that names meet the rules that real names meet; the
 * other families are coined.
 */
export const lineageNames: ReadonlyArray<readonly [name: string, label: string]> = [
  ["Qwen3", "text-generation"],
  ["Llama-3.1", "text-generation"],
  ["stable-diffusion-xl", "text-to-image"],
  ["Mistral", "text-generation"],
  ["bert-base", "text-classification"],
  ["gemma-3", "text-generation"],
  ["FLUX.1", "text-to-image"],
  ["whisper", "automatic-speech-recognition"],
  ["distilbert-base", "text-classification"],
  ["roberta-base", "text-classification"],
  ["wav2vec2", "automatic-speech-recognition"],
  ["vit-base", "image-classification"],
  ["t5", "text2text-generation"],
  ["gpt2", "text-generation"],
  ["phi-4", "text-generation"],
  ["DeepSeek-R1", "text-generation"],
  ["xlm-roberta-base", "token-classification"],
  ["yolo11", "object-detection"],
  ["SmolLM2", "text-generation"],
  ["opus-mt", "translation"],
  ["deberta-v3", "zero-shot-classification"],
  ["all-MiniLM", "sentence-similarity"],
  ["bge", "feature-extraction"],
  ["e5", "feature-extraction"],
  ["clip-vit", "zero-shot-image-classification"],
  ["falcon", "text-generation"],
  ["granite-4", "text-generation"],
  ["pegasus", "summarization"],
  ["bart-large", "summarization"],
  ["blip", "visual-question-answering"],
  ["segformer", "image-segmentation"],
  ["speecht5", "text-to-speech"],
];

/** Syllables of invented names: three of them form a family or an account. */
export const syllables: readonly string[] = [
  "zo",
  "ra",
  "ve",
  "lu",
  "ki",
  "tho",
  "ma",
  "ne",
  "bri",
  "su",
  "quo",
  "da",
  "fe",
  "vi",
  "gro",
  "ha",
  "je",
  "plu",
  "wo",
  "shi",
];

/** Endings of accounts. */
export const accountEndings: readonly string[] = [
  "",
  "-ai",
  "-labs",
  "-research",
  "-nlp",
  "-team",
  "42",
  "-x",
  "_dev",
  "-uni",
];

/** Additions to the names of fine-tuned models. */
export const fineTuneSuffixes: readonly string[] = [
  "Instruct",
  "chat",
  "base",
  "v2",
  "finetuned",
  "lora",
  "dpo",
  "sft",
  "merged",
  "preview",
];

/** Licences with their number of models of a hundred; the other models have none. */
export const licences: ReadonlyArray<readonly [id: string, share: number]> = [
  ["apache-2.0", 30],
  ["mit", 14],
  ["other", 6],
  ["creativeml-openrail-m", 4],
  ["llama3.1", 3],
  ["cc-by-nc-4.0", 3],
  ["gemma", 2],
  ["cc-by-4.0", 2],
  ["openrail", 1],
  ["gpl-3.0", 1],
  ["bsd-3-clause", 1],
];

/** Languages other than English, most frequent first. */
export const languages: readonly string[] =
  "zh fr de es ja ko ru pt it ar hi vi tr pl nl id th sv uk cs fa he fi da el".split(" ");
