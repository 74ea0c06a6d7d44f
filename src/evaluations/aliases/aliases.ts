import { openClipAliases } from "./openclip.ts";

/** What LMArena calls models with published weights, and their repositories. */
export const arenaAliases: Readonly<Record<string, readonly string[]>> = {
  "command-a-03-2025": ["CohereLabs/c4ai-command-a-03-2025"],
  "command-r-plus-08-2024": ["CohereLabs/c4ai-command-r-plus-08-2024"],
  "deepseek-r1": ["deepseek-ai/DeepSeek-R1"],
  "deepseek-r1-0528": ["deepseek-ai/DeepSeek-R1-0528"],
  "deepseek-v3": ["deepseek-ai/DeepSeek-V3"],
  "deepseek-v3-0324": ["deepseek-ai/DeepSeek-V3-0324"],
  "deepseek-v3.1": ["deepseek-ai/DeepSeek-V3.1"],
  "deepseek-v3.2": ["deepseek-ai/DeepSeek-V3.2"],
  "deepseek-v3.2-exp": ["deepseek-ai/DeepSeek-V3.2-Exp"],
  "gemma-2-27b-it": ["google/gemma-2-27b-it"],
  "gemma-2-2b-it": ["google/gemma-2-2b-it"],
  "gemma-2-9b-it": ["google/gemma-2-9b-it"],
  "gemma-3-12b-it": ["google/gemma-3-12b-it"],
  "gemma-3-27b-it": ["google/gemma-3-27b-it"],
  "gemma-3-4b-it": ["google/gemma-3-4b-it"],
  "gemma-3n-e4b-it": ["google/gemma-3n-E4B-it"],
  "glm-4.5": ["zai-org/GLM-4.5"],
  "glm-4.5-air": ["zai-org/GLM-4.5-Air"],
  "glm-4.5v": ["zai-org/GLM-4.5V"],
  "glm-4.6": ["zai-org/GLM-4.6"],
  "glm-4.7": ["zai-org/GLM-4.7"],
  "glm-5": ["zai-org/GLM-5"],
  "gpt-oss-120b": ["openai/gpt-oss-120b"],
  "gpt-oss-20b": ["openai/gpt-oss-20b"],
  "kimi-k2-0711-preview": ["moonshotai/Kimi-K2-Instruct"],
  "kimi-k2-0905-preview": ["moonshotai/Kimi-K2-Instruct-0905"],
  "llama-3.1-70b-instruct": ["meta-llama/Llama-3.1-70B-Instruct"],
  "llama-3.1-8b-instruct": ["meta-llama/Llama-3.1-8B-Instruct"],
  "llama-3.2-1b-instruct": ["meta-llama/Llama-3.2-1B-Instruct"],
  "llama-3.2-3b-instruct": ["meta-llama/Llama-3.2-3B-Instruct"],
  "llama-3.3-70b-instruct": ["meta-llama/Llama-3.3-70B-Instruct"],
  "llama-4-maverick-17b-128e-instruct": ["meta-llama/Llama-4-Maverick-17B-128E-Instruct"],
  "llama-4-scout-17b-16e-instruct": ["meta-llama/Llama-4-Scout-17B-16E-Instruct"],
  "minimax-m2": ["MiniMaxAI/MiniMax-M2"],
  "minimax-m2.1": ["MiniMaxAI/MiniMax-M2.1"],
  "mistral-small-2506": ["mistralai/Mistral-Small-3.2-24B-Instruct-2506"],
  "mistral-small-3.1-24b-instruct-2503": ["mistralai/Mistral-Small-3.1-24B-Instruct-2503"],
  "phi-4": ["microsoft/phi-4"],
  "qwen2.5-72b-instruct": ["Qwen/Qwen2.5-72B-Instruct"],
  "qwen2.5-coder-32b-instruct": ["Qwen/Qwen2.5-Coder-32B-Instruct"],
  "qwen2.5-vl-32b-instruct": ["Qwen/Qwen2.5-VL-32B-Instruct"],
  "qwen2.5-vl-72b-instruct": ["Qwen/Qwen2.5-VL-72B-Instruct"],
  "qwen3-235b-a22b": ["Qwen/Qwen3-235B-A22B"],
  "qwen3-235b-a22b-instruct-2507": ["Qwen/Qwen3-235B-A22B-Instruct-2507"],
  "qwen3-235b-a22b-thinking-2507": ["Qwen/Qwen3-235B-A22B-Thinking-2507"],
  "qwen3-30b-a3b": ["Qwen/Qwen3-30B-A3B"],
  "qwen3-30b-a3b-instruct-2507": ["Qwen/Qwen3-30B-A3B-Instruct-2507"],
  "qwen3-32b": ["Qwen/Qwen3-32B"],
  "qwen3-coder-480b-a35b-instruct": ["Qwen/Qwen3-Coder-480B-A35B-Instruct"],
  "qwen3-next-80b-a3b-instruct": ["Qwen/Qwen3-Next-80B-A3B-Instruct"],
  "qwen3-next-80b-a3b-thinking": ["Qwen/Qwen3-Next-80B-A3B-Thinking"],
  "qwq-32b": ["Qwen/QwQ-32B"],
};

