import { useEffect, useState } from "preact/hooks";
import type { HardwareEstimate } from "../../../src/client.ts";
import { client } from "./client.ts";

/** What is asked of a model in several precisions. */
export interface EstimatesQuery {
  readonly modelName: string;
  readonly quantizations: readonly string[];
  /** One of the four classes. */
  readonly hardware: string;
  /** In tokens; undefined for the service's default. */
  readonly contextLength: number | undefined;
}

/**
 * Asks how a model runs in each of its precisions.
 *
 * @returns an estimate for each precision that the service can tell one for, in their order; undefined until all came.
 */
export function useEstimates(query: EstimatesQuery | undefined): readonly HardwareEstimate[] | undefined {
  const [told, setTold] = useState<{ key: string; estimates: readonly HardwareEstimate[] }>();
  const key = JSON.stringify(query);
  useEffect(() => {
    if (query === undefined) {
      return;
    }
    const abort = new AbortController();
    const { modelName, quantizations, hardware, contextLength } = query;
    Promise.all(
      quantizations.map((quantization) =>
        client.value.inventory
          .estimateHardware({ modelName, quantization, contextLength, hardware: { class: hardware } }, abort)
          // One that cannot be told is left out; the others are worth showing.
          .catch(() => undefined),
      ),
    ).then((estimates) => {
      if (!abort.signal.aborted) {
        setTold({ key, estimates: estimates.filter((one) => one !== undefined) });
      }
    });
    return () => abort.abort();
  }, [key]);
  // The last figures stay until the next have come, so that the chart does not blink.
  return told?.estimates;
}
