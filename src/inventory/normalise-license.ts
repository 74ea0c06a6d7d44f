import { isLicense } from "./licenses.ts";

/** Ids as the table has them, by other spellings of them: without "the", "licence", "version" and what else is cut. */
// biome-ignore format: a table
const spellings: ReadonlyMap<string, string> = new Map([
  ["apache", "apache-2.0"], ["apache2", "apache-2.0"], ["apache2.0", "apache-2.0"], ["apache-2", "apache-2.0"],
  ["apachev2", "apache-2.0"], ["asl-2.0", "apache-2.0"], ["apache-2-0", "apache-2.0"], ["expat", "mit"],
  ["bsd-2", "bsd-2-clause"], ["bsd2", "bsd-2-clause"], ["simplified-bsd", "bsd-2-clause"],
  ["bsd-3", "bsd-3-clause"], ["bsd3", "bsd-3-clause"], ["new-bsd", "bsd-3-clause"], ["3-clause-bsd", "bsd-3-clause"],
  ["gpl3", "gpl-3.0"], ["gplv3", "gpl-3.0"], ["gpl-3", "gpl-3.0"], ["gplv2", "gpl-2.0"], ["gpl-2", "gpl-2.0"],
  ["gnu-gpl", "gpl"], ["gnu-gpl-3.0", "gpl-3.0"], ["gnu-gpl-3", "gpl-3.0"], ["gnu-general-public-3.0", "gpl-3.0"],
  ["agplv3", "agpl-3.0"], ["agpl-3", "agpl-3.0"], ["agpl", "agpl-3.0"], ["gnu-agpl-3.0", "agpl-3.0"],
  ["lgplv3", "lgpl-3.0"], ["lgpl-3", "lgpl-3.0"], ["lgplv2.1", "lgpl-2.1"], ["mpl2", "mpl-2.0"], ["mpl-2", "mpl-2.0"],
  ["mpl2.0", "mpl-2.0"], ["boost-1.0", "bsl-1.0"], ["cc0", "cc0-1.0"], ["cc-0", "cc0-1.0"], ["publicdomain", "public-domain"],
  ["creative-commons-zero", "cc0-1.0"], ["creative-commons-attribution-4.0", "cc-by-4.0"],
  ["creative-commons-attribution-noncommercial-4.0", "cc-by-nc-4.0"],
  ["llama-2", "llama2"], ["llama-3", "llama3"], ["llama-3.1", "llama3.1"], ["llama-3.2", "llama3.2"],
  ["llama-3.3", "llama3.3"], ["llama-4", "llama4"], ["llama3-1", "llama3.1"], ["llama3-2", "llama3.2"], ["llama3-3", "llama3.3"],
  ["gemma-terms-of-use", "gemma"], ["gemma-terms", "gemma"],
  ["creativeml-openrail", "creativeml-openrail-m"], ["creativeml-openrail++-m", "openrail++"], ["openrail++-m", "openrail++"],
  ["openrail-m", "openrail"], ["bigcode-openrail-m-1", "bigcode-openrail-m"], ["bigscience-rail-1.0", "bigscience-bloom-rail-1.0"],
  ["stable", "stabilityai-ai-community"], ["stability", "stabilityai-ai-community"], ["stabilityai", "stabilityai-ai-community"],
  ["stability-ai", "stabilityai-ai-community"], ["stabilityai-ai", "stabilityai-ai-community"],
  ["flux-1-dev", "flux-1-dev-non-commercial-license"], ["flux.1-dev-non-commercial", "flux-1-dev-non-commercial-license"],
  ["flux-1-dev-non-commercial", "flux-1-dev-non-commercial-license"], ["flux-non-commercial", "flux-non-commercial-license"],
  ["nvidia-open-model", "nvidia-open-model-license"], ["nvidia-nemotron-open-model", "nvidia-nemotron-open-model-license"],
  ["lfm-open-1.0", "lfm1.0"], ["lfm-open", "lfm1.0"], ["lfm-1.0", "lfm1.0"], ["lfm", "lfm1.0"],
  ["falcon-llm", "falcon-llm-license"], ["falcon", "falcon-llm-license"], ["falcon-mamba-7b", "falcon-llm-license"],
  ["falcon-2-11b-tii", "falcon-llm-license"], ["deepfloyd-if", "deepfloyd-if-license"],
  ["coqui-public-model", "coqui-public-model-license"], ["cpml", "coqui-public-model-license"],
  ["tongyi-qianwen-research", "qwen-research"], ["qianwen", "tongyi-qianwen"],
  ["mistral-research", "mrl"], ["mistral-ai-research", "mrl"], ["mistral-ai-non-production", "mnpl"], ["mistral-non-production", "mnpl"],
  ["yi", "yi-license"], ["baichuan2", "baichuan-2-community"], ["baichuan-2", "baichuan-2-community"],
  ["jamba-open-model", "jamba-open-model-license"], ["jamba-open", "jamba-open-model-license"],
  ["databricks-open-model", "databricks-open-model-license"], ["dbrx", "databricks-open-model-license"],
  ["minimax-model", "minimax-model-license"], ["grok-2", "grok2-community"], ["grok2", "grok2-community"],
  ["ltx-2.x", "ltx-2-community-license-agreement"], ["ltx-2", "ltx-2-community-license-agreement"],
  ["ltx-video-open-weights", "ltx-2-community-license-agreement"], ["sam", "sam-license"], ["dinov3", "dinov3-license"],
  ["nxai", "nxai-community-license"], ["fish-audio-research", "fish-audio-research-license"],
  ["chameleon-research", "chameleon-research-license"], ["hai-def", "health-ai-developer-foundations"],
  ["tencent-hunyuan", "tencent-hunyuan-community"], ["hunyuan", "tencent-hunyuan-community"],
]);

