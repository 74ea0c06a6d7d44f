import { useRef, useState } from "preact/hooks";
import type { Call } from "../api/calls.ts";
import { curlSnippet, grpcSnippet, KEY_VARIABLE, typescriptSnippet } from "../api/snippets.ts";
import { apiKey } from "../state/settings.ts";
import { CopyButton } from "./copy-button.tsx";

const forms = [
  { id: "curl", label: "curl", snippet: curlSnippet },
  { id: "grpc", label: "gRPC", snippet: grpcSnippet },
  { id: "typescript", label: "TypeScript", snippet: typescriptSnippet },
] as const;

/** The call behind the current view, to copy: curl, gRPC and TypeScript. It never contains the key. */
export function CallPanel({ call }: { readonly call: Call }) {
  const [chosen, setChosen] = useState(0);
  const tabs = useRef<(HTMLButtonElement | null)[]>([]);
  const form = forms[chosen] as (typeof forms)[number];
  const text = form.snippet(call, { baseUrl: location.origin, hasKey: apiKey.value !== "" });
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) {
      return;
    }
    const next = (chosen + step + forms.length) % forms.length;
    setChosen(next);
    tabs.current[next]?.focus();
  };
  return (
    <section class="call-panel" aria-labelledby="call-title">
      <header>
        <h2 id="call-title">The same call from your own program</h2>
        <div role="tablist" aria-label="Format of the call">
          {forms.map(({ id, label }, i) => (
            <button
              key={id}
              ref={(element) => {
                tabs.current[i] = element;
              }}
              type="button"
              role="tab"
              id={`call-tab-${id}`}
              aria-selected={i === chosen}
              aria-controls="call-text"
              tabIndex={i === chosen ? 0 : -1}
              onClick={() => setChosen(i)}
              onKeyDown={move}
            >
              {label}
            </button>
          ))}
        </div>
        <CopyButton text={text} what={`the ${form.label} call`} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard. */}
      <div id="call-text" role="tabpanel" aria-labelledby={`call-tab-${form.id}`} tabIndex={0}>
        <pre>
          <code>{text}</code>
        </pre>
      </div>
      {apiKey.value !== "" && (
        <p class="hint">
          Your key is not shown: set the environment variable <code>{KEY_VARIABLE}</code>.
        </p>
      )}
    </section>
  );
}
