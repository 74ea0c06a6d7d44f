import { useEffect, useRef, useState } from "preact/hooks";
import type { ModelSummary } from "../../../packages/client/src/index.ts";
import { calls } from "../api/calls.ts";
import { useCall } from "../api/use-call.ts";
import { countOf, shortCount } from "../words/formats.ts";
import { taskLabel } from "../words/names.ts";
import { announce } from "./view-frame.tsx";

interface ModelSearchProps {
  /** Begins the ids of the parts. */
  readonly id: string;
  readonly label: string;
  readonly placeholder: string;
  /** A model was chosen from the list. */
  readonly onPick: (name: string) => void;
  /** Enter was pressed without a choice. */
  readonly onEnter: (text: string) => void;
}

/** Preact's types ask for a `list`; this field has its own. */
const noList = { list: undefined };

/** Time without a key press before the search begins. */
const PAUSE_MS = 150;
/** Models in the list. */
const MOST_SHOWN = 8;

/**
 * Finds models by name as one types. It follows the combobox pattern of WAI-ARIA: the focus stays in the field, arrows
 * move through the list, Enter chooses, and Escape closes the list, then empties the field.
 */
export function ModelSearch({ id, label, placeholder, onPick, onEnter }: ModelSearchProps) {
  const [text, setText] = useState("");
  const [isWanted, setIsWanted] = useState(false);
  const [active, setActive] = useState(-1);
  const box = useRef<HTMLDivElement>(null);
  const asked = usePaused(text.trim(), PAUSE_MS);
  const { answer, error, isLoading } = useCall(asked === "" ? undefined : calls.findModels(asked, MOST_SHOWN));
  const isTyped = text.trim() !== "";
  const found = isTyped && asked !== "" ? (answer?.models ?? []) : [];
  const isSettled = asked === text.trim() && !isLoading && (answer !== undefined || error !== undefined);
  const isOpen = isWanted && isTyped && (found.length > 0 || isSettled);

  useEffect(() => {
    setActive(-1);
    if (isWanted && isTyped && isSettled && answer !== undefined) {
      announce(answer.total === 0 ? "No model found." : `${countOf(answer.total, "model")} found.`);
    }
  }, [answer, isSettled]);

  const close = () => {
    setIsWanted(false);
    setActive(-1);
  };
  const pick = (model: ModelSummary) => {
    setText("");
    close();
    onPick(model.name);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) {
      return;
    }
    const last = found.length - 1;
    switch (event.key) {
      case "ArrowDown":
        event.preventDefault();
        setIsWanted(true);
        setActive(active >= last ? 0 : active + 1);
        break;
      case "ArrowUp":
        event.preventDefault();
        setIsWanted(true);
        setActive(active <= 0 ? last : active - 1);
        break;
      case "Enter": {
        event.preventDefault();
        const model = isOpen ? found[active] : undefined;
        if (model !== undefined) {
          pick(model);
        } else if (isTyped) {
          close();
          onEnter(text.trim());
          setText("");
        }
        break;
      }
      case "Escape":
        if (isOpen) {
          event.preventDefault();
          close();
        } else {
          setText("");
        }
        break;
    }
  };
  return (
    <div
      ref={box}
      class="model-search"
      onFocusOut={(event) => {
        if (!box.current?.contains(event.relatedTarget as Node | null)) {
          close();
        }
      }}
    >
      <label for={id}>{label}</label>
      <input
        id={id}
        type="search"
        role="combobox"
        aria-autocomplete="list"
        {...noList}
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-activedescendant={isOpen && found[active] !== undefined ? `${id}-${active}` : undefined}
        value={text}
        placeholder={placeholder}
        maxLength={200}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setIsWanted(true);
        }}
        onKeyDown={onKeyDown}
      />
      <div class="model-search-list" hidden={!isOpen}>
        <div id={`${id}-list`} role="listbox" aria-label="Models found" hidden={found.length === 0}>
          {isOpen &&
            found.map((model, i) => (
              // The field has the focus and its keys choose.
              // biome-ignore lint/a11y/useKeyWithClickEvents: see above.
              // biome-ignore lint/a11y/useFocusableInteractive: see above.
              <div
                key={model.name}
                id={`${id}-${i}`}
                role="option"
                aria-selected={i === active}
                // Keeps the focus in the field.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => pick(model)}
              >
                <b>{model.name}</b>
                <span class="sub">
                  {[
                    model.taskTypes[0] && taskLabel(model.taskTypes[0]),
                    model.parameters && `${shortCount(model.parameters)} parameters`,
                  ]
                    .filter(Boolean)
                    .join(", ")}
                </span>
              </div>
            ))}
        </div>
        {isOpen && found.length === 0 && (
          <p class="hint">{error === undefined ? "No model found." : "The search does not work right now."}</p>
        )}
      </div>
    </div>
  );
}

/** A value once it has not changed for a time. The first value, and an empty text, come at once. */
function usePaused(value: string, ms: number): string {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    if (value === "") {
      setPaused(value);
      return;
    }
    const timer = setTimeout(() => setPaused(value), ms);
    return () => clearTimeout(timer);
  }, [value]);
  return paused;
}
