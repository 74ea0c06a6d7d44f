import { effect, signal } from "@preact/signals";
import { readStored, removeStored, writeStored } from "../state/settings.ts";
import { emptyMachine, isMachine, type MachineDraft } from "./machine.ts";

const NAME = "modelscout.machine";

/** The visitor's own machine, kept in this browser; empty if none is set. */
export const myMachine = signal<MachineDraft>(storedMachine());

effect(() => {
  if (isMachine(myMachine.value)) {
    writeStored("browser", NAME, JSON.stringify(myMachine.value));
  } else {
    removeStored("browser", NAME);
  }
});

/** What is stored, if it is a machine. */
function storedMachine(): MachineDraft {
  try {
    const stored: Record<string, unknown> = JSON.parse(readStored("browser", NAME) ?? "{}");
    const known = Object.keys(emptyMachine).map((name) => [name, typeof stored[name] === "string" ? stored[name] : ""]);
    return Object.fromEntries(known);
  } catch {
    // Written by another program.
    return emptyMachine;
  }
}
