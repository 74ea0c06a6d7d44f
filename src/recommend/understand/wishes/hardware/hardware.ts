import { knownDevice } from "../../../../hardware/index.ts";
import { isDismissedAfter } from "../text/negation.ts";
import { byteUnits, numberEndingAt, sizeText } from "../text/numbers.ts";
import type { Rule } from "../text/phrases.ts";
import { type Text, words } from "../text/text.ts";
import type { Found, HardwareWish } from "../wish.ts";
import { COLAB, cardRules, hardwareWish } from "./cards.ts";
import { type DeviceWords, devices } from "./devices.ts";
import { readMemory } from "./memory.ts";

const determiners = words(
  "a an the my our your their his her any every each this that one single some player user client local own people",
);
/** Words between "on a" and the device. */
const qualities = words(
  "old older cheap small ordinary normal standard regular modern typical mid range weak slow fast powerful plain basic own",
  "office home work personal gaming business windows linux apple intel amd android i5 i7 ryzen entry level low end new recent",
  "chrome firefox safari web single user client simple rugged staff average company developer smart 8gb 16gb",
);
/** Words for things that people do on a device while the model runs elsewhere. */
const recordings = words(
  "recorded taken shot captured made filmed snapped scanned film films filming call calls calling spoken talk talking speak photograph",
  "photographed video videos picture pictures photo photos image images audio recording recordings listen heard typed read",
  "reading receive received message messages typing chat seen see look looking watch sitting lying sleeping next beside cat",
  "stickers scratches cracks screenshot screenshots reviews review opinions information info ads advice used advertise",
  "type types click smoking driving clip clips strings dialogue conversation conversations voices voice shopping prices price sold sell selling selfies played play view viewed",
);
/** If one of these words follows a device, the device is a topic, and the model need not run on it. */
const aboutDevice = words(
  "review reviews repair repairs shop shops store stores camera cameras picture pictures photo photos screen screens call",
  "calls calling line lines number numbers hotspot hotspots lidar video videos contract contracts menu announcements webcam keyboard keyboards",
  "stand brand brands price prices descriptions recordings conversation conversations quality images plug plugin extension",
  "extensions history tabs games game banking network operator provider plan plans user users bill bills assembly parts",
  "platform platforms robot robots base manipulator crane home homes library unit units strings factory manual manuals shot shots footage bookmarks book books support case cases fingerprint",
);

/** Words after "CPU" that make it the topic, not where the model runs. */
const notForModel =
  /^(?:temperatures?|designs?|logs?|reviews?|fans?|prices?|coolers?|market|shortage|news|usage|load|hours?|time|benchmarks?)$/;

/** Words before "CPU" that make it a part of something else. */
const notBeforeCpu = /^(?:than|of|his|her|their)$/;

const cpu = (from: number, to: number): Found => hardwareWish("cpu", { hardwareClass: "cpu" }, from, to);

