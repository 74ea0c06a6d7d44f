/** Says that something is loading. */
export function Waiting({ what }: { readonly what: string }) {
  return (
    <p class="waiting">
      <span class="pulse" aria-hidden="true" />
      {what}
    </p>
  );
}
