/** A bar in proportion to the largest value of a list. Hidden from screen readers: the number is beside it. */
export function Bar({ value, most, tone }: { readonly value: number; readonly most: number; readonly tone: string }) {
  return (
    <svg class={`bar ${tone}`} width="100%" height={10} aria-hidden="true">
      <rect width={`${(100 * value) / Math.max(most, 1)}%`} height={10} rx={2} />
    </svg>
  );
}
