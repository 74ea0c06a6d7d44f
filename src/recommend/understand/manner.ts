import { paddedWords } from "../score/names-model.ts";

/** How the caller wants to use a model, read from the words of the need. */
export interface Manner {
  /** Whether the caller has data to train with, wants to train, or has none to train with. */
  training: "wanted" | "possible" | "none" | "untold";
  /** Formats and engines that are named, as the catalogue names formats. */
  formats: readonly string[];
  /**
   * The words after a comparison ("like", "instead of"), in the form of `paddedWords`. If they begin with the name of a
   * model, the need mentions that model only for comparison.
   */
  references: readonly string[];
}

/** Phrases in lower case. All repetitions are bounded, so that each pattern reads its text in linear time. */
const trains =
  /\b(?:fine-?\s?tun\w{1,6}|train (?:it|on|my|a|one|with|our (?:own|data|model))|retrain|pretrain\w{0,4}|lora training|transfer learning|backbone|encoder to|(?:plain|pretrained|base) (?:bert|encoder|model)|checkpoint to start from)\b/;
const noTraining =
  /\b(?:no|without|zero|not any|lack|don'?t have|do not have|have not got|haven'?t)\b.{0,24}\b(?:train\w{0,4}|label\w{0,4}|labelled data|examples|fine-?\s?tun\w{1,6}|annotat\w{1,6})\b|\b(?:out of the box|off the shelf|ready-?\s?made|ready to use|as is|zero-?\s?shot|use it today)\b/;
const hasLabels =
  /\b\d[\d,.]{0,8}k?\s+(?:\w{1,20}\s){0,2}(?:label\w{0,5}|annotated|tagged|hand-?marked|examples|samples|pairs|images with|recordings of)\b|\b(?:label+ed|annotated|tagged|our own|my own) (?:data|dataset|examples|images|photos|tickets|recordings|sentences|texts|documents)\b/;

/** Words for a format or for an engine that needs it, with the catalogue's name of the format. */
const formatWords: ReadonlyArray<readonly [RegExp, string]> = [
  [/\b(?:gguf|llama\.?\s?cpp|ollama|lm ?studio|koboldcpp|llamafile|jan\.ai)\b/, "gguf"],
  [/\b(?:mlx|mlx-lm)\b/, "mlx"],
  [/\b(?:onnx|transformers\.?js|onnxruntime|webgpu|in the browser|in a browser)\b/, "onnx"],
  [/\b(?:awq)\b/, "awq"],
  [/\b(?:gptq|exllama|exl2)\b/, "gptq"],
  [/\b(?:vllm|sglang|tgi|tensorrt(?:-llm)?)\b/, "vllm"],
  [/\b(?:openvino)\b/, "openvino"],
  [/\b(?:ctranslate2|faster-whisper)\b/, "ctranslate2"],
  [/\b(?:coreml|core ml)\b/, "coreml"],
  [/\b(?:tflite|litert|tensorflow lite)\b/, "tflite"],
];

const referring =
  /\b(?:something like|anything like|a model like|similar to|alternatives? to|instead of|replace|replacing|replacement for|successor (?:of|to)|(?:better|faster|smaller|cheaper|lighter) than|comparable (?:to|with)|equivalent (?:of|to)|(?<!(?:would|'d|\bi|\bwe|people|users|they|look|looks|sound|sounds|feel|feels) |-)like(?=\s[^.,;?!\s][^,;?!]{1,30},?\sbut\s))\s(?:the\s|openai'?s?\s|google'?s?\s|meta'?s?\s)?/g;
/** Words after a name that make it a comparison: "Whisper alternative", "NLLB-like, but". "BERT-like" alone may mean BERT. */
const referred =
  /(?<![\w.+-])((?:[\w.+]{1,24}[\s-]){0,2}[\w.+]{1,24})(?:[\s-](?:alternatives?|replacement|substitute|equivalent|clone)(?!\w| to\b| of\b)|-like(?=[^.;?!]{1,60}\bbut\b))/g;
/** A need that begins with a name and goes on with "but": "Copilot but self-hosted". */
const beginning =
  /^(?!like )([\w.+-]{2,24}(?: [\w.+-]{1,24}){0,3}),? but (?:self|local|locally|open|free|small|smaller|cheap|cheaper|fast|faster|private|offline|on|for|with|without|in)\b/;
/** How many characters after such words are compared with names, and how many such places are read. */
const REFERENCE_CHARACTERS = 60;
const MOST_REFERENCES = 4;

/** Reads how the caller wants to use a model. Pure; linear in the text. */
export function readManner(description: string): Manner {
  const text = description.toLowerCase().slice(0, 4_000);
  const isNone = noTraining.test(text);
  const isWanted = trains.test(text);
  return {
    training: isNone ? "none" : isWanted ? "wanted" : hasLabels.test(text) ? "possible" : "untold",
    formats: formatWords.filter(([pattern]) => pattern.test(text)).map(([, format]) => format),
    references: [...referencesBefore(text), ...referencesAfter(text)],
  };
}

/** The words after "like" and similar words. */
function referencesAfter(text: string): string[] {
  return [...text.matchAll(referring)].slice(0, MOST_REFERENCES).map((found) => {
    const begin = found.index + found[0].length;
    return paddedWords(text.slice(begin, begin + REFERENCE_CHARACTERS));
  });
}

/** The words before "alternative" and similar words. A name may begin at each of the last three. */
function referencesBefore(text: string): string[] {
  const first = beginning.exec(text);
  const found = [...text.matchAll(referred), ...(first === null ? [] : [first])];
  return found.slice(0, MOST_REFERENCES).flatMap(([, named = ""]) => {
    const words = paddedWords(named).trim().split(" ");
    return words.map((_, at) => ` ${words.slice(at).join(" ")} `);
  });
}
