import { useState } from "preact/hooks";
import type { ModelEntry } from "../../../../packages/client/src/index.ts";
import { calls } from "../../api/calls.ts";
import { useCall } from "../../api/use-call.ts";
import { useEstimates } from "../../api/use-estimates.ts";
import { MemoryChart } from "../../charts/memory-chart.tsx";
import { SpeedChart } from "../../charts/speed-chart.tsx";
import { HardwareChoice, useHardwareChoice } from "../../machine/hardware-choice.tsx";
import { type MachineDraft, machineLabel, readMachine } from "../../machine/machine.ts";
import { MachineLink } from "../../machine/machine-dialog.tsx";
import { myMachine } from "../../machine/my-machine.ts";
import { Choice } from "../../parts/field.tsx";
import { Waiting } from "../../parts/view-frame.tsx";
import { count } from "../../words/formats.ts";
import { hardwareClasses } from "../../words/hardware.ts";
import { FitTable } from "./fit-table.tsx";

/** Most bars in the chart. */
const MAX_BARS = 10;
const CONTEXTS = [2_048, 8_192, 32_768, 131_072];

interface RunFiguresProps {
  readonly entry: ModelEntry;
  /** The class that is chosen at first. Default: the machine, and without one the 24 GB card. */
  readonly hardware?: string | undefined;
  /** A machine to show beside the classes. Default: the visitor's own. */
  readonly machine?: MachineDraft | undefined;
}

/** How a model would run: memory by quantization beside the hardware classes, and expected speeds as ranges. */
export function RunFigures({ entry, hardware, machine = myMachine.value }: RunFiguresProps) {
  const device = readMachine(machine, []);
  const label = machineLabel(machine);
  const chosen = useHardwareChoice(hardware, machine);
  const [context, setContext] = useState<number>();
  const quantizations = drawnQuantizations(entry.variants.map(({ quantization }) => quantization));
  const query = {
    modelName: entry.name,
    quantizations,
    hardware: chosen.hardware,
    contextLength: context,
  };
  const estimates = useEstimates(quantizations.length > 0 ? query : undefined);
  const { answer } = useCall(device && calls.estimate({ modelName: entry.name, hardware: device }));
  const onMachine = device === undefined ? undefined : answer;
  const contexts = contextsOf(entry);
  const speeds = hardwareClasses.flatMap(({ id, short }) => {
    const estimate = entry.hardware.find((one) => one.hardware === id);
    return estimate?.tokensPerSecond
      ? [{ label: `${short} ${estimate.quantization}`, speed: estimate.tokensPerSecond }]
      : [];
  });
  if (onMachine?.tokensPerSecond !== undefined) {
    speeds.unshift({ label: `${label} ${onMachine.quantization}`, speed: onMachine.tokensPerSecond });
  }
  return (
    <div class="run-figures">
      {quantizations.length > 0 && (
        <figure>
          <figcaption>
            <h3>Memory by quantization</h3>
            <div class="figure-tools">
              <MachineLink />
              <HardwareChoice chosen={chosen} />
              {contexts.length > 1 && (
                <Choice
                  label="Context"
                  value={context === undefined ? "" : String(context)}
                  options={[
                    ["", "default"],
                    ...contexts.map((n): [string, string] => [String(n), `${count(n)} tokens`]),
                  ]}
                  onChange={(text) => setContext(text === "" ? undefined : Number(text))}
                />
              )}
            </div>
          </figcaption>
          {estimates === undefined ? (
            <Waiting what="Estimating each variant …" />
          ) : (
            <>
              <MemoryChart
                title={`Memory of ${entry.name} by quantization`}
                rows={estimates.map((estimate) => ({ label: estimate.quantization, estimate }))}
                hardware={chosen.classId}
              />
              <p class="hint">
                {fitSentence(
                  estimates.filter(({ fit }) => fit === "fits" || fit === "tight").map((e) => e.quantization),
                  chosen.label,
                )}
              </p>
            </>
          )}
        </figure>
      )}
      {speeds.length > 0 && (
        <figure>
          <figcaption>
            <h3>Expected speed</h3>
          </figcaption>
          <SpeedChart rows={speeds} title={`Expected speed of ${entry.name} in tokens per second`} />
        </figure>
      )}
      {entry.hardware.length > 0 && (
        <FitTable estimates={entry.hardware} machine={onMachine && { label, estimate: onMachine }} />
      )}
    </div>
  );
}

/** Context lengths to choose from: usual ones up to the model's own, and that one. */
function contextsOf({ contextLength }: ModelEntry): number[] {
  if (contextLength === undefined) {
    return [];
  }
  return [...new Set([...CONTEXTS.filter((length) => length < contextLength), contextLength])];
}

function fitSentence(held: readonly string[], label: string): string {
  return `${label}: ${held.length === 0 ? "none of these variants fits" : `${held.join(", ")} ${held.length === 1 ? "fits" : "fit"}`}.`;
}

/** What most people download: popular models have dozens of others. */
const usual = /^(?:bf16|fp16|fp8|q8_0|q6_k|q5_k_m|q4_k_m|awq-4bit|mlx-4bit|mxfp4|q3_k_m|q2_k)$/i;

/** The quantizations to draw, in their order: all of a few, else the usual ones first. */
function drawnQuantizations(all: readonly string[]): string[] {
  const each = [...new Set(all)];
  const drawn = new Set([...each.filter((name) => usual.test(name)), ...each].slice(0, MAX_BARS));
  return each.filter((name) => drawn.has(name));
}
