/** A price of one device at its launch. */
export interface LaunchPrice {
  /** US dollars, without taxes. */
  usd: number;
  /** YYYY-MM: the month of the announcement or of the release. */
  month: string;
  /** Whose price it is, and of what. */
  source: string;
}

/** A card's name as in the tables, its memory in GB, its price in US dollars and the month of its announcement or release. */
type PriceRow = readonly [name: string, memoryGb: number, usd: number, month: string];

/**
 * Launch prices of cards that are sold for desktops and workstations, as their makers announced them (GeForce and RTX:
 * NVIDIA's announcements; Radeon: AMD's suggested prices; Arc: Intel's). They were entered from general knowledge of
 * these announcements, not read from the makers' pages. A card whose maker named no price has no row.
 */
const cards: Readonly<Record<"NVIDIA" | "AMD" | "Intel", readonly PriceRow[]>> = {
  NVIDIA: [
    ["RTX 3050", 8, 249, "2022-01"],
    ["RTX 3060", 12, 329, "2021-02"],
    ["RTX 3060 Ti", 8, 399, "2020-12"],
    ["RTX 3070", 8, 499, "2020-10"],
    ["RTX 3070 Ti", 8, 599, "2021-06"],
    ["RTX 3080", 10, 699, "2020-09"],
    ["RTX 3080 Ti", 12, 1199, "2021-06"],
    ["RTX 3090", 24, 1499, "2020-09"],
    ["RTX 3090 Ti", 24, 1999, "2022-03"],
    ["RTX 4060", 8, 299, "2023-06"],
    ["RTX 4060 Ti", 8, 399, "2023-05"],
    ["RTX 4060 Ti", 16, 499, "2023-07"],
    ["RTX 4070", 12, 599, "2023-04"],
    ["RTX 4070 Super", 12, 599, "2024-01"],
    ["RTX 4070 Ti", 12, 799, "2023-01"],
    ["RTX 4070 Ti Super", 16, 799, "2024-01"],
    ["RTX 4080", 16, 1199, "2022-11"],
    ["RTX 4080 Super", 16, 999, "2024-01"],
    ["RTX 4090", 24, 1599, "2022-10"],
    ["RTX 5050", 8, 249, "2025-07"],
    ["RTX 5060", 8, 299, "2025-05"],
    ["RTX 5060 Ti", 8, 379, "2025-04"],
    ["RTX 5060 Ti", 16, 429, "2025-04"],
    ["RTX 5070", 12, 549, "2025-03"],
    ["RTX 5070 Ti", 16, 749, "2025-02"],
    ["RTX 5080", 16, 999, "2025-01"],
    ["RTX 5090", 32, 1999, "2025-01"],
    ["RTX A2000", 6, 449, "2021-08"],
    ["RTX 2000 Ada", 16, 625, "2024-02"],
    ["RTX 4000 Ada", 20, 1250, "2023-08"],
    ["RTX 4000 SFF Ada", 20, 1250, "2023-03"],
    ["RTX 4500 Ada", 24, 2250, "2023-08"],
    ["RTX 5000 Ada", 32, 4000, "2023-08"],
    ["RTX 6000 Ada", 48, 6800, "2022-12"],
  ],
  AMD: [
    ["RX 6500 XT", 4, 199, "2022-01"],
    ["RX 6600", 8, 329, "2021-10"],
    ["RX 6600 XT", 8, 379, "2021-08"],
    ["RX 6650 XT", 8, 399, "2022-05"],
    ["RX 6700 XT", 12, 479, "2021-03"],
    ["RX 6750 XT", 12, 549, "2022-05"],
    ["RX 6800", 16, 579, "2020-11"],
    ["RX 6800 XT", 16, 649, "2020-11"],
    ["RX 6900 XT", 16, 999, "2020-12"],
    ["RX 6950 XT", 16, 1099, "2022-05"],
    ["RX 7600", 8, 269, "2023-05"],
    ["RX 7600 XT", 16, 329, "2024-01"],
    ["RX 7700 XT", 12, 449, "2023-09"],
    ["RX 7800 XT", 16, 499, "2023-09"],
    ["RX 7900 GRE", 16, 549, "2024-02"],
    ["RX 7900 XT", 20, 899, "2022-12"],
    ["RX 7900 XTX", 24, 999, "2022-12"],
    ["RX 9060 XT", 8, 299, "2025-06"],
    ["RX 9060 XT", 16, 349, "2025-06"],
    ["RX 9070", 16, 549, "2025-03"],
    ["RX 9070 XT", 16, 599, "2025-03"],
    ["Radeon Pro W7800", 32, 2499, "2023-04"],
    ["Radeon Pro W7900", 48, 3999, "2023-04"],
  ],
  Intel: [
    ["Arc A580", 8, 179, "2023-10"],
    ["Arc A750", 8, 289, "2022-10"],
    ["Arc A770", 8, 329, "2022-10"],
    ["Arc A770", 16, 349, "2022-10"],
    ["Arc B570", 10, 219, "2025-01"],
    ["Arc B580", 12, 249, "2024-12"],
    ["Arc Pro B50", 16, 349, "2025-09"],
  ],
};

