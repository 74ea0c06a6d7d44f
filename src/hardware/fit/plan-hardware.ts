import { catalog } from "../devices/catalog.ts";
import { hardwareClasses, referenceClass } from "../devices/classes.ts";
import { ASSUMED_SYSTEM_GB, findDevice } from "../devices/find-device.ts";
import {
  type LaunchPrice,
  launchPrice,
  type PriceClass,
  priceClass,
  priceClasses,
  pricedComputers,
} from "../devices/prices.ts";
import { type EstimateOptions, estimateVariant } from "../estimate/estimate.ts";
import { taskKind } from "../estimate/tasks.ts";
import { bitsFor, readQuantization, TYPICAL_SHARES } from "../model/bits.ts";
import { type EstimateRequest, type EstimateViolation, estimateOf, type ReadRequest, readRequest } from "../request.ts";
import type { Device, Estimate, ModelFigures, VariantFigures } from "../types.ts";
import { bestVariant } from "./best-variant.ts";

/** A request of PlanHardware: that of an estimate, for any device. `hardware` is what the caller has today. */
export interface PlanRequest extends EstimateRequest {
  /** Tokens a second for one user that the likely speed must reach. */
  minTokensPerSecond?: number;
  /** Maximum number of cards of a kind. */
  maxDevices?: number;
}

/** The limits of a plan. The API reference has the same. */
export const planLimits = { devices: 8, defaultDevices: 4, tokensPerSecond: 1e6 } as const;

/** A device, or several of a kind in `device.count`, and how the model runs on it. */
export interface HardwareOption {
  device: Device;
  estimate: Estimate;
  /** The class of the price of all devices together, if it is known. */
  priceClass?: PriceClass;
  /** The price of all devices together, if it is known. */
  price?: LaunchPrice;
  /** Whether the likely speed is as asked. Undefined if no speed was. */
  meetsSpeed?: boolean;
}

/** Hardware for a model. */
export interface HardwarePlan {
  /** Cheapest first; without `basis` in the estimates. */
  options: HardwareOption[];
  /** What the caller has today. */
  today?: HardwareOption;
  /** The four classes. */
  classes: HardwareOption[];
  /** The rules behind the list, as sentences. */
  basis: string[];
}

/** Cards that are older are rarely sold. */
const FIRST_YEAR = 2020;
/** Chips of notebooks, and cards for mining, cannot be bought as cards. */
const NOT_SOLD_ALONE = /\bLaptop\b|\bCMP\b|\bMX\d|^(RX|Arc|Radeon Pro) .*\d[MS]\b/;
/** Options of one kind of device with the same memory: the cheapest and an alternative. */
const MOST_OF_MEMORY = 2;
const MOST_OPTIONS = 24;
/** Options that hold only a part of the model or are too slow. They are listed if there are no better ones. */
const MOST_OF_THE_REST = 4;
/** Fewer bits a weight make answers notably worse. A variant with fewer is used only if the caller asks for it. */
const LEAST_BITS = 3.5;

/** The most variants of a model that are tried on each device. A record may have a thousand. */
const MOST_VARIANTS = 40;

/** What an option is made from. */
interface Wanted {
  request: PlanRequest;
  model: ModelFigures;
  variants: readonly VariantFigures[];
  options: EstimateOptions;
  minTokensPerSecond: number | undefined;
  maxDevices: number;
  computer: Computer;
}

/** The computer that a card is put into. */
interface Computer extends Pick<Device, "systemBandwidthGbS" | "processor"> {
  systemMemoryGb: number;
  /** Whether the caller gave the memory, by its amount or by a class. */
  isGiven: boolean;
}

/**
 * Plans hardware for a model, or lists all violations. `unknownModel`: nothing is known of its size.
 *
 * @param yieldToEventLoop called and awaited after each device, so that a server answers other calls meanwhile.
 */
