import type { HardwareClass } from "../../../../hardware/index.ts";

/** A device by the words that people use for it. */
export interface DeviceWords {
  /** The wish's value. */
  device: string;
  hardwareClass: HardwareClass;
  /**
   * Its memory in gigabytes, or that of its card; of several common versions, the least. Absent if the memory of the
   * class's reference device is close enough.
   */
  memoryGb?: number;
  /** Phrases in the grammar of `Rule`. */
  phrases: readonly string[];
  /** Whether the phrases always mean the device. If not, they count only after "on", "for" or similar words. */
  unmistakable?: true;
}

/**
 * Devices, each with the strongest class of the contract that is not stronger. A browser tab and an app on a phone get
 * at most the 4 GB that WebAssembly and mobile systems allow; old laptops were sold with 8 GB.
 */
export const devices: readonly DeviceWords[] = [
  {
    device: "microcontroller",
    hardwareClass: "cpu",
    memoryGb: 0.001,
    unmistakable: true,
    phrases: [
      "microcontroller|microcontrollers|mcu|arduino|esp32|esp8266|stm32|tinyml",
      "cortex m|m0|m4|m7",
      "raspberry pi pico",
      "small|tiny|low chip|dsp",
    ],
  },
  {
    device: "raspberry-pi",
    hardwareClass: "cpu",
    memoryGb: 4,
    unmistakable: true,
    phrases: [
      "raspberry|rasberry|raspbery pi|pis zero|2|3|4|5|b?",
      "raspi|rpi",
      "orange|rock|banana pi",
      "pi zero|4|5",
    ],
  },
  {
    device: "jetson-nano",
    hardwareClass: "cpu",
    memoryGb: 4,
    unmistakable: true,
    phrases: ["jetson nano", "nvidia jetson nano"],
  },
  {
    device: "jetson-orin-nano",
    hardwareClass: "cpu",
    memoryGb: 8,
    unmistakable: true,
    phrases: ["jetson orin nano?", "orin nano"],
  },
  {
    device: "jetson-agx",
    hardwareClass: "gpu-8gb",
    memoryGb: 32,
    unmistakable: true,
    phrases: ["jetson agx orin|xavier?", "agx orin|xavier"],
  },
  { device: "jetson", hardwareClass: "cpu", memoryGb: 8, unmistakable: true, phrases: ["jetson"] },
  {
    device: "edge",
    hardwareClass: "cpu",
    memoryGb: 4,
    unmistakable: true,
    phrases: [
      "edge device|devices|gpu|board|boards|camera|cameras|hardware|deployment|computing|tpu|inference|node|nodes|box|ai|phone",
      "coral edge? board|tpu|usb|accelerator",
      "embedded device|devices|system|systems|board|boards|hardware|linux|gpu|processor",
      "iot device|devices|gateway?",
      "smart camera|cameras|doorbell|doorbells|glasses|speaker|speakers|lock",
      "small|tiny|low device|devices|board",
    ],
  },
  { device: "smartwatch", hardwareClass: "cpu", memoryGb: 1, phrases: ["smartwatch|smartwatches|wearable|wearables"] },
  { device: "hearing-aid", hardwareClass: "cpu", memoryGb: 0.01, phrases: ["hearing aid|aids"] },
  {
    device: "phone",
    hardwareClass: "cpu",
    memoryGb: 4,
    phrases: [
      "phone|phones|smartphone|smartphones|iphone|iphones|android|ios",
      "mobile|handheld device|devices|phone|phones|hardware|app|apps",
      "mobile|mobiles",
      "android|cell|smart phone|phones|device|devices|app",
    ],
  },
  { device: "tablet", hardwareClass: "cpu", memoryGb: 4, phrases: ["tablet|tablets|ipad|ipads"] },
  { device: "browser", hardwareClass: "cpu", memoryGb: 4, phrases: ["browser|browsers", "web browser|browsers"] },
  { device: "chromebook", hardwareClass: "cpu", memoryGb: 4, unmistakable: true, phrases: ["chromebook|netbook"] },
  { device: "nas", hardwareClass: "cpu", memoryGb: 4, phrases: ["nas|synology", "synology|qnap nas"] },
  { device: "vps", hardwareClass: "cpu", memoryGb: 4, phrases: ["vps", "cheap|small server|vm"] },
  { device: "steam-deck", hardwareClass: "cpu", memoryGb: 16, unmistakable: true, phrases: ["steam deck"] },
  {
    device: "gaming-pc",
    hardwareClass: "gpu-8gb",
    unmistakable: true,
    phrases: [
      "gaming|gamer pc|laptop|computer|rig|gpu|card",
      "consumer gpu|gpus|card|cards|graphics",
      "small|cheap|entry|modest gpu|gpus",
    ],
  },
  { device: "single-gpu", hardwareClass: "gpu-24gb", phrases: ["single|one|1 gpu|card"], unmistakable: true },
  { device: "intel-mac", hardwareClass: "cpu", unmistakable: true, phrases: ["intel mac|macbook|imac"] },
  {
    device: "macbook",
    hardwareClass: "apple-silicon",
    unmistakable: true,
    phrases: ["macbook|macbooks air|pro?", "mac book"],
  },
  {
    device: "mac",
    hardwareClass: "apple-silicon",
    unmistakable: true,
    phrases: ["mac mini|studio", "imac|imacs", "apple silicon|chip|chips"],
  },
  { device: "mac", hardwareClass: "apple-silicon", phrases: ["mac|macs"] },
  {
    device: "old-laptop",
    hardwareClass: "cpu",
    memoryGb: 8,
    phrases: [
      "old|older|aging|ancient|cheap|weak|slow|low|budget|basic end? laptop|laptops|notebook|pc|computer|computers|machine|hardware",
    ],
  },
  {
    device: "laptop",
    hardwareClass: "cpu",
    phrases: ["laptop|laptops|thinkpad|ultrabook", "laptop computer|computers"],
  },
  {
    device: "pc",
    hardwareClass: "cpu",
    phrases: [
      "pc|pcs|desktop|nuc",
      "home|office|ordinary|normal|standard|regular|desktop|average|everyday computer|computers|pc|pcs|machine|machines|hardware",
      "own computer|computers|pc|pcs|machine",
    ],
  },
];

