import { useState } from "preact/hooks";
import type { ModelEntry, RunCommand } from "../../../../packages/client/src/index.ts";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Choice } from "../../parts/field.tsx";
import { pageAddress } from "../../words/names.ts";

/** How to start a model, with each engine that takes it. */
export function RunCommands({ entry: { run, gated } }: { readonly entry: ModelEntry }) {
  const engines = [...new Set(run.map(({ engine }) => engine))];
  const [chosen, setChosen] = useState(engines[0]);
  if (run.length === 0) {
    return null;
  }
  const engine = engines.find((known) => known === chosen) ?? engines[0];
  const address = pageAddress(run.find((command) => command.engine === engine)?.url);
  return (
    <section class="panel" aria-labelledby="run-title">
      <header class="panel-head">
        <h2 id="run-title">Run it</h2>
        <Choice
          label="Engine"
          value={engine ?? ""}
          options={engines.map((name) => [name, name] as const)}
          onChange={setChosen}
        />
      </header>
      {gated === true && <p class="hint">The model's page asks you to accept its terms before the download.</p>}
      <ul class="command-list">
        {run
          .filter((command) => command.engine === engine)
          .map((command) => (
            <li key={command.command}>
              <Command command={command} />
            </li>
          ))}
      </ul>
      {address !== undefined && (
        <p class="command-about">
          <a href={address} target="_blank" rel="noreferrer">
            About {engine}
            <span class="visually-hidden">, opens a new tab</span>
          </a>
        </p>
      )}
    </section>
  );
}

function Command({ command: { engine, command, quantization, repository, note } }: { readonly command: RunCommand }) {
  const variant = [quantization, repository].filter(Boolean).join(" from ");
  return (
    <>
      <header>
        <p>{variant === "" ? engine : <span class="mono">{variant}</span>}</p>
        <CopyButton text={command} what={`the command for ${engine}${variant === "" ? "" : ` with ${variant}`}`} />
      </header>
      {note !== undefined && <p class="hint">{note}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard. */}
      <pre tabIndex={0}>
        <code>{command}</code>
      </pre>
    </>
  );
}