export const hardwareRules: readonly Rule[] = [
  ...devices.map(deviceRule),
  {
    phrases: ["in browser", "client side", "webgpu|wasm|webassembly", "transformers js"],
    unlessNegated: true,
    read: (text, from, to) => {
      if (aboutDevice.has(text.after(to))) {
        return undefined;
      }
      return hardwareWish("browser", { hardwareClass: "cpu", memoryGb: 4, device: "browser" }, from, to);
    },
  },
  {
    phrases: ["on device"],
    unlessNegated: true,
    read: (_text, from, to) => hardwareWish("phone", { hardwareClass: "cpu", memoryGb: 4, device: "phone" }, from, to),
  },
  {
    phrases: [
      "no|without a|an|any? dedicated|discrete|strong|big|powerful|real|separate|fast? gpu|gpus|nvidia|cuda",
      "no|without a|an|any? dedicated|discrete|separate? graphics|video card|cards|hardware",
      "no|without need for? a|an|any? gpu|gpus",
      "not|don't|doesn't|doesnt|dont|needn't|no|mustn't require|need|have|want|rely|use on|for|to? have|use? a|an|any|the? gpu|gpus|cuda",
      "haven't|hasn't got? a|an|any? gpu|graphics card?",
      "don't|doesn't|dont have a|an|any? graphics card",
      "cpu only|inference|friendly|bound|based|hosting|server|servers",
      "only cpu|cpus",
      "gpu free|less",
      "gpuless",
      "integrated|onboard|intel graphics|gpu",
      "low cpu usage|load?",
    ],
    read: (_text, from, to) => cpu(from, to),
  },
  {
    phrases: ["gpu|gpus", "graphics card|cards"],
    read: (text, from, to) => (isDismissedAfter(text, to) ? cpu(from, dismissalEnd(text, to)) : undefined),
  },
  {
    phrases: ["cpu|cpus|vcpu|vcpus"],
    unlessNegated: true,
    read: (text, from, to) => {
      if (notForModel.test(text.after(to)) || notBeforeCpu.test(text.before(from))) {
        return undefined;
      }
      return cpu(leadBefore(text, from) ?? from, to);
    },
  },
  {
    phrases: ["cores", "core arm|cpu|cpus|server|machine|box|processor|laptop|vm|vps|xeon|epyc|i5|i7|pc|mini"],
    read: (text, from, to) => {
      const count = text.tokens[from]?.gap === 0 ? numberEndingAt(text, from - 1) : undefined;
      const isProcessor =
        count !== undefined && count.value >= 1 && count.value <= 256 && !/^gpus?$/.test(text.after(to));
      return isProcessor ? cpu(count.from, to) : undefined;
    },
  },
  {
    phrases: ["quad|octa|dual core"],
    read: (_text, from, to) => cpu(from, to),
  },
  { phrases: ["xeon|xeons|epyc|epycs|threadripper", "intel|core i3|i5|i7|i9", "ryzen #"], read: readProcessor },
  { phrases: ["i3|i5|i7|i9 #?"], read: readProcessor },
  { phrases: [byteUnits], read: readMemory },
  ...cardRules,
  { phrases: ["m1|m2|m3|m4|m5 pro|max|ultra|air?"], unlessNegated: true, read: readAppleChip },
];

/** Reads "Xeon Gold 6338", "i7-6700": the name as far as it has words with digits. */
function readProcessor(text: Text, from: number, to: number): Found | undefined {
  if (/^(?:vs|or|versus)$/.test(text.after(to)) || text.before(from) === "vs") {
    return undefined;
  }
  let end = to;
  while (end < to + 3 && /^(?:gold|silver|platinum|pro|\d{1,5}[a-z]{0,3}\d?)$/.test(text.after(end))) {
    end++;
  }
  const words = Array.from({ length: end - from + 1 }, (_, at) => text.word(from + at));
  const cpuName = words.join(" ").replace(/\b(i\d) /, "$1-");
  const facts = {
    hardwareClass: "cpu",
    device: "cpu",
    ...(/\d{3}/.test(cpuName) && { machine: { cpuName } }),
  } as const;
  return hardwareWish("cpu", facts, from, end);
}

function deviceRule({ device, hardwareClass, memoryGb, machine, phrases, unmistakable }: DeviceWords): Rule {
  return {
    phrases,
    unlessNegated: true,
    read: (text, from, to) => {
      if (aboutDevice.has(text.after(to))) {
        return undefined;
      }
      const first = text.word(from);
      if ((first === "small" || first === "tiny" || first === "low") && !leadsBefore(text, from)) {
        return undefined;
      }
      const facts = { hardwareClass, ...(memoryGb !== undefined && { memoryGb }), device, ...(machine && { machine }) };
      const start = leadBefore(text, from);
      if (unmistakable) {
        return hardwareWish(device, facts, start ?? from, to);
      }
      const isApp = /^apps?$/.test(text.after(to));
      if (start !== undefined && text.word(start) === "in" && !/^(?:browser|pc)$/.test(device) && !isApp) {
        return undefined;
      }
      if (start === undefined) {
        return standsForDevice(text, device, from, to) ? hardwareWish(device, facts, from, to) : undefined;
      }
      return happensElsewhere(text, start) ? undefined : hardwareWish(device, facts, start, to);
    },
  };
}

