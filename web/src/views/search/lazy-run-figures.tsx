import { useState } from "preact/hooks";
import { calls } from "../../api/calls.ts";
import { useCall } from "../../api/use-call.ts";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import { RunFigures } from "../model/run-figures.tsx";

interface LazyRunFiguresProps {
  readonly name: string;
  readonly hardware: string | undefined;
  /** Whether it is open from the start. */
  readonly isFirst: boolean;
}

/** Where there is no room, charts stay closed until they are asked for. */
const hasRoom = matchMedia("(min-width: 860px)");

/** The charts of how a model would run, asked for when they are opened. */
export function LazyRunFigures({ name, hardware, isFirst }: LazyRunFiguresProps) {
  const [isOpen, setIsOpen] = useState(isFirst && hasRoom.matches);
  const { answer, error, retry } = useCall(isOpen ? calls.model(name) : undefined);
  return (
    <details class="how-it-runs" open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>How it would run</summary>
      {isOpen && error !== undefined && <ErrorNotice error={error} retry={retry} />}
      {isOpen && answer === undefined && error === undefined && <Waiting what="Asking for its figures …" />}
      {isOpen && answer !== undefined && <RunFigures entry={answer} hardware={hardware} />}
    </details>
  );
}
