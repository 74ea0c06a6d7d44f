import type { HardwareClass, HardwareFields } from "../../../hardware/index.ts";
import type { Capability } from "../../../inventory/index.ts";

/** The kinds of wishes that a description can express besides the task, in the contract's order. */
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
  "capability",
  "family",
  "unavailable",
  "priority",
] as const;

/** What can decide between suitable models, in the contract's order. */
export const priorities = ["balanced", "quality", "speed", "size"] as const;

export type Priority = (typeof priorities)[number];

export type WishKind = (typeof wishKinds)[number];

interface WishBase<Kind extends WishKind> {
  kind: Kind;
  /** The wish as short text for the API. It is stable, so that `ignore` can name it. */
  value: string;
  /** The words of the description that express the wish, unchanged. */
  words: string;
}

/** The size that the model may have. At least one of the fields is set. */
export interface SizeWish extends WishBase<"size"> {
  /** Upper bound on the download in gigabytes (10^9 bytes). */
  maxSizeGb?: number;
  /** Upper bound on the number of parameters. */
  maxParameters?: number;
  /** Lower bound on the number of parameters. */
  minParameters?: number;
  /** The number of parameters, where the description gives no bound: "a 7B model". */
  aboutParameters?: number;
  /** Set when the description gives no figure: small or large. */
  preference?: "small" | "large";
}

/** The hardware that the model must run on. At least one of the fields is set. */
export interface HardwareWish extends WishBase<"hardware"> {
  /** The strongest class of the contract that is not stronger than the described hardware. */
  hardwareClass?: HardwareClass;
  /**
   * The memory in gigabytes, of the card if one is named: the figure of the description, or else of the table of devices.
   */
  memoryGb?: number;
  /** The named device, such as laptop, browser, phone, raspberry-pi or rtx-3060. */
  device?: string;
  /** The hardware as estimates take it, if it is known better than by its class. */
  machine?: HardwareFields;
}

/** The licence that the model must have, or what it must allow. */
export interface LicenseWish extends WishBase<"license"> {
  /** commercial, permissive, open, or a licence id of the inventory such as apache-2.0. */
  license: string;
}

/** A language that the model must handle. */
export interface LanguageWish extends WishBase<"language"> {
  /**
   * The ISO 639-1 code; ISO 639-3 for a language that has none; `mul`, with the value `multilingual`, for many languages
   * that are not named.
   */
  code: string;
  /** In a translation: whether it is the source language (`from`) or the target language (`to`). */
  side?: "from" | "to";
}

/** The context length that the model must accept. */
export interface ContextWish extends WishBase<"context"> {
  minTokens: number;
}

/** The speed that the model must have. */
export interface SpeedWish extends WishBase<"speed"> {
  preference: "fast" | "realtime";
  /** The least tokens a second, if the description gives them. */
  minTokensPerSecond?: number;
  /** The longest wait in milliseconds, if the description gives it. */
  maxLatencyMs?: number;
  /** The images a second that the description gives: "at 30 fps". */
  framesPerSecond?: number;
  /** The items a second that the description gives, such as texts or images: "2 million lines a night". */
  itemsPerSecond?: number;
}

/** The data must stay with the user. `value` is offline, local, on-premises, no-cloud or private. */
export interface PrivacyWish extends WishBase<"privacy"> {}

/** The domain that the model is for. */
export interface DomainWish extends WishBase<"domain"> {
  /** One of `domains` in domain.ts, the same as `value`. */
  domain: string;
}

/** Something that the model must not be, or must not require. `value` is `what`. */
export interface AvoidWish extends WishBase<"avoid"> {
  /** The thing in a word or two, such as chatbot, fine-tuning or llama. */
  what: string;
  /** The hub task label that `what` stands for. */
  task?: string;
  /** The inventory's family that `what` stands for. */
  family?: string;
  /** The hub owners, in lower case, that `what` stands for. */
  owners?: readonly string[];
}

/** What the model must be able to do beside its task. `value` is the capability. */
export interface CapabilityWish extends WishBase<"capability"> {
  capability: Capability;
}

/** The family that the model must belong to. `value` is the family, as in the inventory. */
export interface FamilyWish extends WishBase<"family"> {
  family: string;
}

/**
 * Something that no open model has, as far as any source says. `value` is `approval`, `legal-force`, or the name of a
 * model whose weights are not published.
 */
export interface UnavailableWish extends WishBase<"unavailable"> {}

/** What matters most among suitable models. `value` is the priority. */
export interface PriorityWish extends WishBase<"priority"> {
  priority: Priority;
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
  | AvoidWish
  | CapabilityWish
  | FamilyWish
  | UnavailableWish
  | PriorityWish;

type WithoutWords<W> = W extends Wish ? Omit<W, "words"> : never;

/** A wish as a rule finds it, with its words as token positions, both inclusive. */
export interface Found {
  wish: WithoutWords<Wish>;
  from: number;
  to: number;
}
