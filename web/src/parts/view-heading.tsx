import type { ComponentChildren } from "preact";

/** The heading of a view. It gets the focus when the view opens inside the page. */
export function ViewHeading({ children }: { readonly children: ComponentChildren }) {
  return (
    <h1 class="view-heading" tabIndex={-1}>
      {children}
    </h1>
  );
}
