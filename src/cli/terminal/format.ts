import { type DescMessage, type MessageShape, toJson } from "@bufbuild/protobuf";
import { speedText } from "../../hardware/index.ts";
import type { Style } from "./terminal.ts";

const units = ["bytes", "kB", "MB", "GB", "TB"] as const;

/** Formats bytes in powers of ten: "512 bytes", "1.2 MB". */
export function formatBytes(bytes: number): string {
  const power = bytes < 1_000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${Number((bytes / 1_000 ** power).toPrecision(3))} ${units[power]}`;
}

/** Formats a time: "0.4 s", "12 s", "3 min 20 s", "2 h 5 min". */
export function formatDuration(ms: number): string {
  const seconds = ms / 1_000;
  if (seconds < 9.95) {
    return `${seconds.toFixed(1)} s`;
  }
  const whole = Math.round(seconds);
  if (whole < 60) {
    return `${whole} s`;
  }
  if (whole < 3_600) {
    return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  }
  return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} min`;
}

const words: Readonly<Record<string, (hardware: string) => string>> = {
  fits: (hardware) => `fits on ${hardware}`,
  tight: (hardware) => `tight on ${hardware}`,
  offload: (hardware) => `partly on ${hardware}, the rest in system memory`,
  "too-large": (hardware) => `too large for ${hardware}`,
};

/** How a model fits on hardware, such as "fits on gpu-8gb". */
export function formatFit(fit: string, hardware: string): string {
  return words[fit]?.(hardware) ?? `${fit} on ${hardware}`;
}

/** The colour of a fit. */
export function fitStyle(fit: string): Style {
  if (fit === "fits") {
    return "green";
  }
  return fit === "too-large" ? "red" : "yellow";
}

/** A range of tokens a second: "12 to 20 tokens/s", "0.8 to 1.5 tokens/s". */
export function formatSpeed({ low, high }: { low: number; high: number }): string {
  const [from, to] = [speedText(low), speedText(high)];
  return `${from === to ? from : `${from} to ${to}`} tokens/s`;
}

/** A time as RFC 3339 in UTC; undefined stays undefined. @param at in milliseconds since 1970. */
export function rfc3339(at: number): string;
export function rfc3339(at: number | undefined): string | undefined;
export function rfc3339(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString();
}

/** A time in UTC, to the minute. @param at in milliseconds since 1970. */
export function minute(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")}Z`;
}

const steps = [
  [1e12, "T"],
  [1e9, "B"],
  [1e6, "M"],
  [1e3, "k"],
] as const;

/** A count in a few characters, as model names write it: "7.6B", "244M", "131k", "512". */
export function shortCount(count: number): string {
  // 999,950 rounds to 1,000k, which is 1M.
  const step = steps.find(([size]) => count >= size * 0.9995);
  if (step === undefined) {
    return String(Math.round(count));
  }
  return `${Number((count / step[0]).toPrecision(3))}${step[1]}`;
}

/** A message in the JSON of REST: snake_case names, with empty lists and zeros, indented. */
export function toRestJson<T extends DescMessage>(schema: T, message: MessageShape<T>): string {
  return JSON.stringify(toJson(schema, message, { alwaysEmitImplicit: true, useProtoFieldName: true }), null, 2);
}
