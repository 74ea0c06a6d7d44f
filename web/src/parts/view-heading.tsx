import type { ComponentChildren } from "preact";

/** The heading of a view. It takes the focus when the view is opened from within the page. */
export function ViewHeading({ children }: { readonly children: ComponentChildren }) {
  return (
    <h1 class="view-heading" tabIndex={-1}>
      {children}
    </h1>
  );
}
