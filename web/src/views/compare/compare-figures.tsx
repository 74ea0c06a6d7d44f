import type { ComparedEstimate } from "../../../../packages/client/src/index.ts";
import { MemoryChart, type MemoryRow } from "../../charts/memory-chart.tsx";
import { SpeedChart, type SpeedRow } from "../../charts/speed-chart.tsx";
import { type ChosenHardware, HardwareChoice } from "../../machine/hardware-choice.tsx";
import { MachineLink } from "../../machine/machine-dialog.tsx";
import { FitBadge } from "../../parts/fit-badge.tsx";

interface CompareFiguresProps {
  readonly estimates: readonly ComparedEstimate[];
  readonly chosen: ChosenHardware;
}

/** Fit, memory and speed of each model's best variant on the chosen hardware. */
export function CompareFigures({ estimates, chosen }: CompareFiguresProps) {
  const labels = shortNames(estimates.map(({ modelName }) => modelName));
  const rows = estimates.flatMap(({ estimate }, i): MemoryRow[] =>
    estimate === undefined ? [] : [{ label: labels[i] as string, estimate }],
  );
  const speeds = rows.flatMap(({ label, estimate: { tokensPerSecond } }): SpeedRow[] =>
    tokensPerSecond === undefined ? [] : [{ label, speed: tokensPerSecond }],
  );
  const unknown = labels.filter((_, i) => estimates[i]?.estimate === undefined);
  return (
    <section class="panel" aria-labelledby="compare-runs-title">
      <h2 id="compare-runs-title">How they would run</h2>
      <div class="run-figures">
        <figure>
          <figcaption>
            <h3>Memory of the best variant that fits</h3>
            <div class="figure-tools">
              <MachineLink />
              <HardwareChoice chosen={chosen} />
            </div>
          </figcaption>
          {rows.length > 0 && <MemoryChart title={`Memory on ${chosen.label}`} rows={rows} hardware={chosen.classId} />}
          <ul class="compare-fits">
            {rows.map(({ label, estimate: { fit, quantization } }) => (
              <li key={label}>
                <FitBadge fit={fit} /> {label} <span class="mono">{quantization}</span>
              </li>
            ))}
          </ul>
          {unknown.length > 0 && <p class="hint">{unknownSizes(unknown)}</p>}
        </figure>
        {speeds.length > 0 && (
          <figure>
            <figcaption>
              <h3>Expected speed</h3>
            </figcaption>
            <SpeedChart rows={speeds} title={`Expected speed on ${chosen.label} in tokens per second`} />
          </figure>
        )}
      </div>
    </section>
  );
}

/** Says that sizes are unknown. */
function unknownSizes(names: readonly string[]): string {
  return names.length === 1 ? `The size of ${names[0]} is unknown.` : `The sizes of ${names.join(", ")} are unknown.`;
}

/** The names without their owners, except for those that would be the same. */
function shortNames(names: readonly string[]): string[] {
  const short = names.map((name) => name.slice(name.indexOf("/") + 1));
  return names.map((name, i) => (short.filter((other) => other === short[i]).length > 1 ? name : (short[i] as string)));
}