/**
 * The repositories on the hub of what boards name otherwise, by collection. Each line was checked by hand: same weights,
 * same size, same training. An empty list says that a name, or the id that the board gives, is not that model.
 */
const aliases: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  bfcl: {
    "Command A": ["CohereLabs/c4ai-command-a-03-2025"],
    "Command A Reasoning": ["CohereLabs/command-a-reasoning-08-2025"],
    "Command R7B": ["CohereLabs/c4ai-command-r7b-12-2024"],
    "DeepSeek-V3.2-Exp": ["deepseek-ai/DeepSeek-V3.2-Exp"],
    "Gemma-3-1b-it": ["google/gemma-3-1b-it"],
    "Gemma-3-4b-it": ["google/gemma-3-4b-it"],
    "Gemma-3-12b-it": ["google/gemma-3-12b-it"],
    "Gemma-3-27b-it": ["google/gemma-3-27b-it"],
    "Llama-3.1-8B-Instruct": ["meta-llama/Llama-3.1-8B-Instruct"],
    "Llama-3.2-1B-Instruct": ["meta-llama/Llama-3.2-1B-Instruct"],
    "Llama-3.2-3B-Instruct": ["meta-llama/Llama-3.2-3B-Instruct"],
    "Llama-3.3-70B-Instruct": ["meta-llama/Llama-3.3-70B-Instruct"],
    "mistral-large-2411": ["mistralai/Mistral-Large-Instruct-2411"],
    "Mistral-small-2506": ["mistralai/Mistral-Small-3.2-24B-Instruct-2506"],
    "Open-Mistral-Nemo-2407": ["mistralai/Mistral-Nemo-Instruct-2407"],
  },
  euroeval: {
    // The same repository, spelled in two ways.
    "nvidia/mistral-nemo-minitron-8b-base": ["nvidia/Mistral-NeMo-Minitron-8B-Base"],
    // The organisation has another name now.
    "THUDM/GLM-4.1V-9B-Thinking": ["zai-org/GLM-4.1V-9B-Thinking"],
  },
  "gift-eval": {
    // Systems of several models, models tuned to the board's data, and versions that share an id.
    "FlowState-r1.1": [],
    MoiraiAgent: [],
    "MoiraiAgent-leaking": [],
    "TSOrchestra-test": [],
    "TTM-R2-Finetuned": [],
    "TTM-R3-FT": [],
    tempo_ensemble: [],
    // The board gives the id of the large one.
    moirai_small: ["Salesforce/moirai-1.1-R-small"],
    timesfm: ["google/timesfm-1.0-200m", "google/timesfm-1.0-200m-pytorch"],
    timesfm_2_0_500m: ["google/timesfm-2.0-500m-jax", "google/timesfm-2.0-500m-pytorch"],
    "TimesFM-2.5": ["google/timesfm-2.5-200m-pytorch", "google/timesfm-2.5-200m-transformers"],
  },
  "models.dev": {
    // Aider measured Codestral 25.01, whose weights are not published.
    "mistral/codestral-latest": [],
    // In October 2025 both were V3.2-Exp.
    "deepseek/deepseek-chat": ["deepseek-ai/DeepSeek-V3.2-Exp"],
    "deepseek/deepseek-reasoner": ["deepseek-ai/DeepSeek-V3.2-Exp"],
  },
  lmarena: arenaAliases,
  mteb: {
    // The same weights for transformers.
    "vidore/colpali-v1.3": ["vidore/colpali-v1.3", "vidore/colpali-v1.3-hf"],
    "vidore/colqwen2-v1.0": ["vidore/colqwen2-v1.0", "vidore/colqwen2-v1.0-hf"],
  },
  "open-asr": {
    "ultravox/fixie-ai-ultravox-v0_6-llama-3_1-8b": ["fixie-ai/ultravox-v0_6-llama-3_1-8b"],
  },
  openclip: openClipAliases,
  roboflow: {
    "RT-DETRv1 r18vd": ["PekingU/rtdetr_r18vd"],
    "RT-DETRv1 r34vd": ["PekingU/rtdetr_r34vd"],
    "RT-DETRv1 r50vd": ["PekingU/rtdetr_r50vd"],
    "RT-DETRv1 r101vd": ["PekingU/rtdetr_r101vd"],
    "RT-DETRv2-S": ["PekingU/rtdetr_v2_r18vd"],
    "RT-DETRv2-M*": ["PekingU/rtdetr_v2_r34vd"],
    "RT-DETRv2-L": ["PekingU/rtdetr_v2_r50vd"],
    "RT-DETRv2-X": ["PekingU/rtdetr_v2_r101vd"],
  },
  vectara: {
    "ai21labs/jamba-large-1.7-2025-07": ["ai21labs/AI21-Jamba-Large-1.7"],
    "ai21labs/jamba-mini-1.7-2025-07": ["ai21labs/AI21-Jamba-Mini-1.7"],
    "CohereLabs/c4ai-aya-expanse-8b": ["CohereLabs/aya-expanse-8b"],
    "CohereLabs/c4ai-aya-expanse-32b": ["CohereLabs/aya-expanse-32b"],
    "CohereLabs/command-a-03-2025": ["CohereLabs/c4ai-command-a-03-2025"],
    "CohereLabs/command-r-plus-08-2024": ["CohereLabs/c4ai-command-r-plus-08-2024"],
    "MiniMaxAI/minimax-m2p1": ["MiniMaxAI/MiniMax-M2.1"],
    "MiniMaxAI/minimax-m2p5": ["MiniMaxAI/MiniMax-M2.5"],
    "mistralai/ministral-8b-2410": ["mistralai/Ministral-8B-Instruct-2410"],
    "mistralai/ministral-3-3b-2512": ["mistralai/Ministral-3-3B-Instruct-2512"],
    "mistralai/ministral-3-8b-2512": ["mistralai/Ministral-3-8B-Instruct-2512"],
    "mistralai/ministral-3-14b-2512": ["mistralai/Ministral-3-14B-Instruct-2512"],
    "mistralai/mistral-3-large-2512": ["mistralai/Mistral-Large-3-675B-Instruct-2512"],
    "mistralai/mistral-large-2411": ["mistralai/Mistral-Large-Instruct-2411"],
    "mistralai/mistral-small-2501": ["mistralai/Mistral-Small-24B-Instruct-2501"],
    "nvidia/Nemotron-3-Nano-30B-A3B": ["nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16"],
    "zai-org/glm-4p7": ["zai-org/GLM-4.7"],
  },
};

const byLowerCase: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>> = new Map(
  Object.entries(aliases).map(([collection, names]) => [
    collection,
    new Map(Object.entries(names).map(([name, models]) => [name.toLowerCase(), models])),
  ]),
);

/**
 * The repositories of what a board names in its own way, letter case ignored. An empty list says that it must not be
 * joined with a model; undefined that nothing is known of the name.
 */
export function knownAs(collection: string, name: string): readonly string[] | undefined {
  return byLowerCase.get(collection)?.get(name.toLowerCase());
}
