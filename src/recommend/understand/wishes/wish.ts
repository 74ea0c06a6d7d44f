import type { HardwareClass } from "../../../hardware/index.ts";

/** What a description can wish for beyond the task, in the contract's order. */
export const wishKinds = [
  "size",
  "hardware",
  "license",
  "language",
  "context",
  "speed",
  "privacy",
  "domain",
  "avoid",
] as const;

export type WishKind = (typeof wishKinds)[number];

interface WishBase<Kind extends WishKind> {
  kind: Kind;
  /** What is wished, as short text for the API; stable, so that `ignore` can name it. */
  value: string;
  /** The words of the description that say so, exactly as they stand there. */
  words: string;
}

/** How big the model may be. At least one of the fields is set. */
export interface SizeWish extends WishBase<"size"> {
  /** Upper bound on the download in gigabytes (10^9 bytes). */
  maxSizeGb?: number;
  /** Upper bound on the number of parameters. */
  maxParameters?: number;
  /** Lower bound on the number of parameters. */
  minParameters?: number;
  /** Told without a figure: the smaller (or larger) the better. */
  preference?: "small" | "large";
}

/** What the model has to run on. At least one of the fields is set. */
export interface HardwareWish extends WishBase<"hardware"> {
  /** The nearest class of the contract that is not stronger than what was told. */
  hardwareClass?: HardwareClass;
  /** All the memory (of the card, where one is told) in gigabytes: the told figure, else the device table's. */
  memoryGb?: number;
  /** The device told, such as laptop, browser, phone, raspberry-pi or rtx-3060. */
  device?: string;
}

/** What the licence must allow. */
export interface LicenseWish extends WishBase<"license"> {
  /** commercial, permissive, open, or a licence id of the inventory such as apache-2.0. */
  license: string;
}

/** A language that the model must handle. */
export interface LanguageWish extends WishBase<"language"> {
  /** ISO 639-1 code; `mul` (value `multilingual`) when many languages are told without naming them. */
  code: string;
  /** Where two languages are told: whether it is the one to start from or the one to come to. */
  side?: "from" | "to";
}

/** How much the model must take in at once. */
export interface ContextWish extends WishBase<"context"> {
  minTokens: number;
}

/** How quickly the model must answer. */
export interface SpeedWish extends WishBase<"speed"> {
  preference: "fast" | "realtime";
  /** Told as a figure: the least tokens a second. */
  minTokensPerSecond?: number;
  /** Told as a figure: the longest wait in milliseconds. */
  maxLatencyMs?: number;
}

/** The data must stay with the user. `value` tells how: offline, local, on-premises, no-cloud or private. */
export interface PrivacyWish extends WishBase<"privacy"> {}

/** The field of life that the model is for. */
export interface DomainWish extends WishBase<"domain"> {
  /** One of `domains` in domain.ts, the same as `value`. */
  domain: string;
}

/** What the model must not be, or must not need. `value` is `what`. */
export interface AvoidWish extends WishBase<"avoid"> {
  /** The thing in a word or two, such as chatbot, fine-tuning or llama. */
  what: string;
  /** The hub task label that it stands for. */
  task?: string;
  /** The inventory's family that it stands for. */
  family?: string;
  /** The hub owners, in lower case, that it stands for. */
  owners?: readonly string[];
}

/** One wish read from a description. */
export type Wish =
  | SizeWish
  | HardwareWish
  | LicenseWish
  | LanguageWish
  | ContextWish
  | SpeedWish
  | PrivacyWish
  | DomainWish
  | AvoidWish;

type WithoutWords<W> = W extends Wish ? Omit<W, "words"> : never;

/** A wish as the readers of one kind find it: the words are told as token positions, both included. */
export interface Found {
  wish: WithoutWords<Wish>;
  from: number;
  to: number;
}
