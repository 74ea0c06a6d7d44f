import { type Device, type HardwareClass, referenceClass } from "../hardware/index.ts";

/** Formats gigabytes (10^9 bytes) for people: "45 MB", "0.45 GB", "3.2 GB", "140 GB". */
export function formatGb(gb: number): string {
  if (gb >= 99.5) {
    return `${Math.round(gb)} GB`;
  }
  if (gb >= 0.995) {
    return `${Number(gb.toFixed(1))} GB`;
  }
  if (gb >= 0.0995) {
    return `${Number(gb.toFixed(2))} GB`;
  }
  return `${Math.max(1, Math.round(gb * 1000))} MB`;
}

/** As `formatGb`, with a third or fourth digit if only this shows that it is more than the other figure. */
export function formatMoreGb(gb: number, than: number): string {
  const rounded = formatGb(gb);
  return rounded === formatGb(than) ? `${Number(gb.toPrecision(gb >= 100 ? 4 : 3))} GB` : rounded;
}

/** Formats a count for people: "512", "131,072", "7.6 billion". */
export function formatCount(count: number): string {
  if (count >= 1e12) {
    return `${Number((count / 1e12).toPrecision(3))} trillion`;
  }
  if (count >= 1e9) {
    return `${Number((count / 1e9).toPrecision(3))} billion`;
  }
  if (count >= 1e6) {
    return `${Number((count / 1e6).toPrecision(3))} million`;
  }
  return Math.round(count).toLocaleString("en");
}

/** The hardware classes in words, as they stand in a sentence after "on". */
const hardwareInWords: Readonly<Record<HardwareClass, string>> = {
  cpu: "an ordinary computer without a graphics card",
  "gpu-8gb": "an 8 GB graphics card",
  "gpu-24gb": "a 24 GB graphics card",
  "apple-silicon": "a Mac with 16 GB of memory",
};

/** A device in words, as it stands in a sentence after "on". */
export function deviceInWords(device: Device): string {
  const { name, count } = device;
  const reference = referenceClass(device);
  if (reference !== undefined) {
    return hardwareInWords[reference];
  }
  // Devices without a name: a processor, or figures alone.
  const unnamed = name.replace(/^generic /, "");
  return count > 1 ? `your ${count} x ${unnamed}` : `your ${unnamed}`;
}
