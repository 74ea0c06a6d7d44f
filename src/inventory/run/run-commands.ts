import type { Model } from "../facts/model.ts";
import { comfyUi, llamaCpp, mlx, ollama, sglang, vllm, whisperCpp } from "./engine-commands.ts";
import { type Form, formsOf, type Made, type RunCommand } from "./forms.ts";
import { diffusers, sentenceTransformers, transformers, transformersJs } from "./library-code.ts";

/** The engines in the order of their commands, and where each is described (`local-apps.ts` of @huggingface/tasks). */
const engineUrls = {
  ollama: "https://huggingface.co/docs/hub/ollama",
  "llama.cpp": "https://github.com/ggml-org/llama.cpp",
  mlx: "https://github.com/ml-explore/mlx-lm",
  vllm: "https://docs.vllm.ai",
  sglang: "https://docs.sglang.io",
  transformers: "https://huggingface.co/docs/transformers",
  "sentence-transformers": "https://sbert.net",
  diffusers: "https://huggingface.co/docs/diffusers",
  "transformers.js": "https://huggingface.co/docs/transformers.js",
  "whisper.cpp": "https://github.com/ggml-org/whisper.cpp",
  comfyui: "https://docs.comfy.org",
} as const;

type Engine = keyof typeof engineUrls;

const engines = Object.keys(engineUrls) as Engine[];

/** The note on a command that lets an engine run Python code of a repository. */
const OWN_CODE = "It runs code from the repository; read that code first.";

/**
 * How to start a model with the engines that take it, by the forms of it that the facts name; empty if it has none on the
 * Hub. Where a repository has several variants, one command takes the best and one that of about four bits. The commands
 * are those that the Hub's pages show (`local-apps.ts` and `model-libraries-snippets.ts` of @huggingface/tasks 0.21),
 * and whisper.cpp's from its README.
 *
 * @param model with its repackagings (see `withRepackagings`), whose repositories count too.
 */
export function runCommands(model: Model): RunCommand[] {
  const forms = formsOf(model);
  return engines.flatMap((engine) =>
    commandsFor[engine](model, forms).map((made) => ({
      engine,
      url: engineUrls[engine],
      ...made,
      ...(/\btrust[-_]remote[-_]code\b/.test(made.command) && { note: OWN_CODE }),
    })),
  );
}

const commandsFor: Readonly<Record<Engine, (model: Model, forms: readonly Form[]) => Made[]>> = {
  ollama,
  "llama.cpp": llamaCpp,
  mlx,
  vllm,
  sglang,
  transformers,
  "sentence-transformers": sentenceTransformers,
  diffusers,
  "transformers.js": transformersJs,
  "whisper.cpp": whisperCpp,
  comfyui: comfyUi,
};
