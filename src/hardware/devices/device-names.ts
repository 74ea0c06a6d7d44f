/**
 * The parts of a device's name as people and drivers write it: "NVIDIA GeForce RTX 4090 Laptop GPU", "2x RTX3090",
 * "AMD Radeon(TM) RX 7900 XTX", "Apple M4 Max 16-core CPU / 40-core GPU".
 */
export interface DeviceName {
  /** Words in lower case, split between letters and digits: rtx 4090 laptop. */
  tokens: readonly string[];
  /** The number of devices in the name: "2x", "x4". */
  count?: number;
  /** The memory in the name: "12GB", "80 GB". */
  memoryGb?: number;
  /** "40-core GPU". */
  gpuCores?: number;
  /** Whether it says that it is a card ("A100-PCIE-40GB"), not a module (SXM). */
  isPcieCard: boolean;
}

/** Words without meaning for the look-up: makers, trademarks, and additions of drivers. */
const NOISE = new Set([
  "nvidia",
  "geforce",
  "amd",
  "ati",
  "intel",
  "corporation",
  "inc",
  "r",
  "tm",
  "c",
  "graphics",
  "gpu",
  "card",
  "video",
  "series",
  "edition",
  "generation",
  "founders",
  "oc",
  "gaming",
  "the",
  "with",
  "integrated",
  "igpu",
  "dgpu",
  "discrete",
  "advanced",
  "micro",
  "devices",
  "controller",
  "vga",
  "compatible",
  "accelerator",
  "processor",
  "cpu",
  "core",
  "cores",
  "chip",
  "gb",
  "vram",
  "memory",
  "gddr",
  "hbm",
  "asus",
  "msi",
  "gigabyte",
  "evga",
  "zotac",
  "palit",
  "tensor",
  "dual",
  "rog",
  "ventus",
  "sapphire",
  "powercolor",
  "xfx",
  "fe",
  "ddr",
  "mobile",
  "notebook",
  "max-q",
]);

/** Brand words that may be omitted ("3090", "7900 XTX") but distinguish devices with the same number. */
export const BRANDS = new Set([
  "rtx",
  "gtx",
  "gt",
  "rx",
  "radeon",
  "arc",
  "quadro",
  "tesla",
  "apple",
  "instinct",
  "titan",
  "jetson",
]);

/** Words that make it another device. A name with one of them never matches a row without it. */
export const QUALIFIERS = new Set([
  "ti",
  "super",
  "laptop",
  "xt",
  "xtx",
  "gre",
  "d",
  "m",
  "s",
  "ada",
  "blackwell",
  "pro",
  "max",
  "ultra",
  "sff",
  "maxq",
  "xtxh",
  "v",
  "t",
  "a",
  "b",
  "ai",
  "nvl",
  "x",
  "g",
  "e",
  "maxwell",
  "pascal",
  "k",
  "l",
  "p",
  "h",
]);

/**
 * Characters of a device's name that are read. The patterns in `devices/` take more than linear time, and each spelling
 * is compared with each word.
 */
export const MOST_NAME_CHARS = 200;

/** Reads a device's name. Never fails. */
export function readDeviceName(name: string): DeviceName {
  let text = name
    .slice(0, MOST_NAME_CHARS)
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\((r|tm|c)\)|[®™©]/g, " ");
  // "GA102 [GeForce RTX 3090]" of lspci: the part in brackets is the name.
  const bracket = /\[([^[\]\d]*\d[^[\]]*)\]/.exec(text);
  if (bracket?.[1] && /rtx|gtx|radeon|arc|quadro|tesla/.test(bracket[1])) {
    text = bracket[1];
  }
  const gpuCores = /(\d{1,2})[ -]?cores? gpu|gpu (\d{1,2})[ -]?cores?|(\d{1,2})[ -]?gpu[ -]cores?/.exec(text);
  const count = /^\s*(\d{1,2})\s*[x×*]\s*(?=[a-z])|[\s(][x×](\d{1,2})\)?\s*$/.exec(text);
  if (count) {
    text = text.replace(count[0], " ");
  }
  const memory = /(?<![a-z\d])(\d{1,3})\s*(?:gi?b|g)(?![a-z\d])/.exec(text);
  if (memory) {
    text = text.replace(memory[0], " ");
  }
  const isPcieCard = /pci[ -]?e/.test(text) && !text.includes("sxm");
  text = text
    .replace(/\d{1,2}[ -]?cores?( cpu| gpu)?/g, " ")
    .replace(/\b((?:rtx|gtx) ?\d{3,4}(?: ?ti)?) ?m\b/, "$1 laptop")
    // Before the PRO cards, Max-Q always meant a notebook's part.
    .replace(/max[- ]?q/g, /\bpro\b/.test(text) ? " maxq " : " laptop ")
    .replace(/notebook|mobile/g, " laptop ")
    .replace(/sxm\d?|hbm\d\w?|gddr\d\w?|cuda|vulkan|rocm/g, " ")
    // Only the H100 has different memory in its PCIe form.
    .replace(/pcie?/g, text.includes("h100") ? " pcie " : " ")
    .replace(/\+/g, " ");
  const tokens = splitWords(text).filter((word) => !NOISE.has(word) && !/^0+$/.test(word));
  return {
    tokens,
    count: count ? Number(count[1] ?? count[2]) : undefined,
    memoryGb: memory ? Number(memory[1]) : undefined,
    gpuCores: gpuCores ? Number(gpuCores[1] ?? gpuCores[2] ?? gpuCores[3]) : undefined,
    isPcieCard,
  };
}

/** Splits between letters and digits: "rtx4090m" is rtx 4090 m. */
export function splitWords(text: string): string[] {
  return text.match(/[a-z]+|\d+/g) ?? [];
}
