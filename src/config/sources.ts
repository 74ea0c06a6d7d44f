import { Cron } from "croner";
import { didYouMean } from "../text/index.ts";
import { type Environment, type Fault, isPlainAddress, webAddress } from "./environment.ts";
import { type BoardPublisher, boardPublishers, type SourceName, sourceNames } from "./source-names.ts";

// Reads the settings of the sources of models. Config says what each setting means.

export function hubToken(env: Environment, fault: Fault): string | undefined {
  const value = env.HF_TOKEN?.trim();
  if (!value) {
    return undefined;
  }
  // It is sent in a header.
  if (/^[\x21-\x7e]{1,500}$/.test(value)) {
    return value;
  }
  fault("HF_TOKEN", "a token of printable characters without blanks, such as hf_…");
  return undefined;
}

export function localAiUrl(env: Environment, fault: Fault): string | undefined {
  const value = env.MODELSCOUT_LOCALAI_URL?.trim();
  if (!value) {
    return undefined;
  }
  // Anything else is a file, which is opened when it is read.
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(value) && !value.startsWith("file://")
    ? webAddress(env, fault, "MODELSCOUT_LOCALAI_URL", "https://example.com/index.yaml")
    : value;
}

export function boardUrls(env: Environment, fault: Fault): Partial<Record<BoardPublisher, string>> {
  const urls: Partial<Record<BoardPublisher, string>> = {};
  const faults: string[] = [];
  for (const pair of (env.MODELSCOUT_BOARD_URLS ?? "").split(/\s+/).filter((word) => word !== "")) {
    const [, name = pair, url = ""] = /^([^=]*)=(.*)$/.exec(pair) ?? [];
    const publisher = boardPublishers.find((known) => known === name);
    if (publisher === undefined) {
      faults.push(`there is no publisher ${name}${didYouMean(name, boardPublishers)}`);
    } else if (url === "off" || isPlainAddress(url)) {
      urls[publisher] = url;
    } else {
      faults.push(`the value of ${name} is neither off nor an http or https URL without a user`);
    }
  }
  if (faults.length > 0) {
    const allowed = `publishers (${boardPublishers.join(", ")}), each with = and a URL or off, such as timm=https://example.com/timm lmarena=off`;
    fault("MODELSCOUT_BOARD_URLS", `${allowed}; ${faults.join("; ")}`);
  }
  return urls;
}

/** The value of MODELSCOUT_SYNC: when the server syncs which sources. */
export interface SyncSetting {
  cron: string;
  sources: readonly SourceName[];
}

/** A word of a cron expression: numbers and signs, names of days and months, and nicknames. */
const cronWord =
  /^(?:@[a-z]+|(?:[\d*?/#,LW+-]|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)+)$/i;

export function syncSetting(env: Environment, fault: Fault): SyncSetting | undefined {
  const value = env.MODELSCOUT_SYNC?.trim();
  if (!value || value === "off") {
    return undefined;
  }
  const words = value.split(/\s+/);
  const end = words.findIndex((word) => !cronWord.test(word));
  const named = end < 0 ? [] : words.slice(end);
  const sources = sourceNames.filter((name) => named.includes(name));
  const cron = words.slice(0, words.length - named.length).join(" ");
  const faults = named
    .filter((word) => !(sourceNames as readonly string[]).includes(word))
    .map((word) => `there is no source ${word}${didYouMean(word, sourceNames)}`);
  if (named.length === 0) {
    faults.push("it has no source");
  }
  try {
    if (cron === "") {
      faults.push("it has no cron expression");
    } else if (new Cron(cron, { paused: true }).nextRun() === null) {
      faults.push(`${JSON.stringify(cron)} never occurs`);
    }
  } catch (error) {
    faults.push((error as Error).message);
  }
  if (faults.length === 0) {
    return { cron, sources };
  }
  const allowed = `a cron expression and sources (${sourceNames.join(", ")}), such as 0 3 * * * huggingface localai, or off`;
  fault("MODELSCOUT_SYNC", `${allowed}; ${faults.join("; ")}`);
  return undefined;
}
