import type { HardwareClass, HardwareFields } from "../../../../hardware/index.ts";

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
  /** The device as estimates take it, if their tables have it. */
  machine?: HardwareFields;
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
      "microcontroller|microcontrollers|mcu|mcus|arduino|esp32|esp8266|stm32|stm32n6|stm32h7|stm32f4|nrf52|rp2040|tinyml|kendryte|k210|k230",
      "cortex m|m0|m3|m4|m7|m33|m55|m85",
      "lora|battery|coin sensor|sensors|cell",
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
      "pi zero|1|2|3|4|5",
    ],
  },
  { device: "raspberry-pi", hardwareClass: "cpu", memoryGb: 4, phrases: ["pi|pis"] },
  {
    device: "jetson-nano",
    hardwareClass: "cpu",
    memoryGb: 4,
    machine: { gpuName: "Jetson Nano" },
    unmistakable: true,
    phrases: ["jetson nano", "nvidia jetson nano"],
  },
  {
    device: "jetson-orin-nano",
    hardwareClass: "cpu",
    memoryGb: 8,
    machine: { gpuName: "Jetson Orin Nano" },
    unmistakable: true,
    phrases: ["jetson orin nano?", "orin nano"],
  },
  {
    device: "jetson-orin-nx",
    hardwareClass: "cpu",
    memoryGb: 16,
    machine: { gpuName: "Jetson Orin NX" },
    unmistakable: true,
    phrases: ["jetson orin nx", "orin nx"],
  },
  {
    device: "jetson-xavier-nx",
    hardwareClass: "cpu",
    memoryGb: 8,
    machine: { gpuName: "Jetson Xavier NX" },
    unmistakable: true,
    phrases: ["jetson xavier nx", "xavier nx"],
  },
  {
    device: "jetson-agx",
    hardwareClass: "gpu-8gb",
    memoryGb: 32,
    machine: { gpuName: "Jetson AGX Orin" },
    unmistakable: true,
    phrases: ["jetson agx orin|xavier?", "agx orin|xavier", "orin agx"],
  },
  {
    device: "dgx-spark",
    hardwareClass: "gpu-24gb",
    memoryGb: 128,
    machine: { gpuName: "GB10" },
    unmistakable: true,
    phrases: ["dgx spark", "gb10", "nvidia spark"],
  },
  {
    device: "strix-halo",
    hardwareClass: "gpu-24gb",
    memoryGb: 128,
    machine: { gpuName: "Strix Halo" },
    unmistakable: true,
    phrases: ["strix halo", "ryzen ai max", "ai max 395", "framework desktop"],
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
      "small|tiny|low device|devices|board|boards",
      "camera board|module",
      "arm chip|board|processor|soc",
      "npu",
      "hailo|rk3588|rk3566|rk3568|rockchip|hailo8|hailo8l|bananapi",
      "cortex a5|a7|a8|a35|a53|a55|a72|a73|a75|a76",
      "in car soc|chip|computer|ecu",
    ],
  },
  {
    device: "smartwatch",
    hardwareClass: "cpu",
    memoryGb: 1,
    phrases: ["smartwatch|smartwatches|wearable|wearables|watch"],
  },
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
      "samsung|xiaomi|redmi|galaxy|pixel",
      "s21|s22|s23|s24|s25|s26 ultra|plus|fe",
    ],
  },
  {
    device: "phone",
    hardwareClass: "cpu",
    memoryGb: 4,
    unmistakable: true,
    phrases: [
      "snapdragon #|4|6|7|8?",
      "dimensity|exynos|helio #?",
      "android handheld|handhelds|scanner|scanners|terminal|terminals",
    ],
  },
  { device: "tablet", hardwareClass: "cpu", memoryGb: 4, phrases: ["tablet|tablets|ipad|ipads air|pro|mini?"] },
  { device: "browser", hardwareClass: "cpu", memoryGb: 4, phrases: ["browser|browsers", "web browser|browsers"] },
  {
    device: "chromebook",
    hardwareClass: "cpu",
    memoryGb: 4,
    unmistakable: true,
    phrases: ["chromebook|chromebooks|netbook|netbooks"],
  },
  { device: "nas", hardwareClass: "cpu", memoryGb: 4, phrases: ["nas|synology", "synology|qnap nas"] },
  { device: "vps", hardwareClass: "cpu", memoryGb: 4, phrases: ["vps", "cheap|small server|vm"] },
  {
    device: "lambda",
    hardwareClass: "cpu",
    memoryGb: 4,
    unmistakable: true,
    phrases: ["lambda|cloud function|functions"],
  },
  { device: "thin-client", hardwareClass: "cpu", memoryGb: 4, unmistakable: true, phrases: ["thin client|clients"] },
  {
    device: "mini-pc",
    hardwareClass: "cpu",
    memoryGb: 8,
    unmistakable: true,
    phrases: ["mini pc|pcs", "n95|n97|n100|n150|n305|j1900|j4125|j4105|celeron|pentium"],
  },
  {
    device: "steam-deck",
    hardwareClass: "cpu",
    memoryGb: 16,
    machine: { gpuName: "Steam Deck" },
    unmistakable: true,
    phrases: ["steam deck"],
  },
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
