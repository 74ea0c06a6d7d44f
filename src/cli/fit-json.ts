import { toJson } from "@bufbuild/protobuf";
import { HardwareEstimateSchema } from "../../gen/modelscout/v1/model_pb.ts";
import type { FittedModel } from "../hardware/index.ts";
import { estimateMessage } from "../rpc/model-messages.ts";
import type { DetectedHardware } from "./detected-hardware.ts";

/** What `fit` found, for a program or a person. */
export interface FitAnswer {
  modelName: string;
  /** One for each device. */
  fitted: readonly FittedModel[];
  /** What was found of this machine, where it was asked for. */
  detected: DetectedHardware | undefined;
}

/** As JSON: estimates with REST's field names, and beside them the form that each is for. */
export function fitJson({ modelName, fitted, detected }: FitAnswer): string {
  const hardware = fitted.flatMap(({ device, rows }) =>
    rows.map(({ variant, estimate, computed, recommended }) => ({
      ...(toJson(HardwareEstimateSchema, estimateMessage(device.name, estimate), {
        alwaysEmitImplicit: true,
        useProtoFieldName: true,
      }) as object),
      usable_memory_gb: device.usableGb * device.count,
      format: variant.format,
      size_gb: variant.sizeGb,
      repository: variant.repository,
      computed,
      recommended,
    })),
  );
  const found = detected && { found: detected.found, assumed: detected.assumed };
  return JSON.stringify({ model_name: modelName, detected: found, hardware }, null, 2);
}
