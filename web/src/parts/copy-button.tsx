import { useState } from "preact/hooks";
import { Icon } from "./icon.tsx";
import { announce } from "./view-frame.tsx";

const SHOWN_MS = 2_000;

/** A button that copies a text. `what` says what it is: "the curl call". */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    const done = await copyText(text);
    announce(done ? `Copied ${what}.` : "The browser does not allow copying; select the text instead.");
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

/** @returns whether the text is on the clipboard. */
async function copyText(text: string): Promise<boolean> {
  try {
    // navigator.clipboard is absent unless the page came over TLS or from loopback.
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
