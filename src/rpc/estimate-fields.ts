import type { FieldViolation } from "../error.ts";
import { type EstimateRequest, type EstimateResult, estimateRequest } from "../hardware/index.ts";

/** The fields of EstimateHardware as a caller sends them. Absent fields are undefined. */
export type EstimateFields = Omit<EstimateRequest, "model" | "variants">;

/** What is known of the model beyond the fields. */
export type KnownModel = Pick<EstimateRequest, "model" | "variants">;

/** Estimates for checked fields; else all violations at once, a field as the contract names it. */
export function estimateFields(fields: EstimateFields, known: KnownModel = {}): EstimateResult {
  const modelName = fields.modelName?.trim() || undefined;
  const result = estimateRequest({ ...fields, ...known, modelName });
  if (modelName !== undefined || fields.parameters !== undefined) return result;
  const missing: FieldViolation = {
    field: "model_name",
    description: "is required where parameters is absent: owner/model",
  };
  return { violations: [missing, ...("violations" in result ? result.violations : [])] };
}