const FRAMEWORK = "a Framework Desktop with a Ryzen AI Max+ 395, without storage and system,";

/**
 * Launch prices of whole computers with a chip and an amount of memory, as their makers announced them, for the smallest
 * storage that such a computer had, or without storage where it says so. Entered as those of cards.
 */
const computers: readonly (readonly [...PriceRow, maker: string, what: string])[] = [
  ["Apple M4", 16, 599, "2024-11", "Apple", "a Mac mini"],
  ["Apple M4 Max", 36, 1999, "2025-03", "Apple", "a Mac Studio"],
  ["Apple M4 Max", 128, 3499, "2025-03", "Apple", "a Mac Studio"],
  ["Apple M3 Ultra", 512, 9499, "2025-03", "Apple", "a Mac Studio"],
  ["GB10", 128, 3999, "2025-10", "NVIDIA", "a DGX Spark"],
  ["Jetson Orin Nano Super", 8, 249, "2024-12", "NVIDIA", "a developer kit without storage"],
  ["Jetson AGX Thor", 128, 3499, "2025-08", "NVIDIA", "a developer kit"],
  ["Radeon 8060S", 64, 1599, "2025-02", "Framework", FRAMEWORK],
  ["Radeon 8060S", 128, 1999, "2025-02", "Framework", FRAMEWORK],
];

/** Names and memory of the computers whose price is known. */
export const pricedComputers: readonly { name: string; memoryGb: number }[] = computers.map(([name, memoryGb]) => ({
  name,
  memoryGb,
}));

const prices: ReadonlyMap<string, LaunchPrice> = new Map([
  ...Object.entries(cards).flatMap(([maker, rows]) =>
    rows.map(([name, memoryGb, usd, month]): [string, LaunchPrice] => [
      keyOf(name, memoryGb),
      { usd, month, source: `${maker}'s launch price of a card` },
    ]),
  ),
  ...computers.map(([name, memoryGb, usd, month, maker, what]): [string, LaunchPrice] => [
    keyOf(name, memoryGb),
    { usd, month, source: `${maker}'s launch price of ${what} with ${memoryGb} GB` },
  ]),
]);

/** The launch price of one device, if it is known. @param memoryGb as sold. */
export function launchPrice(name: string, memoryGb: number): LaunchPrice | undefined {
  return prices.get(keyOf(name, memoryGb));
}

/** Classes of prices in US dollars, the lowest first. */
export const priceClasses = ["up-to-500", "up-to-1000", "up-to-2500", "up-to-10000", "over-10000"] as const;
export type PriceClass = (typeof priceClasses)[number];

const mostUsd: Readonly<Record<PriceClass, number>> = {
  "up-to-500": 500,
  "up-to-1000": 1_000,
  "up-to-2500": 2_500,
  "up-to-10000": 10_000,
  "over-10000": Number.POSITIVE_INFINITY,
};

/** The class of the price of several devices of a kind together. Undefined if the price is not known. */
export function priceClass(name: string, memoryGb: number, count: number): PriceClass | undefined {
  const price = launchPrice(name, memoryGb);
  if (price === undefined) {
    return undefined;
  }
  const usd = price.usd * count;
  return priceClasses.find((name) => usd <= mostUsd[name]);
}

function keyOf(name: string, memoryGb: number): string {
  return `${name} ${memoryGb}`;
}
