import type { ComponentChildren } from "preact";

interface ScrollBoxProps {
  /** Name of the content, for screen readers. */
  readonly label: string;
  readonly children: ComponentChildren;
}

/** Lets content that is wider than the page scroll sideways, by touch, wheel and keyboard. */
export function ScrollBox({ label, children }: ScrollBoxProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
    <div class="scroll-box" role="group" aria-label={label} tabIndex={0}>
      {children}
    </div>
  );
}
