import type { HardwareEstimate } from "../../../../packages/client/src/index.ts";
import { FitBadge } from "../../parts/fit-badge.tsx";
import { ScrollBox } from "../../parts/view-frame.tsx";
import { gigabytes, speed } from "../../words/formats.ts";
import { hardwareClass, hardwareClasses } from "../../words/hardware.ts";

interface FitTableProps {
  /** One for each class. */
  readonly estimates: readonly HardwareEstimate[];
  /** The estimate for the visitor's own machine; undefined without one. */
  readonly machine: { readonly label: string; readonly estimate: HardwareEstimate } | undefined;
}

/** The best variant of a model for the visitor's machine and for each hardware class. */
export function FitTable({ estimates, machine }: FitTableProps) {
  const rows = inOrder(estimates).map((estimate) => ({
    label: hardwareClass(estimate.hardware)?.short ?? estimate.hardware,
    device: hardwareClass(estimate.hardware)?.device,
    estimate,
  }));
  if (machine !== undefined) {
    rows.unshift({ ...machine, device: undefined });
  }
  const hasTokens = rows.some(({ estimate: { tokensPerSecond } }) => tokensPerSecond !== undefined);
  const hasSpeed = hasTokens || rows.some(({ estimate: { throughput } }) => throughput !== undefined);
  return (
    <ScrollBox label="Best variant for each class of hardware">
      <table class="table fit-table">
        <thead>
          <tr>
            <th scope="col">Hardware</th>
            <th scope="col">Best variant</th>
            <th scope="col" class="number">
              Memory
            </th>
            {hasSpeed && (
              <th scope="col" class="number">
                {hasTokens ? "Tokens/s" : "Speed"}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, device, estimate }) => (
            <tr key={label}>
              <th scope="row">
                {label}
                <span class="sub">{device}</span>
              </th>
              <td>
                <span class="class-figures">
                  <FitBadge fit={estimate.fit} />
                  <span class="mono">{estimate.quantization}</span>
                </span>
              </td>
              <td class="number">{gigabytes(estimate.memoryGb)}</td>
              {hasSpeed && (
                <td class="number">
                  {estimate.tokensPerSecond
                    ? `${speed(estimate.tokensPerSecond.low)}–${speed(estimate.tokensPerSecond.high)}`
                    : (estimate.throughput?.summary ?? "")}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

/** In the order of the charts. */
function inOrder(estimates: readonly HardwareEstimate[]): HardwareEstimate[] {
  const place = ({ hardware }: HardwareEstimate) => hardwareClasses.findIndex(({ id }) => id === hardware);
  return [...estimates].sort((a, b) => place(a) - place(b));
}