export async function planHardware(
  request: PlanRequest,
  yieldToEventLoop: () => Promise<void> | undefined,
): Promise<HardwarePlan | { violations: EstimateViolation[] } | { unknownModel: true }> {
  const read = readPlan(request);
  if ("violations" in read) {
    return read;
  }
  const { model, options } = read;
  if (request.minTokensPerSecond !== undefined && taskKind(model.taskTypes) !== "generate") {
    const description =
      "applies only to models that generate tokens one by one, and this model does not; leave it out.";
    return { violations: [{ field: "min_tokens_per_second", description }] };
  }
  // A published variant of a quantization that is asked for may be any of them.
  const published = request.variants ?? [];
  const distinct = request.quantization?.trim() ? published : distinctVariants(published);
  const fine = distinct.filter((variant) => bitsOf(variant) >= LEAST_BITS);
  const today = request.hardware === undefined ? undefined : read.device;
  const wanted: Wanted = {
    request,
    model,
    variants: (fine.length > 0 ? fine : distinct).slice(0, request.quantization?.trim() ? undefined : MOST_VARIANTS),
    options,
    minTokensPerSecond: request.minTokensPerSecond,
    maxDevices: request.maxDevices ?? planLimits.defaultDevices,
    computer: computerOf(request, today),
  };
  const classes = Object.values(hardwareClasses).map((device) => optionOn(wanted, device, true));
  if (classes.some((option) => option === undefined)) {
    return { unknownModel: true };
  }
  const { chosen, notes } = choose(wanted, await optionsOf(wanted, candidates(wanted.computer), yieldToEventLoop));
  return {
    options: chosen,
    today: today && optionOn(wanted, today, true),
    classes: classes.filter((option) => option !== undefined),
    basis: [...basisOf(wanted), ...notes],
  };
}

/** Reads a request of a plan, or lists all its violations. */
export function readPlan(request: PlanRequest): ReadRequest | { violations: EstimateViolation[] } {
  const { minTokensPerSecond, maxDevices } = request;
  const { devices, tokensPerSecond } = planLimits;
  const read = readRequest(request, "device");
  const violations = "violations" in read ? [...read.violations] : [];
  if (minTokensPerSecond !== undefined && !(minTokensPerSecond > 0 && minTokensPerSecond <= tokensPerSecond)) {
    const description = `must be above 0 and at most ${tokensPerSecond}.`;
    violations.push({ field: "min_tokens_per_second", description });
  }
  if (maxDevices !== undefined && !(Number.isInteger(maxDevices) && maxDevices >= 1 && maxDevices <= devices)) {
    violations.push({ field: "max_devices", description: `must be a whole number from 1 to ${devices}.` });
  }
  return "violations" in read || violations.length > 0 ? { violations } : read;
}

/** The smallest variant of each quantization and format, those with the most bits a weight first. */
function distinctVariants(variants: readonly VariantFigures[]): VariantFigures[] {
  const size = ({ sizeGb = Number.MAX_VALUE }: VariantFigures) => sizeGb;
  const smallest = new Map<string, VariantFigures>();
  for (const variant of variants) {
    const key = `${variant.format ?? ""} ${readQuantization(variant.quantization).label}`;
    const before = smallest.get(key);
    if (before === undefined || size(variant) < size(before)) {
      smallest.set(key, variant);
    }
  }
  return [...smallest.values()].sort((a, b) => bitsOf(b) - bitsOf(a));
}

function bitsOf({ quantization }: VariantFigures): number {
  return bitsFor(readQuantization(quantization), TYPICAL_SHARES);
}

let sold: readonly Device[] | undefined;

/** The devices that a plan considers: cards, and computers with shared memory and a known price. */
function soldDevices(): readonly Device[] {
  const cards = catalog.filter(
    ({ name, kind, year = 0 }) => kind === "gpu" && year >= FIRST_YEAR && !NOT_SOLD_ALONE.test(name),
  );
  return [...cards, ...pricedComputers].flatMap(({ name, memoryGb }) => {
    const device = findDevice({ gpuName: name, memoryGb });
    return "unknown" in device ? [] : [device];
  });
}

/** The computer of today, whose processor and memory stay when a card is put into it. */
function computerOf({ hardware }: PlanRequest, today: Device | undefined): Computer {
  const isProcessor = today?.kind === "cpu";
  const amount = hardware?.systemMemoryGb ?? (isProcessor ? today.memoryGb : today?.systemMemoryGb);
  const isGiven =
    hardware?.systemMemoryGb !== undefined ||
    (isProcessor && hardware?.memoryGb !== undefined) ||
    (today !== undefined && referenceClass(today) !== undefined);
  return {
    systemMemoryGb: amount ?? ASSUMED_SYSTEM_GB,
    systemBandwidthGbS: isProcessor ? today.bandwidthGbS : today?.systemBandwidthGbS,
    processor: today?.processor,
    isGiven: isGiven && amount !== undefined,
  };
}

