import type { EvalNeed } from "./need.ts";

const speech = ["automatic-speech-recognition"];
const voice = ["text-to-speech"];

/** Needs about speech, sound and music. */
export const audioNeeds: readonly EvalNeed[] = [
  {
    need: "transcribe English interviews with timestamps",
    tasks: speech,
    also: ["audio-text-to-text"],
    wishes: { languages: ["en"] },
    models: ["*whisper*", "*parakeet*", "*canary*"],
  },
  {
    need: "I record my university lectures on my phone and afterwards I would like to have them as text so I can search in them",
    tasks: speech,
    also: ["audio-text-to-text"],
  },
  {
    need: "Our doctors dictate letters in German. The recordings have to become text on our own server, which has no graphics card.",
    tasks: speech,
    also: ["audio-text-to-text"],
    wishes: { languages: ["de"], hardware: "cpu" },
    models: ["openai/whisper*", "*parakeet-tdt-0.6b-v3", "jonatasgrosman/*german", "*canary-1b-v2", "*faster-whisper*"],
  },
  {
    need: "live captions while the speaker is still talking",
    tasks: speech,
    models: ["mistralai/Voxtral-Mini-4B-Realtime*", "*moonshine*", "*asr-streaming*"],
  },
  {
    need: "who spoke when in a meeting recording",
    tasks: ["automatic-speech-recognition", "voice-activity-detection"],
    models: ["pyannote/speaker-diarization*", "Revai/*", "microsoft/VibeVoice-ASR"],
  },
  {
    need: "cut the silence out of hours of podcast recordings, only keep the parts where somebody talks",
    tasks: ["voice-activity-detection"],
    models: ["*silero-vad", "pyannote/voice-activity-detection", "pyannote/segmentation*"],
  },
  {
    need: "Swedish speech to text for an archive of radio programmes",
    tasks: speech,
    wishes: { languages: ["sv"] },
    models: ["KBLab/*", "openai/whisper*"],
  },
  {
    need: "Voice messages of my grandmother in Hong Kong, she only speaks Cantonese. I want to read them.",
    tasks: speech,
    depth: 1,
    models: ["alvanlii/*", "Qwen/Qwen3-ASR*", "zai-org/GLM-ASR*"],
  },
  {
    need: "read my ebooks aloud in a pleasant English voice on an old laptop without GPU",
    tasks: voice,
    wishes: { languages: ["en"], hardware: "cpu" },
    models: ["*Kokoro-82M*"],
  },
  {
    need: "clone a voice from a few seconds of audio and have it say things in Spanish",
    tasks: voice,
    wishes: { languages: ["es"] },
    models: ["coqui/XTTS*", "ResembleAI/chatterbox", "Qwen/Qwen3-TTS*Base", "k2-fsa/OmniVoice", "openbmb/VoxCPM2"],
  },
  {
    need: "voice cloning for a paid app that we sell to customers",
    tasks: voice,
    wishes: { license: "commercial" },
    models: ["ResembleAI/chatterbox", "Qwen/Qwen3-TTS*Base", "k2-fsa/OmniVoice", "openbmb/VoxCPM2"],
  },
  {
    need: "generate a podcast with two hosts from a script",
    tasks: voice,
    models: ["microsoft/VibeVoice-1.5B", "nari-labs/Dia*"],
  },
  {
    need: "royalty free background music for my cooking videos, I describe the mood and it composes",
    tasks: ["text-to-audio"],
    models: ["facebook/musicgen*", "ACE-Step/*"],
  },
  {
    need: "write a complete song with singing from my lyrics",
    tasks: ["text-to-audio"],
    depth: 1,
    models: ["ACE-Step/*"],
  },
  {
    need: "get rid of the hum and traffic noise in voice recordings",
    tasks: ["audio-to-audio"],
    depth: 1,
    models: ["*DeepFilterNet*", "JacobLinCool/MP-SENet*"],
  },
  {
    need: "film restoration: split a soundtrack into dialogue, music and effects",
    tasks: ["audio-to-audio"],
    depth: 1,
    models: ["JusperLee/TIGER-DnR"],
  },
  {
    need: "a microphone in the house should notice glass breaking, a crying baby or a smoke alarm",
    tasks: ["audio-classification"],
    models: ["MIT/ast*", "mispeech/ced*", "laion/clap*"],
    maxBillions: 2,
  },
  {
    need: "is the caller angry or happy? judged from the tone of voice, not the words",
    tasks: ["audio-classification"],
    models: ["superb/hubert-large-superb-er", "speechbrain/emotion*", "audeering/*emotion*"],
  },
  {
    need: "spoken language identification to route calls",
    tasks: ["audio-classification"],
    depth: 2,
    models: ["speechbrain/lang-id*", "facebook/mms-lid*"],
  },
  {
    need: "speaker verification: is this the same person as in the enrolment recording",
    tasks: ["audio-classification", "feature-extraction"],
    depth: 1,
    models: ["speechbrain/spkrec*", "*wespeaker*"],
  },
  {
    need: "I want to ask questions about a sound recording, like what is happening in it and whether somebody sounds upset",
    tasks: ["audio-text-to-text"],
    also: ["any-to-any"],
    models: ["Qwen/Qwen2-Audio*", "nvidia/audio-flamingo*", "mispeech/midashenglm*", "mistralai/Voxtral*"],
  },
  {
    need: "speech to speech translation between many languages",
    tasks: ["automatic-speech-recognition", "translation", "text-to-speech"],
    depth: 1,
    models: ["facebook/seamless*", "facebook/hf-seamless*"],
  },
  {
    need: "offline voice commands on a Raspberry Pi, light on, light off, that sort of thing. speech recognition",
    tasks: speech,
    wishes: { hardware: "cpu" },
    maxBillions: 1,
    models: ["*whisper-tiny*", "*moonshine*", "*whisper-base*", "*faster-whisper-tiny*"],
  },
  {
    need: "give our Vietnamese learning app a voice that reads sentences aloud",
    tasks: voice,
    depth: 1,
    wishes: { languages: ["vi"] },
    models: ["pnnbao-ump/VieNeu*", "k2-fsa/OmniVoice", "openbmb/VoxCPM2", "rhasspy/piper*"],
  },
  {
    need: "forced alignment: I have the transcript and the audio and need the time of every word",
    tasks: speech,
    models: ["Qwen/Qwen3-ForcedAligner*", "MahmoudAshraf/*aligner"],
  },
  {
    need: "pronunciation trainer for language learners: which phonemes did they really say",
    tasks: speech,
    depth: 1,
    models: ["facebook/wav2vec2-lv-60-espeak*"],
  },
  {
    need: "TTS that runs inside a web page, no server",
    tasks: voice,
    maxBillions: 1,
    models: ["*Kokoro-82M*", "Supertone/*", "OpenMOSS-Team/MOSS-TTS-Nano*"],
  },
  {
    need: "app that follows along while somebody recites the Quran",
    tasks: speech,
    depth: 1,
    models: ["tarteel-ai/*"],
  },
  {
    need: "transcription of customer calls",
    fields: { languages: ["ja"], license: "permissive" },
    tasks: speech,
    models: ["openai/whisper*", "kotoba-tech/*", "Qwen/Qwen3-ASR*", "*faster-whisper*"],
  },
  {
    need: "dictation software for a lawyer's office",
    fields: { hardware: "cpu", maxSizeGb: 1 },
    tasks: speech,
  },
  {
    need: "neural vocoder, mel spectrogram to waveform",
    tasks: ["audio-to-audio"],
    depth: 1,
    models: ["nvidia/bigvgan*"],
  },
  {
    need: "Haitian Creole text read out loud by a computer",
    tasks: voice,
    depth: 1,
    wishes: { languages: ["ht"] },
    models: ["facebook/mms-tts-hat", "k2-fsa/OmniVoice"],
  },
  {
    need: "fast English ASR with punctuation, 600M parameters or fewer",
    tasks: speech,
    depth: 1,
    maxBillions: 0.62,
    models: ["*parakeet-tdt-0.6b*", "openai/whisper*", "*moonshine*"],
  },
  {
    need: "phone agent that talks and listens at the same time, full duplex, with a persona",
    tasks: ["audio-to-audio", "any-to-any", "audio-text-to-text"],
    depth: 1,
    models: ["nvidia/personaplex*", "openbmb/MiniCPM-o*", "Qwen/Qwen*Omni*"],
  },
];
