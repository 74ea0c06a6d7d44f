import type { Style } from "./terminal.ts";

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
  if (fit === "fits") return "green";
  return fit === "too-large" ? "red" : "yellow";
}
