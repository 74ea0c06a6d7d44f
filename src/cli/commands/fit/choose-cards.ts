import { type Device, type DeviceQuery, MOST_KINDS, requestLimits, vendorOf } from "../../../hardware/index.ts";

/** A card as a probe reports it. */
export interface GraphicsCard {
  name: string;
  /** GiB. */
  memoryGb?: number;
}

/** A card with its entry in the tables. */
export interface KnownCard extends GraphicsCard {
  device: Device;
}

/** Cards with less than this share of the largest card's memory mostly drive a display. */
const LEAST_SHARE = 0.25;

/**
 * Chooses the cards that the model runs on. Graphics cards come before integrated graphics. Of graphics cards of several
 * makers, those of the maker with the most memory count, because programs usually drive the cards of one maker only.
 */
export function chooseCards(
  known: readonly KnownCard[],
  systemMemoryGb: number,
  found: string[],
  assumed: string[],
): DeviceQuery {
  const kinds = kindsOf(known);
  found.push(...kinds.map(describe));
  const cards = kinds.filter(({ device }) => device.kind === "gpu");
  const [first] = kinds as [CardKind];
  if (cards.length === 0) {
    // Integrated graphics report a part of the machine's memory, or none.
    leaveOut(kinds.slice(1), `the model runs on ${first.device.name} alone`, assumed);
    const [used] = upToLimits([first], assumed) as [CardKind];
    return {
      gpuName: used.device.name,
      gpuCount: used.count,
      memoryGb: systemMemoryGb,
    };
  }
  const chosen = upToLimits(choosable(cards, assumed), assumed);
  const integrated = kinds.filter(({ device }) => device.kind !== "gpu");
  leaveOut(integrated, "the model runs on graphics cards, not on integrated graphics", assumed);
  const [only] = chosen as [CardKind];
  if (chosen.length === 1) {
    return {
      gpuName: nameOf(only),
      gpuCount: only.count,
      memoryGb: memoryOfCard(only),
    };
  }
  assumed.push("all of these cards hold a part of the model. If it fits on one of them, name that card with --gpu");
  return { gpuName: mixedName(chosen) };
}

/** Cards of one kind. */
interface CardKind extends KnownCard {
  count: number;
}

/** The kinds of cards, graphics cards first, then by the memory of all cards of the kind. */
function kindsOf(known: readonly KnownCard[]): CardKind[] {
  const kinds = new Map<string, CardKind>();
  for (const card of known) {
    const key = `${card.device.name} ${card.device.memoryGb}`;
    kinds.set(key, { ...card, ...kinds.get(key), count: (kinds.get(key)?.count ?? 0) + 1 });
  }
  const rank = ({ device, count }: CardKind) => device.memoryGb * count + (device.kind === "gpu" ? 1e6 : 0);
  return [...kinds.values()].sort((a, b) => rank(b) - rank(a));
}

/** The kinds that one program can use together, without those that would only slow it down. */
function choosable(cards: readonly CardKind[], assumed: string[]): CardKind[] {
  const memory = (vendor: string) =>
    cards.reduce((sum, card) => sum + (vendorOf(card.device) === vendor ? card.device.memoryGb * card.count : 0), 0);
  const vendor = cards
    .map((card) => vendorOf(card.device))
    .reduce((best, other) => (memory(other) > memory(best) ? other : best));
  const same = cards.filter((card) => vendorOf(card.device) === vendor);
  const others = cards.filter((card) => vendorOf(card.device) !== vendor);
  leaveOut(others, "programs usually drive the cards of one maker only", assumed);
  const largest = Math.max(...same.map(({ device }) => device.memoryGb));
  const isSmall = ({ device }: CardKind) => device.memoryGb < largest * LEAST_SHARE;
  leaveOut(same.filter(isSmall), "it has less than a quarter of the memory of the largest card", assumed);
  return same.filter((card) => !isSmall(card));
}

/** As many kinds and cards as estimates accept, in this order. */
function upToLimits(kinds: readonly CardKind[], assumed: string[]): CardKind[] {
  leaveOut(kinds.slice(MOST_KINDS), `an estimate accepts at most ${MOST_KINDS} kinds of cards`, assumed);
  let room = requestLimits.gpus;
  return kinds.slice(0, MOST_KINDS).flatMap((kind) => {
    const count = Math.min(kind.count, room);
    room -= count;
    if (count < kind.count) {
      leaveOut(
        [{ ...kind, count: kind.count - count }],
        `an estimate accepts at most ${requestLimits.gpus} cards`,
        assumed,
      );
    }
    return count === 0 ? [] : [{ ...kind, count }];
  });
}

function leaveOut(kinds: readonly CardKind[], why: string, assumed: string[]): void {
  assumed.push(...kinds.map((kind) => `${describe(kind)} is left out, because ${why}`));
}

/** A name that estimates read. It keeps that a card has no direct link, which the name of the chip does not say. */
function nameOf({ device }: CardKind): string {
  return device.isPcieCard && !device.name.includes("PCIe") ? `${device.name} PCIe` : device.name;
}

function memoryOfCard({ device, memoryGb }: CardKind): number {
  return memoryGb ?? device.memoryGb;
}

/** "RTX 3090 24 GB + 2 x RTX 3060 12 GB". */
function mixedName(kinds: readonly CardKind[]): string {
  return kinds
    .map((kind) => `${kind.count > 1 ? `${kind.count} x ` : ""}${kind.device.name} ${memoryOfCard(kind)} GB`)
    .join(" + ");
}

function describe({ name, memoryGb, count }: CardKind): string {
  return `${count > 1 ? `${count} x ` : ""}${name}${memoryGb === undefined ? "" : ` with ${memoryGb} GB`}`;
}
