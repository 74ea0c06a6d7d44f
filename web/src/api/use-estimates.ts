import type { MessageInitShape } from "@bufbuild/protobuf";
import { useEffect, useState } from "preact/hooks";
import type { HardwareEstimate, HardwareSchema } from "../../../packages/client/src/index.ts";
import { client } from "./client.ts";

/** A model, its precisions and the hardware to run it on. */
export interface EstimatesQuery {
  readonly modelName: string;
  readonly quantizations: readonly string[];
  readonly hardware: MessageInitShape<typeof HardwareSchema>;
  /** In tokens; undefined for the service's default. */
  readonly contextLength: number | undefined;
}

/**
 * Estimates how a model runs in each of its precisions.
 *
 * @returns one estimate for each precision that can be estimated, in their order; undefined until all are there.
 */
export function useEstimates(query: EstimatesQuery | undefined): readonly HardwareEstimate[] | undefined {
  const [state, setState] = useState<{ key: string; estimates: readonly HardwareEstimate[] }>();
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
          .estimateHardware({ modelName, quantization, contextLength, hardware }, abort)
          // A precision without an estimate is left out.
          .catch(() => undefined),
      ),
    ).then((estimates) => {
      if (!abort.signal.aborted) {
        setState({ key, estimates: estimates.filter((one) => one !== undefined) });
      }
    });
    return () => abort.abort();
  }, [key]);
  // The last estimates stay until the next are there, so that the chart does not flicker.
  return state?.estimates;
}
