import { isLicense, licenseFacts } from "./licenses.ts";

/**
 * The table's ids by other spellings, without the words that `normaliseLicense` removes ("the", "licence", "version").
 */
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
  ["chatglm2-6b", "chatglm"], ["chatglm3-6b", "chatglm"], ["fair-ai-public-1.0-sd", "faipl-1.0-sd"],
  ["tencent-hunyuan", "tencent-hunyuan-community"], ["hunyuan", "tencent-hunyuan-community"],
]);

/** Series of licences in which each model has its own. */
const lines: ReadonlyArray<readonly [start: RegExp, id: string]> = [
  [/^(?:tencent-)?hunyuan.*-community/, "tencent-hunyuan-community"],
  [/^exaone(?:-|$)/, "exaone"],
  [/^meta-llama-?3\.1/, "llama3.1"],
  [/^meta-llama-?3(?!\.)/, "llama3"],
];

/** Endings of names without meaning, removed one by one. */
const ending =
  /-(?:only|or-later|licen[sc]ed?|agreement|community|terms|international|generic|unported|public)$|\+$|-\(.{0,40}\)$/;
const LONGEST_LICENSE = 120;

/**
 * Normalises a licence id: lower case, "-" for blanks and underscores, the table's id for common spellings (`Apache
 * License 2.0`, `GPL-3.0-or-later`, `llama3_1`, `Meta Llama 3 Community License Agreement`). An unknown licence stays
 * as it is declared, in lower case; undefined for blanks, `unknown`, `none` and whole texts.
 */
export function normaliseLicense(declared: string | undefined): string | undefined {
  const trimmed = declared?.trim().toLowerCase();
  if (trimmed === undefined || /^(?:|unknown|none|n\/a|null|undefined)$/.test(trimmed)) {
    return undefined;
  }
  // A whole text is not a name.
  if (trimmed.length > LONGEST_LICENSE) {
    return undefined;
  }
  if (isLicense(trimmed)) {
    return trimmed;
  }
  let text = trimmed
    .replace(/^licen[sc]e:\s*/, "")
    .replace(/[\s_,/]+/g, "-")
    .replace(/^the-/, "")
    .replace(/-(?:v\.?-?|ver\.?-?|version-?)(?=\d)/, "-")
    .replace(/-licen[sc]e(?=-\d)/, "");
  for (let cut = true; cut; ) {
    const id = tabled(text);
    if (id !== undefined) {
      return id;
    }
    const shorter = text.replace(ending, "");
    cut = shorter !== text && shorter !== "";
    text = shorter;
  }
  return trimmed;
}

function tabled(text: string): string | undefined {
  const id = spellings.get(text) ?? text;
  if (isLicense(id)) {
    return id;
  }
  return lines.find(([start]) => start.test(text))?.[1];
}

