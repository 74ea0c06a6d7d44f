/** What a licence allows, from most to least free. */
export type LicenseClass = "permissive" | "open" | "commercial" | "non-commercial";

/** The words that the `license` field takes besides licence ids. */
export const licenseWords = ["any", "open", "permissive", "commercial"] as const;

/** The known facts of a licence. */
export interface LicenseFacts {
  /** The narrowest class it belongs to; permissive implies open, open implies commercial. */
  class: LicenseClass;
  /** OSI-approved, public domain, CC-BY or CC-BY-SA. */
  open: boolean;
  /** The licence's name for people. */
  title: string;
  /** A condition that a commercial user must know, as a phrase. */
  conditions?: string;
  /** Set if works built on the model's code must be published under the same licence. */
  isCopyleft?: true;
  /** The address of its text. */
  url?: string;
}

const spdx = (id: string) => `https://spdx.org/licenses/${id}.html`;
const permissive = (title: string, url?: string): LicenseFacts => ({ class: "permissive", open: true, title, url });
const open = (title: string, conditions: string, url?: string): LicenseFacts => ({
  class: "open",
  open: true,
  title,
  conditions,
  url,
});
const copyleft = (title: string, url?: string, conditions = publication): LicenseFacts => ({
  ...open(title, conditions, url),
  isCopyleft: true,
});
const commercial = (title: string, conditions: string, url?: string): LicenseFacts => ({
  class: "commercial",
  open: false,
  title,
  conditions,
  url,
});
const nonCommercial = (title: string, url?: string): LicenseFacts => ({
  class: "non-commercial",
  open: false,
  title,
  url,
});

const shareAlike = "adapted versions must be shared under the same licence";
const attribution = "the authors must be named";
const useRules = "a list of forbidden uses comes with it and must be passed on";
const llamaTerms = "products with over 700 million monthly users need Meta's consent, and its use policy applies";
const publication = "works built on its code must be published under the same licence";