const leadsBefore = (text: Text, from: number): boolean => leadBefore(text, from) !== undefined;

/**
 * Whether a device without "on" or "for" is still where the model runs: ", mobile,", "mobile app", "laptop with 8 GB".
 */
function standsForDevice(text: Text, device: string, from: number, to: number): boolean {
  const next = text.after(to);
  if (device !== "browser" && text.isSegment(from, to) && text.tokens.length > 1) {
    return true;
  }
  if (/^(?:app|apps)$/.test(text.word(to)) || (device === "phone" && /^apps?$/.test(next))) {
    return device === "phone";
  }
  if (/^(?:laptop|old-laptop|pc)$/.test(device) && next === "with") {
    return memoryOrCardFollows(text, to + 1);
  }
  if (/^(?:laptop|old-laptop|pc)$/.test(device) && next === "without") {
    return true;
  }
  if ((text.before(from) === "offline" || text.before(from) === "gb") && text.endsSegment(to)) {
    return true;
  }
  const isPhoneOfSearch =
    device === "phone" &&
    text.startsSegment(from) &&
    /^(?:iphone|android|galaxy|pixel|s2\d)$/.test(text.word(from)) &&
    namesAssistant(text, to);
  return isPhoneOfSearch || isOwned(text, from) || /^(?:friendly|compatible|only|inference)$/.test(next);
}

/** Whether the words after a phone's name, "15 pro" left out, are those of a program that runs there. */
function namesAssistant(text: Text, to: number): boolean {
  let at = to + 1;
  while (/^(?:\d{1,2}|s\d\d|pro|max|plus|ultra|mini|air|fold|a)$/.test(text.word(at))) {
    at++;
  }
  return /^(?:chat|chatbot|uncensored|vision|llm|llms|ai|assistant|models?|offline|local|on)$/.test(text.word(at));
}

/** Whether "have", "only have a" or "got my" comes before: people name the device that they have for the model. */
function isOwned(text: Text, from: number): boolean {
  let at = from - 1;
  while (
    at >= from - 3 &&
    text.tokens[at + 1]?.gap === 0 &&
    (determiners.has(text.word(at)) || qualities.has(text.word(at)))
  ) {
    at--;
  }
  return (
    text.tokens[at + 1]?.gap === 0 && /^(?:have|has|own|owns|got)$/.test(text.word(at)) && text.word(at - 1) !== "to"
  );
}

function memoryOrCardFollows(text: Text, at: number): boolean {
  for (let next = at + 1; next <= at + 5 && text.tokens[next]?.gap === 0; next++) {
    const word = text.word(next);
    if (/^(?:gpu|ram|vram|memory|graphics|rtx|gtx|gb|no|gigs?)$/.test(word)) {
      return true;
    }
  }
  return false;
}

/** The first token of "on my old", "for a" or "in the" right before the device; undefined without such words. */
function leadBefore(text: Text, from: number): number | undefined {
  let at = from - 1;
  let steps = 0;
  while (at >= 0 && steps < 6 && text.tokens[at + 1]?.gap === 0) {
    const word = text.word(at);
    if (word === "for" && text.word(at - 1) === "looking") {
      return undefined;
    }
    if (word === "on" || word === "onto" || word === "for" || word === "in" || word === "inside" || word === "via") {
      return at;
    }
    if (
      word === "runs" ||
      word === "run" ||
      word === "running" ||
      word === "works" ||
      word === "target" ||
      word === "targeting"
    ) {
      return at + 1;
    }
    if (!determiners.has(word) && !qualities.has(word) && !/^(?:gb|ram|\d+)$/.test(word)) {
      return undefined;
    }
    at--;
    steps++;
  }
  return undefined;
}

