/** The name and its mark: a viewfinder on a point. */
export function Logo() {
  return (
    <a class="logo" href="/">
      <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
        <path d="M8 12V8h4M20 8h4v4M24 20v4h-4M12 24H8v-4" />
        <circle cx="16" cy="16" r="4" />
      </svg>
      modelscout
    </a>
  );
}
