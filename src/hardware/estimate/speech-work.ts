import { billions, type WorkRule } from "./work-item.ts";

/** OpenAI's Whisper and its distillations: parameters in all and of the encoder in 10^6, and layers of the decoder. */
const whispers: readonly (readonly [total: number, encoder: number, layers: number])[] = [
  [39, 8.2, 4],
  [74, 20.6, 6],
  [166, 88, 4],
  [244, 88, 12],
  [394, 307, 2],
  [756, 637, 2],
  [769, 307, 24],
  [809, 637, 4],
  [1_545, 637, 32],
];
const WHISPER_VECTORS = 50;
/**
 * Moonshine reads 41.5 vectors a second, of the recording's own length: parameters in all and of the encoder in 10^6,
 * and layers of the decoder. From the model's paper and its configurations.
 */
const moonshines: typeof whispers = [
  [27.1, 7.7, 6],
  [61.5, 20.1, 8],
];
const MOONSHINE_VECTORS = 41.5;

/** Tokens of a transcript for each second of speech: some 150 words a minute. */
const TOKENS_OF_SPEECH = 4;
/** A recording is read in pieces of half a minute. */
const PASSES_OF_SPEECH = 1 / 30;
/** Share of the throughput that speech encoders reach, whose layers are narrow and whose inputs are short. */
const SPEECH_SHARE = 0.5;
const RECORDING = "second of audio, one recording at a time";

/** Encoders of speech: vectors that they compute for each second. */
const listeners: readonly (readonly [pattern: RegExp, perSecond: number])[] = [
  [/parakeet|fastconformer|canary|gigaam|nemotron-speech|sortformer/, 12.5],
  [/conformer|zipformer|owsm|sensevoice|paraformer/, 25],
  [/wav2vec|hubert|wavlm|data2vec-audio|mms-1b|mms-300m|xls-r|xlsr|omniasr-ctc|unispeech/, 65],
];
/** Models that listen with an encoder and write with a language model. */
const WRITERS =
  /qwen3-asr|granite-(?:speech|4.{0,20}speech)|canary-qwen|omniasr-llm|glm-asr|vibevoice-asr|voxtral|ultravox/;

/** Models that write down speech. */
export const transcribe: WorkRule = (_model, parameters, names) => {
  const work = { unit: "audio_second", item: RECORDING, passes: PASSES_OF_SPEECH, spread: 0.7 } as const;
  const isMoonshine = /moonshine/.test(names);
  if (isMoonshine || /whisper/.test(names)) {
    const distance = (total: number) => Math.abs(Math.log(parameters / (total * 1e6)));
    const rows = isMoonshine ? moonshines : whispers;
    const [total, encoder, layers] = [...rows].sort((a, b) => distance(a[0]) - distance(b[0]))[0] as [
      number,
      number,
      number,
    ];
    if (distance(total) > 0.06) {
      return undefined;
    }
    const vectors = isMoonshine ? MOONSHINE_VECTORS : WHISPER_VECTORS;
    return {
      ...work,
      gflops: (2 * encoder * 1e6 * vectors * 1.2) / 1e9,
      share: SPEECH_SHARE,
      steps: { count: TOKENS_OF_SPEECH, layers, parameters: (total - encoder) * 1e6 },
      rule: `an encoder of ${encoder} M parameters reads ${vectors} vectors a second, and ${layers} layers write ${TOKENS_OF_SPEECH} tokens a second`,
    };
  }
  if (WRITERS.test(names)) {
    return {
      ...work,
      gflops: (2 * parameters * 12.5) / 1e9,
      share: SPEECH_SHARE,
      steps: { count: TOKENS_OF_SPEECH, layers: 28, parameters: parameters * 0.8 },
      rule: `a language model writes ${TOKENS_OF_SPEECH} tokens for each second of speech`,
    };
  }
  const listener = listeners.find(([pattern]) => pattern.test(names));
  if (listener === undefined) {
    return undefined;
  }
  const [, perSecond] = listener;
  const isCanary = /canary/.test(names);
  return {
    ...work,
    gflops: (2 * parameters * perSecond) / 1e9,
    share: SPEECH_SHARE,
    ...(isCanary && {
      steps: { count: TOKENS_OF_SPEECH, layers: /flash/.test(names) ? 4 : 16, parameters: parameters * 0.2 },
    }),
    rule: `2 operations for each of ${billions(parameters)} parameters and each of ${perSecond} vectors a second`,
  };
};

/**
 * Models that speak by writing codes of sound one after another: codes a second, and layers that each code waits for.
 * Where a second small network writes the finer codes, its layers are counted too. From the models' configurations.
 */
const speakers: readonly (readonly [pattern: RegExp, perSecond: number, layers: number])[] = [
  [/orpheus|maya1/, 84, 28],
  [/xtts/, 21.5, 30],
  [/qwen3-tts/, 12.5, 100],
  [/csm-1b/, 12.5, 140],
  [/dia-1\.6b|dia2?-\d/, 86, 18],
  [/parler/, 86, 24],
  [/cosyvoice|chatterbox|index-?tts/, 25, 30],
  [/spark-tts|llasa/, 50, 24],
  [/outetts/, 75, 24],
  [/vibevoice/, 7.5, 110],
  [/musicgen|audiogen/, 50, 48],
];
/** Models that turn noise into all frames of a text at once, in 32 steps of two passes (F5-TTS's defaults). */
const FLOWS = /f5-?tts|e2-?tts/;
const FLOW_FRAMES = 93.75;
const FLOW_PASSES = 64;
/** The frames of the sample of the voice are computed too, about half as many as those of the text. */
const WITH_SAMPLE = 1.5;
const SECONDS_OF_TEXT = 10;
/** Models that speak in one pass: operations for each parameter and second of audio. */
const vocoders: readonly (readonly [pattern: RegExp, operations: number])[] = [
  [/kokoro|kitten-tts|styletts/, 800],
  [/piper|vits|mms-tts|melotts/, 600],
];

/** Models that speak. */
export const speak: WorkRule = (_model, parameters, names) => {
  const work = { unit: "audio_second", item: "second of audio, one text at a time" } as const;
  const speaker = speakers.find(([pattern]) => pattern.test(names));
  if (speaker !== undefined) {
    const [, count, layers] = speaker;
    return {
      ...work,
      gflops: (2 * parameters * count) / 1e9,
      share: 1,
      passes: 0,
      steps: { count, layers, parameters: parameters * 0.9 },
      spread: 0.75,
      rule: `${count} codes for each second of audio, one after another, each through ${layers} layers`,
    };
  }
  if (FLOWS.test(names)) {
    return {
      ...work,
      gflops: (2 * parameters * FLOW_FRAMES * FLOW_PASSES * WITH_SAMPLE) / 1e9,
      share: 1,
      passes: FLOW_PASSES / SECONDS_OF_TEXT,
      spread: 0.75,
      rule: `${FLOW_PASSES} passes over ${FLOW_FRAMES} frames for each second of audio and the sample of the voice`,
    };
  }
  const vocoder = vocoders.find(([pattern]) => pattern.test(names));
  if (vocoder === undefined) {
    return undefined;
  }
  const [, operations] = vocoder;
  return {
    ...work,
    gflops: (operations * parameters) / 1e9,
    share: 0.25,
    passes: 0.5,
    spread: 0.75,
    rule: `${operations} operations for each of ${billions(parameters)} parameters and second of audio`,
  };
};
