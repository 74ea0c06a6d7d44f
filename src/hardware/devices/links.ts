import type { Architecture, Device } from "../types.ts";

/** A link between the cards of one machine. */
export interface Link {
  name: string;
  /** GB/s in one direction, in theory. */
  gbS: number;
}

/** The links over which a card can exchange data. */
export interface Links {
  pcie: Link;
  /** A direct link between cards of this kind. */
  direct?: Link;
  /** Whether the direct link is a bridge that is bought separately and joins few cards. */
  bridge?: boolean;
}

/** GB/s of 16 lanes in one direction, by generation (PCI-SIG): 8, 16 and 32 GT/s, 128 of 130 bits. */
const lanes16 = { 3: 15.8, 4: 31.5, 5: 63 } as const;

type Generation = keyof typeof lanes16;

/**
 * The PCIe generation of most cards of an architecture, from the makers' white papers; undefined if it has no cards.
 */
const generations: Readonly<Record<Architecture, Generation | undefined>> = {
  maxwell: 3,
  pascal: 3,
  volta: 3,
  turing: 3,
  "turing-gtx": 3,
  ampere: 4,
  "ampere-hbm": 4,
  ada: 4,
  hopper: 5,
  blackwell: 5,
  "blackwell-hbm": 5,
  gcn: 3,
  rdna1: 4,
  rdna2: 4,
  rdna3: 4,
  rdna4: 5,
  cdna: 4,
  "xe-hpg": 4,
  xe2: 4,
  "blackwell-soc": undefined,
  "rdna3-soc": undefined,
  "rdna-igpu": undefined,
  "gcn-igpu": undefined,
  "xe-igpu": undefined,
  "apple-m1": undefined,
  "apple-m2": undefined,
  "apple-m3": undefined,
  "apple-m4": undefined,
  "apple-m5": undefined,
  cpu: undefined,
  "generic-gpu": undefined,
};

/** Cards of another generation than most of their architecture, from the makers' data sheets. */
export const otherGenerations: ReadonlyMap<string, Generation> = new Map([
  ...["MI300A", "MI300X", "MI325X", "MI350X", "MI355X"].map((name) => [`Instinct ${name}`, 5] as const),
  ...["Data Center GPU Max 1550", "Arc Pro B50", "Arc Pro B60"].map((name) => [name, 5] as const),
]);

/** The lanes of cards that have fewer than 16, from the makers' data sheets. */
export const fewerLanes: ReadonlyMap<string, number> = new Map([
  ...["RX 6300", "RX 6400", "RX 6500 XT", "GT 1030"].map((name) => [name, 4] as const),
  ...["RTX 3050", "RTX A400", "RTX A1000", "A2", "RTX 4060", "RTX 4060 Ti", "RTX 2000 Ada"].map(eight),
  ...["RTX 5050", "RTX 5060", "RTX 5060 Ti", "RTX PRO 2000 Blackwell", "RTX PRO 4000 SFF Blackwell"].map(eight),
  ...["RX 460", "RX 550", "RX 560", "RX 5500 XT", "RX 6600", "RX 6600 XT", "RX 6650 XT"].map(eight),
  ...["RX 7600", "RX 7600 XT", "RX 7650 GRE", "Radeon Pro W6600", "Radeon Pro W7500", "Radeon Pro W7600"].map(eight),
  ...["Arc A310", "Arc A380", "Arc Pro A40", "Arc Pro A50"].map(eight),
  ...["Arc B570", "Arc B580", "Arc Pro B50", "Arc Pro B60"].map(eight),
]);

function eight(name: string): readonly [string, number] {
  return [name, 8];
}

interface DirectRow {
  name: string;
  kind: string;
  totalGbS: number;
  bridge?: boolean;
  /** How PCIe cards of this kind connect, if only the module (SXM) has the link built in. Absent without such a card. */
  asPcieCard?: "bridge" | "none";
}

/**
 * GB/s of a card's direct links in both directions together, as makers publish it: NVIDIA's data sheets and its white
 * papers of Turing, GA102, A100, H100 and Blackwell; AMD's data sheets. Cards in no row have none.
 */
