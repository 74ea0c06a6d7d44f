import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import type { CallError } from "../api/call-error.ts";
import { answerCache } from "../api/use-call.ts";
import { apiKey, type Protocol, protocol, protocols } from "../state/settings.ts";
import { Dialog } from "./dialog.tsx";
import { describedBy, Field } from "./field.tsx";
import { QuotaMeter } from "./quota-meter.tsx";

const isOpen = signal(false);

/** Opens the dialog for key and protocol. */
export const connectionDialog = {
  open(): void {
    isOpen.value = true;
  },
};

const protocolNames: Record<Protocol, string> = { connect: "Connect", "grpc-web": "gRPC-Web" };

/** The dialog for key and protocol. `error` is the service's error about the key. */
export function ConnectionDialog({ error }: { readonly error: CallError | undefined }) {
  return (
    <Dialog title="Connection" isOpen={isOpen}>
      <KeyForm error={error} />
      <fieldset class="choices">
        <legend>Protocol</legend>
        {protocols.map((name) => (
          <label key={name}>
            <input
              type="radio"
              name="protocol"
              checked={protocol.value === name}
              onChange={() => {
                protocol.value = name;
              }}
            />
            {protocolNames[name]}
          </label>
        ))}
      </fieldset>
      <p class="hint">
        This page uses only the generated TypeScript client, over the protocol chosen here. Your own programs can get
        everything that it shows.
      </p>
    </Dialog>
  );
}

function KeyForm({ error }: { readonly error: CallError | undefined }) {
  const [text, setText] = useState(apiKey.value);
  const problem = error?.kind === "key" ? error.message : undefined;
  const hint = "The key is kept only until this tab is closed, and sent only in the x-api-key header.";
  const save = (key: string) => {
    setText(key);
    if (key === apiKey.value) {
      return;
    }
    answerCache.clear();
    apiKey.value = key;
  };
  return (
    <form
      class="key-form"
      onSubmit={(event) => {
        event.preventDefault();
        save(text.trim());
      }}
    >
      <Field id="api-key" label="API key" hint={hint} problem={problem}>
        <input
          {...describedBy({ id: "api-key", hint, problem })}
          type="password"
          autocomplete="off"
          spellcheck={false}
          placeholder="ms_live_…"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </Field>
      <p class="row">
        <button type="submit" class="button is-primary">
          Use this key
        </button>
        <button type="button" class="button" disabled={apiKey.value === ""} onClick={() => save("")}>
          Remove key
        </button>
        <QuotaMeter />
      </p>
    </form>
  );
}
