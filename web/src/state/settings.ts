import { effect, signal } from "@preact/signals";
import { readStored, removeStored, writeStored } from "./stored.ts";

export const protocols = ["connect", "grpc-web"] as const;
/** The protocol of the page's calls. */
export type Protocol = (typeof protocols)[number];

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const names = { key: "modelscout.key", protocol: "modelscout.protocol", theme: "modelscout.theme" } as const;

/** The API key, empty for none. It is kept for this tab and sent only as a header, never in an address. */
export const apiKey = signal(readStored("tab", names.key) ?? "");

export const protocol = signal<Protocol>(oneOf(protocols, readStored("browser", names.protocol)));

export const theme = signal<Theme>(oneOf(themes, readStored("browser", names.theme)));

effect(() => {
  if (apiKey.value === "") {
    removeStored("tab", names.key);
  } else {
    writeStored("tab", names.key, apiKey.value);
  }
});
effect(() => writeStored("browser", names.protocol, protocol.value));
effect(() => {
  writeStored("browser", names.theme, theme.value);
  if (theme.value === "system") {
    delete document.documentElement.dataset.theme;
  } else {
    document.documentElement.dataset.theme = theme.value;
  }
});

/** The value if it is known, otherwise the first known one. */
function oneOf<T extends string>(known: readonly [T, ...T[]] | readonly T[], value: string | undefined): T {
  return known.find((one) => one === value) ?? (known[0] as T);
}
