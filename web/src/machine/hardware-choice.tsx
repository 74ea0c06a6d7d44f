import type { MessageInitShape } from "@bufbuild/protobuf";
import { useState } from "preact/hooks";
import type { HardwareSchema } from "../../../packages/client/src/index.ts";
import { Choice } from "../parts/field.tsx";
import { hardwareClass, hardwareClasses } from "../words/hardware.ts";
import { type MachineDraft, machineLabel, readMachine } from "./machine.ts";

/** The choice of the machine beside the classes. */
const MACHINE = "machine";
/** The class that is chosen without a machine. */
const USUAL = "gpu-24gb";

/** What a chart is drawn for. */
export interface ChosenHardware {
  readonly hardware: MessageInitShape<typeof HardwareSchema>;
  /** The class; undefined for the machine. */
  readonly classId: string | undefined;
  readonly label: string;
  /** For {@link HardwareChoice}. */
  readonly select: (value: string) => void;
  readonly machine: MachineDraft;
}

/**
 * The hardware that a visitor chose for a chart.
 *
 * @param initial the class that is chosen at first. Default: the machine, and without one the 24 GB card.
 * @param machine to choose beside the classes; an empty one for none.
 */
export function useHardwareChoice(initial: string | undefined, machine: MachineDraft): ChosenHardware {
  const [selected, select] = useState(initial);
  const device = readMachine(machine, []);
  const isMachineChosen = device !== undefined && (selected ?? MACHINE) === MACHINE;
  const classId = selected === undefined || selected === MACHINE ? USUAL : selected;
  const common = { select, machine };
  return isMachineChosen
    ? { ...common, hardware: device, classId: undefined, label: machineLabel(machine) }
    : { ...common, hardware: { class: classId }, classId, label: hardwareClass(classId)?.label ?? classId };
}

/** Chooses the machine or one of the classes. */
export function HardwareChoice({ chosen }: { readonly chosen: ChosenHardware }) {
  const { classId, machine, select } = chosen;
  const label = machineLabel(machine);
  return (
    <Choice
      label="Hardware"
      value={classId ?? MACHINE}
      options={[
        ...(label === "" ? [] : [[MACHINE, label] as const]),
        ...hardwareClasses.map((known) => [known.id, known.label] as const),
      ]}
      onChange={select}
    />
  );
}
