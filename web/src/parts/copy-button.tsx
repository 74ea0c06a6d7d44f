import { useState } from "preact/hooks";
import { announce } from "../state/announcement.ts";
import { Icon } from "./icon.tsx";

const SHOWN_MS = 2_000;

/** Copies a text. */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    const done = await copyText(text);
    announce(done ? `${what} copied.` : "The browser does not allow copying; select the text instead.");
    setIsCopied(done);
    setTimeout(() => setIsCopied(false), SHOWN_MS);
  };
  return (
    <button type="button" class="button is-small" aria-label={`Copy ${what}`} onClick={copy}>
      <Icon name={isCopied ? "check" : "copy"} />
      {isCopied ? "Copied" : "Copy"}
    </button>
  );
}

/** @returns whether it is on the clipboard. */
async function copyText(text: string): Promise<boolean> {
  try {
    // Absent where the page came neither over TLS nor from this computer.
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
