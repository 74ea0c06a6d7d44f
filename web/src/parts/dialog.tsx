import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "./icon.tsx";

interface DialogProps {
  readonly title: string;
  /** Whether it is shown. It becomes false when the visitor closes it. */
  readonly isOpen: Signal<boolean>;
  /** Made anew each time it opens. */
  readonly children: ComponentChildren;
}

/** A modal dialog: it holds the focus, closes with Escape, and gives the focus back. */
export function Dialog({ title, isOpen, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = `${title.toLowerCase().replaceAll(" ", "-")}-title`;
  useEffect(() => {
    if (isOpen.value) {
      dialog.current?.showModal();
    } else {
      dialog.current?.close();
    }
  }, [isOpen.value]);
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby={id}
      onClose={() => {
        isOpen.value = false;
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        <button
          type="button"
          class="button is-quiet is-icon"
          aria-label="Close"
          onClick={() => dialog.current?.close()}
        >
          <Icon name="close" />
        </button>
      </header>
      {isOpen.value && children}
    </dialog>
  );
}