/** The devices to try. A card goes into the computer of today. */
function candidates({ systemMemoryGb, systemBandwidthGbS, processor }: Computer): Device[] {
  sold ??= soldDevices();
  return sold.map((device) =>
    device.kind === "gpu"
      ? {
          ...device,
          systemMemoryGb,
          systemBandwidthGbS: systemBandwidthGbS ?? device.systemBandwidthGbS,
          processor: processor ?? device.processor,
        }
      : device,
  );
}

/** How the model runs on a device. Undefined if nothing is known of the model's size. */
function optionOn(wanted: Wanted, device: Device, withBasis = false): HardwareOption | undefined {
  const { request, model, variants, options, minTokensPerSecond } = wanted;
  const given = { ...request, variants };
  let estimate = estimateOf(given, model, device, { ...options, withBasis });
  if (estimate === undefined) {
    return undefined;
  }
  if (!isFast(estimate, minTokensPerSecond) && !request.quantization?.trim() && request.parameters === undefined) {
    // The best variant is too slow. A smaller one may be fast enough.
    const fast = variants.filter((variant) => {
      const each = estimateVariant(model, variant, device, options);
      return each !== undefined && holds(each) && isFast(each, minTokensPerSecond);
    });
    estimate = bestVariant(model, fast, device, { ...options, withBasis })?.estimate ?? estimate;
  }
  const price = launchPrice(device.name, device.memoryGb);
  return {
    device,
    estimate,
    priceClass: priceClass(device.name, device.memoryGb, device.count),
    price: price && { ...price, usd: price.usd * device.count },
    meetsSpeed: minTokensPerSecond === undefined ? undefined : isFast(estimate, minTokensPerSecond),
  };
}

function holds({ fit }: Estimate): boolean {
  return fit === "fits" || fit === "tight";
}

function isFast({ tokensPerSecond }: Estimate, least: number | undefined): boolean {
  return least === undefined || (tokensPerSecond !== undefined && tokensPerSecond.likely >= least);
}

/**
 * The options of the devices. Devices of a kind with the same memory hold the same models, so the dearer ones are left
 * out once the list has enough of them.
 */
async function optionsOf(
  wanted: Wanted,
  devices: readonly Device[],
  yieldToEventLoop: () => Promise<void> | undefined,
): Promise<HardwareOption[]> {
  const dollars = ({ name, memoryGb }: Device) => launchPrice(name, memoryGb)?.usd ?? Number.MAX_VALUE;
  const found = new Map<string, { right: number; usd: number }>();
  const options: HardwareOption[] = [];
  for (const device of [...devices].sort((a, b) => dollars(a) - dollars(b))) {
    const usd = dollars(device);
    const before = found.get(groupOf(device)) ?? { right: 0, usd };
    const alone = before.right >= MOST_OF_MEMORY && usd > before.usd ? undefined : optionOn(wanted, device);
    if (alone === undefined) {
      continue;
    }
    const option = withMore(wanted, alone);
    if (isRight(option)) {
      found.set(groupOf(device), { right: before.right + 1, usd });
    }
    options.push(...(alone === option || alone.estimate.fit !== "offload" ? [option] : [option, alone]));
    await yieldToEventLoop();
  }
  return options;
}

/** Devices of a group hold the same models. */
function groupOf({ kind, memoryGb }: Device): string {
  return `${kind} ${memoryGb}`;
}

function isRight({ estimate, meetsSpeed }: HardwareOption): boolean {
  return holds(estimate) && meetsSpeed !== false;
}

/** The fewest devices of a kind that hold the model and are fast enough; if there are none, the best number of them. */
function withMore(wanted: Wanted, alone: HardwareOption): HardwareOption {
  const one = alone.device;
  if (one.kind !== "gpu" || isRight(alone)) {
    return alone;
  }
  let best = alone;
  const { weightsGb, kvCacheGb } = alone.estimate;
  const least = Math.ceil((weightsGb + kvCacheGb) / one.usableGb);
  for (let count = Math.max(2, holds(alone.estimate) ? 2 : least); count <= wanted.maxDevices; count++) {
    const option = optionOn(wanted, { ...one, count });
    if (option === undefined || !holds(option.estimate)) {
      continue;
    }
    if (isRight(option)) {
      return option;
    }
    // If each card has some of the layers, more cards are no faster.
    if (holds(best.estimate) && likely(option) <= likely(best)) {
      break;
    }
    best = option;
  }
  return best;
}

