/** `tab`: until the tab is closed. `browser`: until the visitor deletes it. */
type Lifetime = "tab" | "browser";

function storage(lifetime: Lifetime): Storage {
  return lifetime === "tab" ? sessionStorage : localStorage;
}

// Browsers that block storage throw. The page then works without it.

/** The text stored under a name, if any. */
export function readStored(lifetime: Lifetime, name: string): string | undefined {
  try {
    return storage(lifetime).getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores a text, if the browser allows it. */
export function writeStored(lifetime: Lifetime, name: string, text: string): void {
  try {
    storage(lifetime).setItem(name, text);
  } catch {
    // Blocked or full.
  }
}

/** Deletes the text stored under a name. */
export function removeStored(lifetime: Lifetime, name: string): void {
  try {
    storage(lifetime).removeItem(name);
  } catch {
    // Blocked, so nothing is stored.
  }
}
