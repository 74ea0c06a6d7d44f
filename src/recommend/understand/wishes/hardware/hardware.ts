import { isDismissedAfter } from "../text/negation.ts";
import { byteUnits } from "../text/numbers.ts";
import type { Rule } from "../text/phrases.ts";
import { type Text, words } from "../text/text.ts";
import type { Found } from "../wish.ts";
import { cardRules, hardwareWish } from "./cards.ts";
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
  "calls calling line lines number numbers lidar video videos contract contracts menu announcements webcam keyboard keyboards",
  "stand brand brands price prices descriptions recordings conversation conversations quality images plug plugin extension",
  "extensions history tabs games game banking network operator provider plan plans user users bill bills assembly parts",
  "platform platforms robot robots base manipulator crane home homes library unit units strings factory manual manuals shot shots footage bookmarks book books support case cases fingerprint",
);

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
    phrases: ["cpu|cpus"],
    unlessNegated: true,
    read: (text, from, to) => {
      if (/^(?:temperature|design|logs?|reviews?|fans?|prices?|cooler)$/.test(text.after(to))) {
        return undefined;
      }
      if (text.isSegment(from, to)) {
        return cpu(from, to);
      }
      const start = leadBefore(text, from);
      return start === undefined ? undefined : cpu(start, to);
    },
  },
  { phrases: [byteUnits], read: readMemory },
  ...cardRules,
  { phrases: ["m1|m2|m3|m4|m5 pro|max|ultra|air?"], unlessNegated: true, read: readAppleChip },
];

function deviceRule({ device, hardwareClass, memoryGb, phrases, unmistakable }: DeviceWords): Rule {
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
      const facts = { hardwareClass, ...(memoryGb !== undefined && { memoryGb }), device };
      const start = leadBefore(text, from);
      if (unmistakable) {
        return hardwareWish(device, facts, start ?? from, to);
      }
      if (start !== undefined && text.word(start) === "in" && !/^(?:browser|pc)$/.test(device)) {
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
  if (text.word(from - 1) === "offline" && text.endsSegment(to)) {
    return true;
  }
  return /^(?:friendly|compatible|only|inference)$/.test(next);
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
    /^(?:mac|macbook|chip|processor|mini|imac|silicon)$/.test(next) ||
    (/^(?:on|my|an|our|with)$/.test(before) &&
      !/^(?:motorway|highway|money|supply|road|junction|screws?|bolts?|line)$/.test(next));
  if (!hinted) {
    return undefined;
  }
  const start = leadBefore(text, from) ?? from;
  return hardwareWish("apple-silicon", { hardwareClass: "apple-silicon", device: "mac" }, start, to);
}

/**
 * Merges the wishes for hardware. A figure for memory joins the device that it belongs to. A card, named or as a
 * figure, replaces "laptop" and "RAM" beside it.
 */
export function mergeHardware(found: Found[]): Found[] {
  const hardware = found.filter(({ wish }) => wish.kind === "hardware");
  if (hardware.length < 2) {
    return found;
  }
  const isCard = ({ wish }: Found) =>
    wish.kind === "hardware" && /^(?:gpu-\d|rtx|gtx|rx|arc|titan|[a-z]{1,2}\d)/.test(wish.value);
  const isGeneral = ({ wish }: Found) =>
    wish.kind === "hardware" && /^(?:laptop|old-laptop|pc|single-gpu|gaming-pc|.* memory)$/.test(wish.value);
  const dropped = new Set<Found>();
  const cards = hardware.filter(isCard);
  if (cards.length > 0) {
    for (const each of hardware) {
      if (isGeneral(each)) {
        dropped.add(each);
      }
    }
  }
  // "RTX 3090 with 24 GB", "A100 80GB": the figure counts, and not the name.
  const figures = cards.filter(({ wish }) => wish.value.startsWith("gpu-"));
  if (figures.length > 0) {
    for (const each of cards) {
      if (!figures.includes(each)) {
        dropped.add(each);
      }
    }
  }
  const merged = new Map<Found, Found>();
  for (const each of hardware) {
    if (dropped.has(each) || each.wish.kind !== "hardware" || !each.wish.value.endsWith(" memory")) {
      continue;
    }
    const host = hardware.find(
      (other) =>
        other !== each &&
        !dropped.has(other) &&
        other.wish.kind === "hardware" &&
        !other.wish.value.endsWith(" memory"),
    );
    if (host === undefined || host.wish.kind !== "hardware") {
      continue;
    }
    merged.set(host, { ...host, wish: { ...host.wish, memoryGb: each.wish.memoryGb } });
    dropped.add(each);
  }
  // Beside an Apple device, "laptop" means that device.
  if (hardware.some(({ wish }) => wish.kind === "hardware" && wish.hardwareClass === "apple-silicon")) {
    for (const each of hardware) {
      if (/^(?:laptop|pc)$/.test(each.wish.value)) {
        dropped.add(each);
      }
    }
  }
  return found.filter((each) => !dropped.has(each)).map((each) => merged.get(each) ?? each);
}