/** Licence ids as the hub writes them, each with what it allows. */
const table = new Map<string, LicenseFacts>([
  ["apache-2.0", permissive("Apache 2.0", spdx("Apache-2.0"))],
  ["mit", permissive("MIT", spdx("MIT"))],
  ["mit-0", permissive("MIT No Attribution", spdx("MIT-0"))],
  ["bsd", permissive("BSD")],
  ["bsd-2-clause", permissive("BSD 2-Clause", spdx("BSD-2-Clause"))],
  ["bsd-3-clause", permissive("BSD 3-Clause", spdx("BSD-3-Clause"))],
  ["bsd-3-clause-clear", permissive("BSD 3-Clause Clear", spdx("BSD-3-Clause-Clear"))],
  ["isc", permissive("ISC", spdx("ISC"))],
  ["zlib", permissive("zlib", spdx("Zlib"))],
  ["ncsa", permissive("NCSA", spdx("NCSA"))],
  ["postgresql", permissive("PostgreSQL", spdx("PostgreSQL"))],
  ["bsl-1.0", permissive("Boost 1.0", spdx("BSL-1.0"))],
  ["afl-3.0", permissive("Academic Free License 3.0", spdx("AFL-3.0"))],
  ["ecl-2.0", permissive("Educational Community License 2.0", spdx("ECL-2.0"))],
  ["ms-pl", permissive("Microsoft Public License", spdx("MS-PL"))],
  ["unlicense", permissive("Unlicense", spdx("Unlicense"))],
  ["wtfpl", permissive("WTFPL", spdx("WTFPL"))],
  ["0bsd", permissive("Zero-Clause BSD", spdx("0BSD"))],
  ["cc0-1.0", permissive("CC0 1.0", spdx("CC0-1.0"))],
  ["pddl", permissive("Public Domain Dedication", spdx("PDDL-1.0"))],
  ["cdla-permissive-1.0", permissive("CDLA Permissive 1.0", spdx("CDLA-Permissive-1.0"))],
  ["cdla-permissive-2.0", permissive("CDLA Permissive 2.0", spdx("CDLA-Permissive-2.0"))],
  ["openmdw-1.0", permissive("OpenMDW 1.0", "https://openmdw.ai/license/")],
  ["openmdw-1.1", permissive("OpenMDW 1.1", "https://openmdw.ai/license/")],
  ["public-domain", permissive("Public domain")],
  ["etalab-2.0", open("Etalab 2.0", attribution, spdx("etalab-2.0"))],
  ["epl-1.0", open("EPL 1.0", "changed modules must be published", spdx("EPL-1.0"))],
  ["lppl-1.3c", open("LPPL 1.3c", "changed versions must be marked as changed", spdx("LPPL-1.3c"))],
  ["lgpl-lr", commercial("LGPL-LR", "changes to the licensed part must be published", spdx("LGPLLR"))],
  ["gfdl", commercial("GFDL", shareAlike, spdx("GFDL-1.3-only"))],
  ["odbl", commercial("ODbL", shareAlike, spdx("ODbL-1.0"))],
  ["cdla-sharing-1.0", commercial("CDLA Sharing 1.0", shareAlike, spdx("CDLA-Sharing-1.0"))],
  ["c-uda", commercial("C-UDA", "for computational use only", spdx("C-UDA-1.0"))],
  ["artistic-2.0", open("Artistic 2.0", "changed versions must be marked as changed", spdx("Artistic-2.0"))],
  ["cc-by", open("CC BY", attribution)],
  ["cc-by-sa", open("CC BY-SA", shareAlike)],
  ["cc-by-nd", commercial("CC BY-ND", "changed versions may not be shared")],
  ["cc-by-nc", nonCommercial("CC BY-NC")],
  ["cc-by-nc-sa", nonCommercial("CC BY-NC-SA")],
  ["cc-by-nc-nd", nonCommercial("CC BY-NC-ND")],
  ["cc-by-2.0", open("CC BY 2.0", attribution, spdx("CC-BY-2.0"))],
  ["cc-by-2.5", open("CC BY 2.5", attribution, spdx("CC-BY-2.5"))],
  ["cc-by-3.0", open("CC BY 3.0", attribution, spdx("CC-BY-3.0"))],
  ["cc-by-4.0", open("CC BY 4.0", attribution, spdx("CC-BY-4.0"))],
  ["cc-by-sa-3.0", open("CC BY-SA 3.0", shareAlike, spdx("CC-BY-SA-3.0"))],
  ["cc-by-sa-4.0", open("CC BY-SA 4.0", shareAlike, spdx("CC-BY-SA-4.0"))],
  ["odc-by", open("ODC-By", attribution, spdx("ODC-By-1.0"))],
  ["gpl", copyleft("GPL")],
  ["gpl-2.0", copyleft("GPL 2.0", spdx("GPL-2.0-only"))],
  ["gpl-3.0", copyleft("GPL 3.0", spdx("GPL-3.0-only"))],
  ["agpl-3.0", copyleft("AGPL 3.0", spdx("AGPL-3.0-only"), "source must be offered to users over a network too")],
  ["lgpl", open("LGPL", "changes to the licensed part must be published")],
  ["lgpl-2.1", open("LGPL 2.1", "changes to the licensed part must be published", spdx("LGPL-2.1-only"))],
  ["lgpl-3.0", open("LGPL 3.0", "changes to the licensed part must be published", spdx("LGPL-3.0-only"))],
  ["mpl-2.0", open("MPL 2.0", "changed files must be published", spdx("MPL-2.0"))],
  ["epl-2.0", open("EPL 2.0", "changed modules must be published", spdx("EPL-2.0"))],
  ["eupl-1.1", copyleft("EUPL 1.1", spdx("EUPL-1.1"))],
  ["eupl-1.2", copyleft("EUPL 1.2", spdx("EUPL-1.2"))],
  ["osl-3.0", copyleft("OSL 3.0", spdx("OSL-3.0"))],
  ["ofl-1.1", open("SIL OFL 1.1", shareAlike, spdx("OFL-1.1"))],
  ["llama2", commercial("Llama 2 Community", llamaTerms, "https://ai.meta.com/llama/license/")],
  ["llama3", commercial("Llama 3 Community", llamaTerms, "https://www.llama.com/llama3/license/")],
  ["llama3.1", commercial("Llama 3.1 Community", llamaTerms, "https://www.llama.com/llama3_1/license/")],
  ["llama3.2", commercial("Llama 3.2 Community", llamaTerms, "https://www.llama.com/llama3_2/license/")],
  ["llama3.3", commercial("Llama 3.3 Community", llamaTerms, "https://www.llama.com/llama3_3/license/")],
  ["llama4", commercial("Llama 4 Community", llamaTerms, "https://www.llama.com/llama4/license/")],
  ["gemma", commercial("Gemma Terms", "Google's prohibited-use policy applies", "https://ai.google.dev/gemma/terms")],
  ["openrail", commercial("OpenRAIL", useRules)],
  ["openrail++", commercial("OpenRAIL++", useRules)],
  ["creativeml-openrail-m", commercial("CreativeML OpenRAIL-M", useRules)],
  ["bigscience-openrail-m", commercial("BigScience OpenRAIL-M", useRules)],
  ["bigscience-bloom-rail-1.0", commercial("BigScience BLOOM RAIL 1.0", useRules)],
  ["bigcode-openrail-m", commercial("BigCode OpenRAIL-M", useRules)],
  ["falcon-llm-license", commercial("Falcon LLM", "an acceptable-use policy applies")],
  ["nvidia-open-model-license", commercial("NVIDIA Open Model", "guardrails may not be removed without a substitute")],
  ["lfm1.0", commercial("LFM Open 1.0", "companies with over 10 million dollars of revenue need a licence")],
  ["cc-by-nd-4.0", commercial("CC BY-ND 4.0", "changed versions may not be shared", spdx("CC-BY-ND-4.0"))],
  ["cc-by-nc-2.0", nonCommercial("CC BY-NC 2.0", spdx("CC-BY-NC-2.0"))],
  ["cc-by-nc-3.0", nonCommercial("CC BY-NC 3.0", spdx("CC-BY-NC-3.0"))],
  ["cc-by-nc-4.0", nonCommercial("CC BY-NC 4.0", spdx("CC-BY-NC-4.0"))],
  ["cc-by-nc-sa-2.0", nonCommercial("CC BY-NC-SA 2.0", spdx("CC-BY-NC-SA-2.0"))],
  ["cc-by-nc-sa-3.0", nonCommercial("CC BY-NC-SA 3.0", spdx("CC-BY-NC-SA-3.0"))],
  ["cc-by-nc-sa-4.0", nonCommercial("CC BY-NC-SA 4.0", spdx("CC-BY-NC-SA-4.0"))],
  ["cc-by-nc-nd-3.0", nonCommercial("CC BY-NC-ND 3.0", spdx("CC-BY-NC-ND-3.0"))],
  ["cc-by-nc-nd-4.0", nonCommercial("CC BY-NC-ND 4.0", spdx("CC-BY-NC-ND-4.0"))],
  ["apple-amlr", nonCommercial("Apple Machine Learning Research")],
  ["apple-ascl", commercial("Apple Sample Code", "Apple's notice must be kept")],
  ["fair-noncommercial-research-license", nonCommercial("FAIR Noncommercial Research")],
  ["intel-research", nonCommercial("Intel Research")],
  ["h-research", nonCommercial("H Research")],
  ["exaone", nonCommercial("EXAONE")],
  ["flux-1-dev-non-commercial-license", nonCommercial("FLUX.1 dev Non-Commercial")],
  ["mnpl", nonCommercial("Mistral Non-Production")],
  ["mrl", nonCommercial("Mistral Research")],
  ["deepfloyd-if-license", nonCommercial("DeepFloyd IF")],
  ["coqui-public-model-license", nonCommercial("Coqui Public Model")],
  [
    "stabilityai-ai-community",
    commercial(
      "Stability AI Community",
      "companies with over 1 million dollars of yearly revenue need a licence",
      "https://stability.ai/license",
    ),
  ],
  ["qwen", commercial("Qwen", "products with over 100 million monthly users need a licence")],
  ["qwen-research", nonCommercial("Qwen Research")],
  [
    "grok2-community",
    commercial(
      "Grok 2 Community",
      "companies with over 1 million dollars of yearly revenue need a licence, and no other model may be trained with it",
    ),
  ],
  ["yi-license", commercial("Yi", "commercial use needs a registration")],
  ["glm-4", commercial("GLM-4", "commercial use needs a registration")],
  ["baichuan-2-community", commercial("Baichuan 2 Community", "commercial use needs the maker's permission")],
  [
    "jamba-open-model-license",
    commercial("Jamba Open Model", "companies with over 50 million dollars of yearly revenue need a licence"),
  ],
  [
    "databricks-open-model-license",
    commercial(
      "Databricks Open Model",
      "products with over 700 million monthly users need a licence, and no other model may be trained with it",
    ),
  ],
  [
    "nvidia-nemotron-open-model-license",
    commercial("NVIDIA Nemotron Open Model", "NVIDIA's notice must be kept and passed on"),
  ],
  ["minimax-model-license", commercial("MiniMax Model", "products with over 100 million monthly users need a licence")],
  ["nsclv1", nonCommercial("NVIDIA Source Code (one-way non-commercial)")],
  ["modified-mit", commercial("Modified MIT", "very large products must show the model's name")],
  ["tongyi-qianwen", commercial("Tongyi Qianwen", "products with over 100 million monthly users need a licence")],
  [
    "ltx-2-community-license-agreement",
    commercial("LTX-2 Community", "companies with over 10 million dollars of yearly revenue need a licence"),
  ],
  [
    "tencent-hunyuan-community",
    commercial(
      "Tencent Hunyuan Community",
      "it does not apply in the European Union, the United Kingdom and South Korea, and products with over 100 million monthly users need a licence",
    ),
  ],
  [
    "playground-v2dot5-community",
    commercial("Playground v2.5 Community", "products with over a million monthly users need a licence"),
  ],
  [
    "stable-video-diffusion-community",
    commercial(
      "Stable Video Diffusion Community",
      "companies with over 1 million dollars of yearly revenue need a licence",
    ),
  ],
  [
    "health-ai-developer-foundations",
    commercial(
      "Health AI Developer Foundations",
      "Google's prohibited-use policy applies, and clinical use needs a separate approval",
    ),
  ],
  [
    "nxai-community-license",
    commercial("NXAI Community", "companies with over 100 million euros of yearly revenue need a licence"),
  ],
  ["sam-license", commercial("SAM", "military and weapons uses are forbidden")],
  ["dinov3-license", commercial("DINOv3", "military and weapons uses are forbidden")],
  ["bsl-1.1", nonCommercial("Business Source 1.1")],
  ["fish-audio-research-license", nonCommercial("Fish Audio Research")],
  ["sai-nc-community", nonCommercial("Stability AI Non-Commercial Community")],
  ["flux-non-commercial-license", nonCommercial("FLUX Non-Commercial")],
  ["chameleon-research-license", nonCommercial("Chameleon Research")],
  ["bria-rmbg-1.4", nonCommercial("BRIA RMBG 1.4")],
  ["bria-rmbg-2.0", nonCommercial("BRIA RMBG 2.0")],
  ["deepseek", commercial("DeepSeek", useRules)],
  ["chatglm", commercial("ChatGLM", "commercial use needs a registration")],
  ["faipl-1.0-sd", commercial("Fair AI Public 1.0-SD", "changed versions must be shared, and forbidden uses apply")],
  ["livekit-model", commercial("LiveKit Model", "it may be used with LiveKit Agents only")],
  ["llm-compiler", commercial("LLM Compiler", llamaTerms)],
]);

