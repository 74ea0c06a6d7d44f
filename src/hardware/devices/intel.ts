import type { Architecture, GpuRow } from "../types.ts";

/** Intel's cards with dedicated memory. */
export const intelGpus: Partial<Record<Architecture, readonly GpuRow[]>> = {
  "xe-hpg": [
    ["Arc A310", 4, 124, 3.1, 2022],
    ["Arc A350M", 4, 112, 3.5, 2022],
    ["Arc A370M", 4, 112, 4, 2022],
    ["Arc A380", 6, 186, 4.2, 2022],
    ["Arc A530M", 8, 224, 4, 2023],
    ["Arc A550M", 8, 224, 8.2, 2022],
    ["Arc A570M", 8, 224, 5.3, 2023],
    ["Arc A580", 8, 512, 10.4, 2023],
    ["Arc A730M", 12, 336, 12.6, 2022],
    ["Arc A750", 8, 512, 14.7, 2022],
    ["Arc A770", 16, 560, 17.2, 2022],
    ["Arc A770", 8, 512, 17.2, 2022],
    ["Arc A770M", 16, 512, 16.9, 2022],
    ["Arc Pro A40", 6, 192, 4, 2022],
    ["Arc Pro A50", 6, 192, 4.8, 2022],
    ["Arc Pro A60", 12, 384, 10.4, 2023],
    ["Data Center GPU Flex 170", 16, 576, 16, 2022],
  ],
  xe2: [
    ["Arc B570", 10, 380, 11.5, 2025],
    ["Arc B580", 12, 456, 14.6, 2024],
    ["Arc Pro B50", 16, 224, 10.7, 2025],
    ["Arc Pro B60", 24, 456, 12.3, 2025],
    ["Arc Pro B65", 32, 608, 12.3, 2026],
    ["Arc Pro B70", 32, 608, 22.9, 2026],
  ],
  cdna: [["Data Center GPU Max 1550", 128, 3277, 52.4, 2023]],
};

/** Intel's integrated graphics, with the bandwidth of such machines' usual memory. */
export const intelIntegrated: readonly {
  name: string;
  aliases: readonly string[];
  bandwidthGbS: number;
  fp32Tflops: number;
  architecture: Architecture;
  memoryGb: number;
  bySystem: boolean;
}[] = [
  {
    name: "Arc 140V",
    aliases: ["Arc 130V", "Lunar Lake"],
    bandwidthGbS: 136.5,
    fp32Tflops: 4,
    architecture: "xe-igpu",
    memoryGb: 32,
    bySystem: false,
  },
  {
    name: "Arc 140T",
    aliases: ["Arc 130T", "Arrow Lake-H"],
    bandwidthGbS: 102.4,
    fp32Tflops: 4.6,
    architecture: "xe-igpu",
    memoryGb: 32,
    bySystem: true,
  },
  {
    name: "Arc B390",
    aliases: ["Panther Lake"],
    bandwidthGbS: 150,
    fp32Tflops: 7.4,
    architecture: "xe-igpu",
    memoryGb: 32,
    bySystem: false,
  },
  {
    name: "Arc Graphics",
    aliases: ["Meteor Lake", "Intel Arc", "Arc integrated"],
    bandwidthGbS: 89.6,
    fp32Tflops: 4.5,
    architecture: "xe-igpu",
    memoryGb: 32,
    bySystem: true,
  },
  {
    name: "Iris Xe",
    aliases: ["Iris Xe Graphics", "Iris Plus", "Iris Pro"],
    bandwidthGbS: 60,
    fp32Tflops: 2.2,
    architecture: "xe-igpu",
    memoryGb: 16,
    bySystem: true,
  },
  {
    name: "UHD Graphics",
    aliases: [
      "UHD 630",
      "UHD 620",
      "UHD 770",
      "UHD 730",
      "UHD 600",
      "Intel UHD",
      "HD Graphics",
      "HD 530",
      "HD 630",
      "HD 620",
      "HD 520",
      "Intel Graphics",
      "Alder Lake",
    ],
    bandwidthGbS: 45,
    fp32Tflops: 0.5,
    architecture: "xe-igpu",
    memoryGb: 16,
    bySystem: true,
  },
];
