import type { Understood, Wish } from "../../../../packages/client/src/index.ts";
import type { NeedDraft } from "../../need/need-draft.ts";
import { Icon } from "../../parts/icon.tsx";
import { announce } from "../../parts/view-frame.tsx";
import { navigate } from "../../state/navigation.ts";
import { formatRoute } from "../../state/route.ts";
import { hardwareClass } from "../../words/hardware.ts";
import { languageName, taskLabel } from "../../words/names.ts";
import { wishLabel } from "../../words/need.ts";
import { markedWords } from "./marked-words.ts";

interface UnderstoodPanelProps {
  readonly understood: Understood;
  readonly need: NeedDraft;
}

/** What was understood: the need with its wishes marked, and chips that drop a wish. */
export function UnderstoodPanel({ understood: { tasks, wishes }, need }: UnderstoodPanelProps) {
  const setIgnore = (ignore: readonly string[], message: string) => {
    announce(message);
    navigate({ view: "search", need: { ...need, ignore } });
  };
  const isIgnored = (wish: Wish) => ignoring(wish, need.ignore).length > 0;
  return (
    <section class="understood" aria-labelledby="understood-title">
      <h2 id="understood-title">Understood</h2>
      <blockquote>
        {markedWords(
          need.description,
          wishes.map(({ words }) => words),
        ).map(({ text, index }, i) => {
          const wish = index === undefined ? undefined : wishes[index];
          if (wish === undefined) {
            return text;
          }
          return (
            <mark key={i} class={isIgnored(wish) ? "is-ignored" : undefined}>
              {text}
            </mark>
          );
        })}
      </blockquote>
      <ul class="chips">
        {tasks.map(({ task, taskType, confidence }) => (
          <li key={`${task} ${taskType}`}>
            <a
              class={`chip type-${taskType}`}
              href={formatRoute({ view: "task", task: taskType === "code" ? "code" : task })}
            >
              <span class="chip-kind">{taskType}</span>
              {taskLabel(task)}
              <Confidence value={confidence} />
            </a>
          </li>
        ))}
        {wishes.map((wish) => (
          <li key={`${wish.kind}:${wish.value}`}>
            {isIgnored(wish) ? (
              <span class="chip is-ignored">
                <s>
                  {wishLabel(wish.kind)} {wishValue(wish)}
                </s>
                <button
                  type="button"
                  aria-label={`Use again: ${wishLabel(wish.kind)} ${wishValue(wish)}`}
                  title="Use this wish again"
                  onClick={() => {
                    const others = ignoring(wish, need.ignore);
                    setIgnore(
                      need.ignore.filter((entry) => !others.includes(entry)),
                      "The wish counts again.",
                    );
                  }}
                >
                  <Icon name="redo" />
                </button>
              </span>
            ) : (
              <span class="chip is-wish">
                <span class="chip-kind">{wishLabel(wish.kind)}</span>
                {wishValue(wish)}
                <button
                  type="button"
                  aria-label={`Ignore: ${wishLabel(wish.kind)} ${wishValue(wish)}`}
                  title="Ignore this wish"
                  onClick={() => setIgnore([...need.ignore, `${wish.kind}:${wish.value}`], "The wish is ignored.")}
                >
                  <Icon name="close" />
                </button>
              </span>
            )}
          </li>
        ))}
      </ul>
      {tasks.length === 0 && wishes.length === 0 && (
        <p class="hint">
          No task or wish was recognised. Say more about the work: what goes in, what comes out, and where it runs.
        </p>
      )}
    </section>
  );
}

function Confidence({ value }: { readonly value: number }) {
  return (
    <span class="confidence">
      <svg width="28" height="5" aria-hidden="true">
        <rect class="confidence-all" width="28" height="5" rx="2.5" />
        <rect class="confidence-part" width={28 * value} height="5" rx="2.5" />
      </svg>
      <span class="visually-hidden">confidence </span>
      {Math.round(100 * value)} %
    </span>
  );
}

/** The entries of `ignore` that match a wish: its kind, or its kind and value. */
export function ignoring({ kind, value }: Wish, ignore: readonly string[]): string[] {
  return ignore.filter((entry) => entry === kind || entry === `${kind}:${value}`);
}

function wishValue({ kind, value }: Wish): string {
  if (kind === "language") {
    return languageName(value);
  }
  if (kind === "hardware") {
    return hardwareClass(value)?.label ?? value;
  }
  return value;
}