/** Memory of graphics cards in gigabytes; the least if cards of one name differ. */
const cardMemory: Readonly<Record<string, number>> = {
  "rtx 2050": 4,
  "rtx 2060": 6,
  "rtx 2070": 8,
  "rtx 2080": 8,
  "rtx 2080 ti": 11,
  "rtx 3050": 4,
  "rtx 3060": 12,
  "rtx 3060 ti": 8,
  "rtx 3070": 8,
  "rtx 3070 ti": 8,
  "rtx 3080": 10,
  "rtx 3080 ti": 12,
  "rtx 3090": 24,
  "rtx 3090 ti": 24,
  "rtx 4050": 6,
  "rtx 4060": 8,
  "rtx 4060 ti": 8,
  "rtx 4070": 12,
  "rtx 4070 ti": 12,
  "rtx 4080": 16,
  "rtx 4090": 24,
  "rtx 5050": 8,
  "rtx 5060": 8,
  "rtx 5060 ti": 8,
  "rtx 5070": 12,
  "rtx 5070 ti": 16,
  "rtx 5080": 16,
  "rtx 5090": 32,
  "gtx 960": 2,
  "gtx 970": 4,
  "gtx 980": 4,
  "gtx 1050": 2,
  "gtx 1050 ti": 4,
  "gtx 1060": 6,
  "gtx 1070": 8,
  "gtx 1080": 8,
  "gtx 1080 ti": 11,
  "gtx 1650": 4,
  "gtx 1660": 6,
  "rtx a2000": 6,
  "rtx a4000": 16,
  "rtx a4500": 20,
  "rtx a5000": 24,
  "rtx a6000": 48,
  "rtx 6000": 24,
  "titan rtx": 24,
  "rx 580": 8,
  "rx 6600": 8,
  "rx 6700": 10,
  "rx 6800": 16,
  "rx 6900": 16,
  "rx 7600": 8,
  "rx 7700": 12,
  "rx 7800": 16,
  "rx 7900": 20,
  "rx 9060": 8,
  "rx 9070": 16,
  "arc a750": 8,
  "arc a770": 8,
  "arc b580": 12,
  t4: 16,
  l4: 24,
  l40: 48,
  l40s: 48,
  a10: 24,
  a10g: 24,
  a16: 16,
  a30: 24,
  a40: 48,
  a100: 40,
  a6000: 48,
  h100: 80,
  h200: 141,
  gh200: 96,
  b200: 180,
  v100: 16,
  p100: 16,
  p40: 24,
  mi100: 32,
  mi210: 64,
  mi250: 128,
  mi300x: 192,
};

/** Memory of a card in gigabytes, by its name in lower case with blanks between words; undefined when not listed. */
export function memoryOfCard(name: string): number | undefined {
  return Object.hasOwn(cardMemory, name) ? cardMemory[name] : undefined;
}

/** Names of cards without a series. */
export const singleCards: readonly string[] = Object.keys(cardMemory).filter((name) => !name.includes(" "));

/** Names of cards in one word, as phrases: rtx3060, rtx3060ti. */
export const gluedCards: readonly string[] = Object.keys(cardMemory)
  .filter((name) => /^[a-z]+ \d+( ti)?$/.test(name))
  .map((name) => (name.endsWith(" ti") ? name.replaceAll(" ", "") : `${name.replace(" ", "")} ti|super|xt?`));

/** Series of cards. */
export const cardSeries = ["rtx", "gtx", "rx", "arc", "titan"] as const;
