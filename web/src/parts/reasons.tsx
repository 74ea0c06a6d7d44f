import { useState } from "preact/hooks";
import { Icon } from "./icon.tsx";

interface ReasonsProps {
  /** Reasons for a model, or against it. */
  readonly kind: "reasons" | "tradeoffs";
  /** Heading of the list. Default: none. */
  readonly title?: string;
  /** Full sentences, the most important first. */
  readonly sentences: readonly string[];
  /** How many sentences are shown at first. */
  readonly shown: number;
}

/** Reasons for or against a model. A button shows those beyond the first ones. */
export function Reasons({ kind, title, sentences, shown }: ReasonsProps) {
  const [isOpen, setIsOpen] = useState(false);
  const more = sentences.length - shown;
  return (
    <section class={`sentences is-${kind}`}>
      {title !== undefined && <h4>{title}</h4>}
      <ul>
        {(isOpen ? sentences : sentences.slice(0, shown)).map((sentence) => (
          <li key={sentence}>
            <Icon name={kind === "reasons" ? "check" : "minus"} />
            {sentence}
          </li>
        ))}
      </ul>
      {more > 0 && (
        <button type="button" class="more" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? "Show fewer" : `Show ${more} more`}
        </button>
      )}
    </section>
  );
}