/** Addresses of licence texts with the id, more specific ones first. */
const places: ReadonlyArray<readonly [place: RegExp, id: string]> = [
  [/apache\.org\/licenses\/license-2\.0/, "apache-2.0"],
  [/creativecommons\.org\/publicdomain\/zero\/1\.0/, "cc0-1.0"],
  [/unlicense\.org/, "unlicense"],
  [/gnu\.org\/licenses\/agpl-3\.0/, "agpl-3.0"],
  [/gnu\.org\/licenses\/lgpl-3\.0/, "lgpl-3.0"],
  [/gnu\.org\/licenses\/gpl-3\.0/, "gpl-3.0"],
  [/llama(?:\.meta)?\.com\/llama4\/|llama-models\/[^ ]*llama4\//, "llama4"],
  [/llama(?:\.meta)?\.com\/llama3_3\/|llama-models\/[^ ]*llama3_3\//, "llama3.3"],
  [/llama(?:\.meta)?\.com\/llama3_2\/|llama-models\/[^ ]*llama3_2\//, "llama3.2"],
  [/llama(?:\.meta)?\.com\/llama3_1\/|llama-models\/[^ ]*llama3_1\//, "llama3.1"],
  [/llama(?:\.meta)?\.com\/llama3\/|llama-models\/[^ ]*llama3\/|meta-llama\/(?:meta-)?llama-3-\d+b/, "llama3"],
  [/ai\.meta\.com\/(?:llama\/license|resources\/models-and-libraries\/llama-downloads)|llama\.com\/llama2\//, "llama2"],
  [/ai\.google\.dev\/gemma\/(?:terms|docs\/gemma_3_license)/, "gemma"],
  [/developers\.google\.com\/health-ai-developer-foundations\/terms/, "health-ai-developer-foundations"],
  [/nvidia\.com\/[^ ]*nvidia-nemotron-open-model-license/, "nvidia-nemotron-open-model-license"],
  [/nvidia\.com\/[^ ]*nvidia-open-model-license/, "nvidia-open-model-license"],
  [/huggingface\.co\/spaces\/compvis\/stable-diffusion-license/, "creativeml-openrail-m"],
  [/huggingface\.co\/spaces\/bigcode\/bigcode-model-license-agreement/, "bigcode-openrail-m"],
  [/huggingface\.co\/spaces\/bigscience\/license/, "bigscience-bloom-rail-1.0"],
  [/huggingface\.co\/black-forest-labs\/flux\.1-dev\//, "flux-1-dev-non-commercial-license"],
  [/stability\.ai\/(?:community-)?license/, "stabilityai-ai-community"],
  [/mistral\.ai\/licenses\/mrl/, "mrl"],
  [/mistral\.ai\/licenses\/mnpl/, "mnpl"],
  [/falconllm\.tii\.ae\//, "falcon-llm-license"],
  [/coqui\.ai\/cpml/, "coqui-public-model-license"],
  [/openmdw\.ai\/license/, "openmdw-1.0"],
];

/** Addresses that contain the id. */
const ids: readonly RegExp[] = [
  /choosealicense\.com\/licenses\/([a-z0-9.-]{1,40}?)\/?$/,
  /(?:spdx\.org|opensource\.org)\/licen[sc]es?\/([a-z0-9.-]{1,40}?)(?:\.html|-license(?:\.php)?|\/)?$/,
  /choosealicense\/licenses\/[^ ]*\/([a-z0-9.+-]{1,40}?)\.md$/,
];

const creativeCommons = /creativecommons\.org\/licenses\/(by(?:-nc)?(?:-sa|-nd)?)\/(\d\.\d)/;
const LONGEST_LINK = 500;

/** The id of the licence whose text is at an address; undefined for other addresses. */
export function licenseOfLink(link: string | undefined): string | undefined {
  const address = link?.trim().toLowerCase();
  if (address === undefined || address.length > LONGEST_LINK) {
    return undefined;
  }
  const common = creativeCommons.exec(address);
  if (common !== null) {
    return `cc-${common[1]}-${common[2]}`;
  }
  const named = ids
    .map((place) => normaliseLicense(place.exec(address)?.[1]))
    .find((id) => id !== undefined && isLicense(id));
  return named ?? places.find(([place]) => place.test(address))?.[1];
}

/** What a source declares about a licence. */
export interface LicenseDeclaration {
  /** `apache-2.0`, `other` … */
  id?: string | null;
  /** The name that owners write beside `other`. */
  name?: string | null;
  /** Where its text is. */
  link?: string | null;
  /** Tags of the model. Only those that begin with `license:` or `license_name:` count. */
  tags?: readonly string[];
}

/**
 * The most specific licence id of a declaration: a known name; the id; and if that is `other` or missing, a tag, a name
 * among the tags, or the licence at the link. Else `other` or the id as declared; undefined if nothing is declared.
 */
export function declaredLicense({ id, name, link, tags = [] }: LicenseDeclaration): string | undefined {
  const named = normaliseLicense(name ?? undefined);
  if (licenseFacts(named) !== undefined) {
    return named;
  }
  const declared = normaliseLicense(id ?? undefined);
  if (declared !== undefined && declared !== "other") {
    return declared;
  }
  const tagged = tags.filter((tag) => tag.startsWith("license"));
  const ids = [...valuesOf(tagged, "license:"), ...valuesOf(tagged, "license_name:")].map(normaliseLicense);
  const known = ids.find((each) => licenseFacts(each) !== undefined);
  if (known !== undefined) {
    return known;
  }
  for (const address of [link ?? undefined, ...valuesOf(tagged, "license_link:")]) {
    const linked = licenseOfLink(address);
    if (linked !== undefined) {
      return linked;
    }
  }
  return (
    ids.find((each) => each !== undefined && each !== "other") ?? declared ?? ids.find((each) => each !== undefined)
  );
}

function valuesOf(tags: readonly string[], prefix: string): string[] {
  return tags.filter((tag) => tag.startsWith(prefix)).map((tag) => tag.slice(prefix.length));
}
