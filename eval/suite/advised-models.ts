// Names of models, with * for any text, that an adviser names in mid 2026.

/** General chat models that an adviser names in mid 2026. */
export const chat = [
  "*Qwen3.5*",
  "*Qwen3.6*",
  "*gemma-4*",
  "openai/gpt-oss-*",
  "mistralai/Ministral-3-*",
  "mistralai/Mistral-Small-4*",
  "mistralai/Mistral-Medium-3.5*",
  "deepseek-ai/DeepSeek-V4*",
  "moonshotai/Kimi-K2*",
  "zai-org/GLM-*",
  "MiniMaxAI/MiniMax-M*",
  "nvidia/NVIDIA-Nemotron-3-*",
  "*Qwen3-*-2507*",
  "*Qwen3-30B-A3B*",
  "ibm-granite/granite-4.1-*",
  "stepfun-ai/Step-3*",
];
/** Chat models for processors, laptops and phones. */
export const smallChat = [
  "*Qwen3.5-0.8B*",
  "*Qwen3.5-2B*",
  "*Qwen3.5-4B*",
  "*gemma-4-E2B*",
  "*gemma-4-E4B*",
  "google/gemma-3-270m-it",
  "LiquidAI/LFM2.5*",
  "*Qwen3-4B-Instruct-2507*",
  "openbmb/MiniCPM5*",
  "mistralai/Ministral-3-3B*",
  "ibm-granite/granite-4*",
];
/** Models that write programs. */
export const coders = [
  ...chat,
  "*Qwen3-Coder*",
  "mistralai/Devstral-Small-2*",
  "CohereLabs/North-Mini-Code*",
  "Kwaipilot/KAT-Coder*",
  "poolside/Laguna*",
];
/** Models that answer nobody well any more, and models without refusals, which nobody should get unasked. */
export const never = [
  "*blenderbot*",
  "*DialoGPT*",
  "openai-community/*",
  "EleutherAI/*",
  "facebook/opt*",
  "baichuan-inc/*",
  "meta-llama/Llama-2*",
  "*uncensored*",
  "*heretic*",
  "*abliterated*",
];
/** Models that give vectors of texts. */
export const embedders = [
  "*Qwen3-Embedding*",
  "BAAI/bge-m3",
  "google/embeddinggemma*",
  "jinaai/jina-embeddings-v5*",
  "ibm-granite/granite-embedding*",
  "Snowflake/snowflake-arctic-embed*",
  "microsoft/harrier*",
  "nomic-ai/nomic-embed-text*",
  "Alibaba-NLP/gte*",
  "perplexity-ai/pplx-embed*",
  "voyageai/voyage-4*",
  "codefuse-ai/F2LLM*",
  "nvidia/llama-nemotron-embed*",
  "zeroentropy/zembed*",
];
/** Models that order search results. */
export const rerankers = [
  "*Qwen3-Reranker*",
  "BAAI/bge-reranker-v2*",
  "jinaai/jina-reranker*",
  "mixedbread-ai/mxbai-rerank*",
  "Alibaba-NLP/gte*reranker*",
  "nvidia/llama-nemotron-rerank*",
];
/** Models that write down speech. */
export const transcribers = [
  "*whisper-large-v3*",
  "nvidia/parakeet*",
  "nvidia/canary*",
  "Qwen/Qwen3-ASR*",
  "CohereLabs/cohere-transcribe*",
  "mistralai/Voxtral*",
  "microsoft/VibeVoice-ASR",
  "ibm-granite/granite-speech-4*",
  "nvidia/nemotron-3.5-asr*",
];
/** Models that speak. */
export const speakers = [
  "hexgrad/Kokoro*",
  "Qwen/Qwen3-TTS*",
  "ResembleAI/chatterbox*",
  "fishaudio/s2*",
  "OpenMOSS-Team/MOSS-TTS*",
  "openbmb/VoxCPM*",
  "k2-fsa/OmniVoice",
  "mistralai/Voxtral-4B-TTS*",
  "bosonai/higgs-audio-v3*",
  "microsoft/VibeVoice*",
  "Supertone/supertonic*",
  "rhasspy/piper-voices",
  "coqui/XTTS-v2",
];
/** Models that make pictures. */
export const painters = [
  "*FLUX.2*",
  "*Qwen-Image*",
  "*Z-Image*",
  "tencent/HunyuanImage*",
  "*FLUX.1-dev*",
  "*FLUX.1-Krea*",
  "*FLUX.1-schnell*",
];
/** Models that change pictures by words. */
export const editors = ["*FLUX.2*", "*Qwen-Image-Edit*", "*FLUX.1-Kontext*"];
/** Models that read pages. */
export const readers = [
  "lightonai/LightOnOCR*",
  "PaddlePaddle/PaddleOCR-VL*",
  "zai-org/GLM-OCR*",
  "*dots.ocr*",
  "*dots.mocr*",
  "deepseek-ai/DeepSeek-OCR*",
  "opendatalab/MinerU2.5*",
  "datalab-to/*",
  "tencent/HunyuanOCR",
  "baidu/Qianfan-OCR",
  "nvidia/NVIDIA-Nemotron-Parse*",
  "numind/NuExtract3*",
  "allenai/olmOCR*",
  "*Qwen3-VL*",
  "*Qwen3.5*",
  "*Qwen3.6*",
  "*gemma-4*",
  "ibm-granite/granite-docling*",
  "ibm-granite/granite-vision-4*",
];
/** Models that answer questions about pictures. */
export const lookers = [
  "*Qwen3-VL*",
  "*Qwen3.5*",
  "*Qwen3.6*",
  "*gemma-4*",
  "openbmb/MiniCPM-*",
  "allenai/Molmo2*",
  "*GLM-4.6V*",
];
/** Models that translate between many languages. */
export const translators = [
  "*gemma-4*",
  "google/translategemma*",
  "*Qwen3.5*",
  "*Qwen3.6*",
  "facebook/nllb*",
  "google/madlad*",
];
/** Models that sort texts without training. */
export const labelers = [
  "MoritzLaurer/*zeroshot*",
  "MoritzLaurer/mDeBERTa*",
  "fastino/gliner2*",
  ...chat,
  ...smallChat,
];
/** Models that tell whether a text is positive. */
export const feelings = [
  "cardiffnlp/twitter*",
  "siebert/*",
  "tabularisai/*",
  "nlptown/*",
  "lxyuan/*",
  "j-hartmann/sentiment*",
];
/** Models that find objects in pictures. */
export const detectors = [
  "PekingU/rtdetr*",
  "ustc-community/*",
  "*rfdetr*",
  "*rf-detr*",
  "*dfine*",
  "*yolo*",
  "IDEA-Research/*",
];
/** Models that forecast series. */
export const forecasters = [
  "amazon/chronos-2*",
  "autogluon/chronos*",
  "google/timesfm-2.5*",
  "NX-AI/TiRex*",
  "Salesforce/moirai-2*",
  "ibm-*ttm*",
];