/** Whether the words before name something that people do on the device: "photos taken on a phone". */
function happensElsewhere(text: Text, start: number): boolean {
  const lead = text.word(start);
  for (let at = start - 1; at >= 0 && at >= start - 4; at--) {
    if (text.tokens[at + 1]?.gap === 2) {
      return false;
    }
    const word = text.word(at);
    if (/^(?:runs?|running|works?|local|locally|model|deploy|deployed|offline|inference|fits?)$/.test(word)) {
      return false;
    }
    // "Chat on my laptop", "a chat bot on my phone": the model chats there.
    const isForModel = /^(?:chat|talk)$/.test(word) && (at === 0 || /^(?:bots?|assistant|model)$/.test(text.after(at)));
    if (recordings.has(word) && !isForModel) {
      return lead !== "for" || at === start - 1;
    }
  }
  return false;
}

/** The last token of "is not needed" or "not required" after a word. */
function dismissalEnd(text: Text, to: number): number {
  let at = to;
  while (at < to + 6 && text.after(at) !== "") {
    at++;
    if (/^(?:needed|required|necessary|optional|unnecessary|available)$/.test(text.word(at))) {
      return at;
    }
  }
  return to;
}

function readAppleChip(text: Text, from: number, to: number): Found | undefined {
  const before = text.before(from);
  const next = text.after(to);
  if (before === "the" || (before >= "0" && before < ":")) {
    return undefined;
  }
  const hinted =
    to > from ||
    /^(?:apple|macbook|mac|mini|chip|air|pro|imac)$/.test(before) ||
    /^(?:mac|macbook|chip|processor|mini|imac|silicon|llm|llms)$/.test(next) ||
    /^gi?b$/.test(text.word(to + 2)) ||
    (/^(?:on|my|an|our|with)$/.test(before) &&
      !/^(?:motorway|highway|money|supply|road|junction|screws?|bolts?|line)$/.test(next));
  if (!hinted) {
    return undefined;
  }
  const start = leadBefore(text, from) ?? from;
  const gpuName = [text.word(from), text.word(to)]
    .slice(0, to - from + 1)
    .join(" ")
    .replace(/ air$/, "");
  const facts = { hardwareClass: "apple-silicon", device: "mac", machine: { gpuName } } as const;
  return hardwareWish("apple-silicon", facts, start, to);
}

type HardwareFound = Found & { wish: Omit<HardwareWish, "words"> };

const isHardware = (found: Found): found is HardwareFound => found.wish.kind === "hardware";
const isFigure = ({ wish }: HardwareFound) => /^gpu-[\d.]+gb$/.test(wish.value);
const isCard = (found: HardwareFound) =>
  isFigure(found) ||
  (found.wish.machine?.gpuName !== undefined && found.wish.hardwareClass?.startsWith("gpu") === true);
const isMemory = ({ wish }: HardwareFound) => wish.value.endsWith(" memory");
/** Computers that may have any card. */
const isGeneral = (found: HardwareFound) =>
  isMemory(found) || /^(?:laptop|old-laptop|pc|single-gpu|gaming-pc|cpu|mini-pc|vps|edge)$/.test(found.wish.value);

/**
 * Merges the wishes for hardware. A figure for memory joins the device that it belongs to. A card, named or as a
 * figure, replaces "laptop" and "RAM" beside it.
 */
