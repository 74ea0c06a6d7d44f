import { isLicense } from "./licenses.ts";
import { normaliseLicense } from "./normalise-license.ts";

/** Where texts of licences are, with the id; the more particular one first. */
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

/** Addresses that have the id in them. */
const ids: readonly RegExp[] = [
  /choosealicense\.com\/licenses\/([a-z0-9.-]{1,40}?)\/?$/,
  /(?:spdx\.org|opensource\.org)\/licen[sc]es?\/([a-z0-9.-]{1,40}?)(?:\.html|-license(?:\.php)?|\/)?$/,
  /choosealicense\/licenses\/[^ ]*\/([a-z0-9.+-]{1,40}?)\.md$/,
];

const creativeCommons = /creativecommons\.org\/licenses\/(by(?:-nc)?(?:-sa|-nd)?)\/(\d\.\d)/;
const LONGEST = 500;

/** The id of the licence whose text is at an address; undefined for an address that does not tell. */
export function licenseOfLink(link: string | undefined): string | undefined {
  const address = link?.trim().toLowerCase();
  if (address === undefined || address.length > LONGEST) return undefined;
  const common = creativeCommons.exec(address);
  if (common !== null) return `cc-${common[1]}-${common[2]}`;
  const told = ids
    .map((place) => normaliseLicense(place.exec(address)?.[1]))
    .find((id) => id !== undefined && isLicense(id));
  return told ?? places.find(([place]) => place.test(address))?.[1];
}