const direct: readonly DirectRow[] = [
  { name: "Tesla P100", kind: "NVLink", totalGbS: 160, asPcieCard: "none" },
  { name: "Tesla V100", kind: "NVLink", totalGbS: 300, asPcieCard: "none" },
  { name: "Quadro GV100", kind: "NVLink", totalGbS: 200, bridge: true },
  ...["RTX 2070 Super", "RTX 2080", "RTX 2080 Super", "Quadro RTX 5000"].map((name) => bridged(name, 50)),
  ...["RTX 2080 Ti", "Titan RTX", "Quadro RTX 6000", "Quadro RTX 8000"].map((name) => bridged(name, 100)),
  ...["RTX 3090", "RTX 3090 Ti", "RTX A4500", "RTX A5000", "RTX A5500", "RTX A6000", "A40"].map((name) =>
    bridged(name, 112.5),
  ),
  { name: "A30", kind: "NVLink", totalGbS: 200, bridge: true },
  { name: "A100", kind: "NVLink", totalGbS: 600, asPcieCard: "bridge" },
  { name: "A800", kind: "NVLink", totalGbS: 400, asPcieCard: "bridge" },
  { name: "H100", kind: "NVLink", totalGbS: 900 },
  { name: "H800", kind: "NVLink", totalGbS: 400 },
  { name: "H20", kind: "NVLink", totalGbS: 900 },
  { name: "H200", kind: "NVLink", totalGbS: 900 },
  ...["H100 PCIe", "H100 NVL"].map((name) => bridged(name, 600)),
  bridged("H200 NVL", 900),
  ...["B200", "B300", "GB200"].map((name) => ({ name, kind: "NVLink", totalGbS: 1800 })),
  { name: "Instinct MI100", kind: "Infinity Fabric", totalGbS: 276, bridge: true },
  { name: "Instinct MI210", kind: "Infinity Fabric", totalGbS: 300, bridge: true },
  ...["Instinct MI250", "Instinct MI250X"].map((name) => ({ name, kind: "Infinity Fabric", totalGbS: 800 })),
  ...["Instinct MI300X", "Instinct MI325X"].map((name) => ({ name, kind: "Infinity Fabric", totalGbS: 896 })),
  ...["Instinct MI350X", "Instinct MI355X"].map((name) => ({ name, kind: "Infinity Fabric", totalGbS: 1075 })),
];

function bridged(name: string, totalGbS: number): DirectRow {
  return { name, kind: "NVLink", totalGbS, bridge: true };
}

/** The links of a card; undefined for devices that are no cards of the tables. */
export function linksOf({
  name,
  kind,
  architecture,
  isPcieCard = false,
}: Pick<Device, "name" | "kind" | "architecture" | "isPcieCard">): Links | undefined {
  const generation = otherGenerations.get(name) ?? generations[architecture];
  if (kind !== "gpu" || generation === undefined) {
    return undefined;
  }
  const lanes = fewerLanes.get(name) ?? 16;
  const pcie = { name: `PCIe ${generation}.0 with ${lanes} lanes`, gbS: (lanes16[generation] * lanes) / 16 };
  const row = direct.find((each) => each.name === name);
  const asPcieCard = isPcieCard ? row?.asPcieCard : undefined;
  if (row === undefined || asPcieCard === "none") {
    return { pcie };
  }
  return {
    pcie,
    direct: { name: row.kind, gbS: row.totalGbS / 2 },
    bridge: row.bridge === true || asPcieCard === "bridge",
  };
}

/** What several cards of one kind exchange when they work on a model together. */
export interface Exchange {
  /** 10^9 bytes that a card sends for each token. */
  gbPerToken: number;
  /** The link that the estimate counts. */
  link: Link;
  /** The other link that such cards can have, if there are two. */
  other?: Link;
}

/** Activations have 16 bits. */
const ELEMENT_BYTES = 2;
/**
 * With tensor parallelism each layer ends twice with a sum over all cards, after attention and after the feed-forward
 * part (Shoeybi et al., Megatron-LM, 2019).
 */
const SUMS_PER_LAYER = 2;

/**
 * The data that tensor parallelism sends over the link between cards. A sum of n cards in a ring sends 2 (n - 1) / n of
 * the vector from each card. Undefined for one device, and where the width of the model or the link is not known. A
 * bridge is sold separately, so PCIe counts for cards that need one.
 */
export function exchangeOf(
  { layers, hidden }: { layers: number; hidden?: number },
  device: Device,
): Exchange | undefined {
  const links = linksOf(device);
  if (device.count < 2 || links === undefined || hidden === undefined) {
    return undefined;
  }
  const share = (2 * (device.count - 1)) / device.count;
  const gbPerToken = (layers * SUMS_PER_LAYER * share * hidden * ELEMENT_BYTES) / 1e9;
  const { pcie, direct, bridge } = links;
  if (direct === undefined) {
    return { gbPerToken, link: pcie };
  }
  return bridge ? { gbPerToken, link: pcie, other: direct } : { gbPerToken, link: direct, other: pcie };
}

/** Milliseconds that the data of so many tokens takes at least. */
export function exchangeMs({ gbPerToken }: Pick<Exchange, "gbPerToken">, { gbS }: Link, tokens: number): number {
  return ((gbPerToken * tokens) / gbS) * 1000;
}