function likely({ estimate }: HardwareOption): number {
  return estimate.tokensPerSecond?.likely ?? 0;
}

/** The options of an answer, in order, with the notes that explain them. */
function choose(wanted: Wanted, all: readonly HardwareOption[]): { chosen: HardwareOption[]; notes: string[] } {
  const whole = all.filter(({ estimate }) => holds(estimate));
  const right = fewOfEach(all.filter(isRight).sort(leastFirst)).slice(0, MOST_OPTIONS);
  const notes: string[] = [];
  const cheapest = right[0]?.price?.usd;
  const partial = all
    .filter(({ estimate, meetsSpeed }) => estimate.fit === "offload" && meetsSpeed !== false)
    .filter(
      ({ price }) => right.length === 0 || (price !== undefined && cheapest !== undefined && price.usd < cheapest),
    )
    .sort(leastFirst)
    .slice(0, MOST_OF_THE_REST);
  if (partial.length > 0) {
    notes.push(
      "Options whose fit is offload keep a part of the model in system memory. No device that costs as little holds the whole model.",
    );
  }
  const chosen = [...right, ...partial];
  if (chosen.length === 0 && wanted.minTokensPerSecond !== undefined && whole.length > 0) {
    notes.push(`No listed device reaches ${wanted.minTokensPerSecond} tokens a second; these are the fastest.`);
    chosen.push(...fastestOf(whole));
  }
  if (chosen.length === 0) {
    notes.push(
      `No listed device holds the model${wanted.maxDevices > 1 ? `, not even ${wanted.maxDevices} of a kind together` : ""}.`,
    );
  }
  return { chosen, notes };
}

/** At most a few options of a kind with the same memory, in their order. */
function fewOfEach(options: readonly HardwareOption[]): HardwareOption[] {
  const counts = new Map<string, number>();
  return options.filter(({ device }) => {
    const count = (counts.get(groupOf(device)) ?? 0) + 1;
    counts.set(groupOf(device), count);
    return count <= MOST_OF_MEMORY;
  });
}

function fastestOf(options: readonly HardwareOption[]): HardwareOption[] {
  return [...options].sort((a, b) => likely(b) - likely(a) || leastFirst(a, b)).slice(0, MOST_OF_THE_REST);
}

function leastFirst(a: HardwareOption, b: HardwareOption): number {
  return (
    placeOf(a) - placeOf(b) ||
    (a.price?.usd ?? Number.MAX_VALUE) - (b.price?.usd ?? Number.MAX_VALUE) ||
    a.device.memoryGb * a.device.count - b.device.memoryGb * b.device.count ||
    likely(b) - likely(a) ||
    (a.device.name < b.device.name ? -1 : 1)
  );
}

/** The place of an option's price class; behind all of them if it has none. */
function placeOf({ priceClass: name }: HardwareOption): number {
  return name === undefined ? priceClasses.length : priceClasses.indexOf(name);
}

function basisOf({ request, variants, maxDevices, computer }: Wanted): string[] {
  const form =
    request.quantization?.trim() || variants.length === 0 || request.parameters !== undefined
      ? `Quantization: ${request.quantization?.trim() || "Q4_K_M"} on every device.`
      : `Quantization: on each device the best published one that fits${request.minTokensPerSecond === undefined ? "" : " and is fast enough"}. One with less than ${LEAST_BITS} bits a weight is used only if there is no other.`;
  return [
    form,
    `Considered: cards for desktops, workstations and servers released since ${FIRST_YEAR}, up to ${maxDevices} of a kind together (with llama.cpp they add memory, not speed); and computers with shared memory whose launch price is known.`,
    `Listed: for each kind and amount of memory, the ${MOST_OF_MEMORY} options that cost least; at most ${MOST_OPTIONS} in all.`,
    "Prices: the makers' launch prices in US dollars of the month of their announcement or release, without taxes. Today's prices differ, and the price of a card does not include a computer.",
    `Cards are assumed to be in a computer with ${computer.systemMemoryGb} GB of memory, ${computer.isGiven ? "as much as the computer of today's device has" : "because no amount is given"}.`,
  ];
}