/** All licence ids that the table knows. */
export const knownLicenses: readonly string[] = [...table.keys()];

/** A Creative Commons licence whose version the table lacks. */
const creativeCommons = /^(cc-by(?:-nc)?(?:-sa|-nd)?)-(\d\.\d)$/;
/** Whether the table has the licence; `licenseFacts` also derives facts from the words of an id. */
export function isLicense(id: string): boolean {
  return table.has(id) || table.has(creativeCommons.exec(id)?.[1] ?? "");
}

/** Words of an id that mean that commercial use is forbidden. */
const saysNonCommercial = /(?:^|-)(?:non-?commercial|nc|research)(?:-|$)/;
const LONGEST_ID = 80;

/**
 * The facts of a licence id, from the table or from the id itself (`ideogram-non-commercial`); undefined for `other`,
 * `unknown` and ids that mean nothing to us.
 */
export function licenseFacts(id: string | undefined): LicenseFacts | undefined {
  if (id === undefined) {
    return undefined;
  }
  const known = table.get(id);
  if (known !== undefined || id.length > LONGEST_ID) {
    return known;
  }
  const [, kind = "", version] = creativeCommons.exec(id) ?? [];
  const common = table.get(kind);
  if (common !== undefined) {
    return { ...common, title: `${common.title} ${version}` };
  }
  return saysNonCommercial.test(id) ? nonCommercial(id) : undefined;
}

/**
 * Whether a licence is in a class that the `license` field names (any, open, permissive, commercial) or has the id.
 * An unknown licence passes `any` only.
 */
export function licenseAllows(id: string | undefined, wanted: string): boolean {
  if (wanted === "any") {
    return true;
  }
  const facts = licenseFacts(id);
  switch (wanted) {
    case "open":
      return facts?.open === true;
    case "permissive":
      return facts?.class === "permissive";
    case "commercial":
      return facts !== undefined && facts.class !== "non-commercial";
    default:
      return id === wanted;
  }
}