/** Lines of licences of which each model has its own. */
const lines: ReadonlyArray<readonly [start: RegExp, id: string]> = [
  [/^(?:tencent-)?hunyuan.*-community/, "tencent-hunyuan-community"],
  [/^exaone(?:-|$)/, "exaone"],
  [/^meta-llama-?3\.1/, "llama3.1"],
  [/^meta-llama-?3(?!\.)/, "llama3"],
];

/** What ends a name and says nothing. Cut one by one. */
const ending =
  /-(?:only|or-later|licen[sc]ed?|agreement|community|terms|international|generic|unported|public)$|\+$|-\(.{0,40}\)$/;
const LONGEST = 120;

/**
 * The licence id as we write it: lower case, blanks and underscores as "-", common spellings as the table has them
 * (`Apache License 2.0`, `GPL-3.0-or-later`, `llama3_1`, `Meta Llama 3 Community License Agreement`); undefined for
 * blanks, `unknown`, `none` and whole texts. What is in no table stays as it is told, in lower case.
 */
export function normaliseLicense(told: string | undefined): string | undefined {
  const trimmed = told?.trim().toLowerCase();
  if (trimmed === undefined || /^(?:|unknown|none|n\/a|null|undefined)$/.test(trimmed)) return undefined;
  // A whole text is no name.
  if (trimmed.length > LONGEST) return undefined;
  if (isLicense(trimmed)) return trimmed;
  let text = trimmed
    .replace(/^licen[sc]e:\s*/, "")
    .replace(/[\s_,/]+/g, "-")
    .replace(/^the-/, "")
    .replace(/-(?:v\.?-?|ver\.?-?|version-?)(?=\d)/, "-")
    .replace(/-licen[sc]e(?=-\d)/, "");
  for (let cut = true; cut; ) {
    const id = tabled(text);
    if (id !== undefined) return id;
    const shorter = text.replace(ending, "");
    cut = shorter !== text && shorter !== "";
    text = shorter;
  }
  return trimmed;
}

function tabled(text: string): string | undefined {
  const id = spellings.get(text) ?? text;
  if (isLicense(id)) return id;
  return lines.find(([start]) => start.test(text))?.[1];
}
