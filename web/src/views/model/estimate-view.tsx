import type { HardwareEstimate } from "../../../../packages/client/src/index.ts";
import { SpeedChart } from "../../charts/speed-chart.tsx";
import { FitBadge } from "../../parts/fit-badge.tsx";
import { gigabytes, latency } from "../../words/formats.ts";
import { fitOf } from "../../words/hardware.ts";

/** The result of the calculator. */
export function EstimateView({ estimate }: { readonly estimate: HardwareEstimate }) {
  const { hardware, fit, quantization, memoryGb, weightsGb, kvCacheGb, overheadGb, basis } = estimate;
  const { tokensPerSecond, throughput } = estimate;
  const { timeToFirstTokenMs, timeToFirstTokenMsLow, timeToFirstTokenMsHigh } = estimate;
  return (
    <section class="estimate" aria-label={`Estimate on ${hardware}`}>
      <p class="estimate-head">
        <FitBadge fit={fit} />
        <b>{hardware}</b>
        <span>
          with <span class="mono">{quantization}</span>: {fitOf(fit).meaning}
        </span>
      </p>
      <dl class="headline-figures">
        <div>
          <dt>Memory</dt>
          <dd>{gigabytes(memoryGb)}</dd>
        </div>
        <div>
          <dt>Weights</dt>
          <dd>{gigabytes(weightsGb)}</dd>
        </div>
        <div>
          <dt>Context cache</dt>
          <dd>{kvCacheGb === 0 ? "none" : gigabytes(kvCacheGb)}</dd>
        </div>
        <div>
          <dt>Overhead</dt>
          <dd>{gigabytes(overheadGb)}</dd>
        </div>
        {timeToFirstTokenMs !== undefined && (
          <div>
            <dt>Time to first token</dt>
            <dd>
              {latency(timeToFirstTokenMs)}
              {timeToFirstTokenMsLow !== undefined && timeToFirstTokenMsHigh !== undefined && (
                <small>
                  {" "}
                  ({latency(timeToFirstTokenMsLow)} to {latency(timeToFirstTokenMsHigh)})
                </small>
              )}
            </dd>
          </div>
        )}
        {throughput !== undefined && (
          <div>
            <dt>Speed</dt>
            <dd>{throughput.summary}</dd>
          </div>
        )}
      </dl>
      {tokensPerSecond !== undefined && (
        <SpeedChart rows={[{ label: hardware, speed: tokensPerSecond }]} title="Expected speed in tokens per second" />
      )}
      <details>
        <summary>Basis of this estimate</summary>
        <ul class="basis">
          {basis.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </details>
    </section>
  );
}