export function mergeHardware(found: Found[]): Found[] {
  const dropped = new Set<Found>();
  const merged = new Map<Found, HardwareFound>();
  const all = found.filter(isHardware);
  const others = all.filter(({ wish }) => wish.value !== COLAB);
  const hardware = others.length > 0 ? others : all;
  for (const each of all) {
    if (!hardware.includes(each)) {
      dropped.add(each);
    }
  }
  const cards = hardware.filter(isCard);
  const named = cards.find((card) => !isFigure(card));
  for (const each of cards.length > 0 ? hardware : []) {
    if (isGeneral(each)) {
      dropped.add(each);
    } else if (named !== undefined && isFigure(each)) {
      // "A gaming laptop with 12 GB of VRAM, a 4080": the figure is the memory of the named card.
      merged.set(named, withMemory(named, each, found));
      dropped.add(each);
    }
  }
  const isApple = hardware.some(({ wish }) => wish.hardwareClass === "apple-silicon");
  for (const each of hardware) {
    // Beside an Apple device, "laptop" means that device.
    if (isApple && /^(?:laptop|pc|cpu)$/.test(each.wish.value)) {
      dropped.add(each);
    }
  }
  const devices = hardware.filter((each) => !dropped.has(each) && !isMemory(each));
  const device = devices.find(({ wish }) => wish.value !== "cpu");
  const processor = devices.find(({ wish }) => wish.machine?.cpuName !== undefined);
  if (device?.wish.hardwareClass === "cpu" && processor !== undefined) {
    const { machine } = processor.wish;
    merged.set(device, { ...device, wish: { machine, ...device.wish } });
    dropped.add(processor);
  }
  // In "on a laptop CPU" the laptop says more.
  const repeated = devices.find(
    (each) => each.wish.value === "cpu" && each.from === each.to && each.from - 1 === device?.to,
  );
  if (repeated !== undefined) {
    dropped.add(repeated);
  }
  const host = device ?? devices[0];
  for (const each of hardware) {
    if (isMemory(each) && !dropped.has(each) && host !== undefined) {
      merged.set(host, withMemory(merged.get(host) ?? host, each, found));
      dropped.add(each);
    }
  }
  return found
    .filter((each) => !dropped.has(each))
    .map((each) => withKnownMachine(withMachine(merged.get(each) ?? each)));
}

/** The most tokens from a device to the figure for its memory that make one phrase: "a laptop with only 8 GB". */
const ONE_PHRASE = 3;

/** A device with the memory of a figure beside it, and with its words if they follow at once. @param all all wishes. */
function withMemory(found: HardwareFound, figure: HardwareFound, all: readonly Found[]): HardwareFound {
  const { wish } = found;
  const { memoryGb } = figure.wish;
  if (memoryGb === undefined) {
    return found;
  }
  const machine = wish.machine?.gpuName === undefined ? wish.machine : { ...wish.machine, memoryGb };
  const isNear = figure.from > found.to && figure.from - found.to <= ONE_PHRASE;
  const follows = isNear && !all.some(({ from }) => from > found.to && from < figure.from);
  return {
    ...found,
    to: follows ? figure.to : found.to,
    wish: { ...wish, memoryGb: memoryGb * (machine?.gpuCount ?? 1), ...(machine && { machine }) },
  };
}

/** Leaves out a machine that estimates do not know or accept, such as a card that does not exist or one with 0 GB. */
function withKnownMachine(found: Found): Found {
  if (!isHardware(found) || found.wish.machine === undefined || knownDevice(found.wish.machine) !== undefined) {
    return found;
  }
  const { machine: _, ...wish } = found.wish;
  return { ...found, wish };
}

/** The memory of the reference computers of the classes `cpu` and `apple-silicon`. */
const REFERENCE_GB = 16;
/** Memory above which Apple's chips are at least Pro, Max and Ultra. */
const appleChips = [
  [24, "M4"],
  [48, "M4 Pro"],
  [128, "M4 Max"],
  [Infinity, "M3 Ultra"],
] as const;

/** Adds the machine that estimates take, if the memory of a computer is known and not that of the reference. */
function withMachine(found: Found): Found {
  if (!isHardware(found)) {
    return found;
  }
  const { hardwareClass, memoryGb, machine } = found.wish;
  if (memoryGb === undefined || memoryGb === REFERENCE_GB || machine?.gpuName !== undefined) {
    return found;
  }
  if (hardwareClass === "apple-silicon") {
    const [, gpuName] = appleChips.find(([most]) => memoryGb <= most) as (typeof appleChips)[number];
    return { ...found, wish: { ...found.wish, machine: { gpuName, memoryGb } } };
  }
  return hardwareClass === "cpu"
    ? {
        ...found,
        wish: {
          ...found.wish,
          machine: { cpuName: `device with ${sizeText(memoryGb)} of memory`, ...machine, systemMemoryGb: memoryGb },
        },
      }
    : found;
}
