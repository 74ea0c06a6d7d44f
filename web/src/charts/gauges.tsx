import { scoreText } from "../words/formats.ts";

/** A bar in proportion to the largest value of a list. Hidden from screen readers: the number is beside it. */
export function Bar({ value, most, tone }: { readonly value: number; readonly most: number; readonly tone: string }) {
  return (
    <svg class={`bar ${tone}`} width="100%" height={10} aria-hidden="true">
      <rect width={`${(100 * value) / Math.max(most, 1)}%`} height={10} rx={2} />
    </svg>
  );
}

const TICKS = 25;
const STEP = 5;

/** A score from 0 to 1, as a number and a row of ticks. */
export function Score({ score }: { readonly score: number }) {
  return (
    <p class="score">
      <b>{scoreText(score)}</b>
      <span class="visually-hidden"> of 1</span>
      <ScoreGauge score={score} />
    </p>
  );
}

/** A row of ticks. Hidden from screen readers: the number is beside it. */
function ScoreGauge({ score }: { readonly score: number }) {
  const filled = Math.round(score * TICKS);
  return (
    <svg class="score-gauge" width={TICKS * STEP} height={14} aria-hidden="true">
      {Array.from({ length: TICKS }, (_, i) => (
        <rect
          key={i}
          class={i < filled ? "is-filled" : undefined}
          x={i * STEP}
          y={i % 5 === 4 ? 0 : 4}
          width={2.5}
          height={i % 5 === 4 ? 14 : 10}
        />
      ))}
    </svg>
  );
}
