import type { MessageInitShape } from "@bufbuild/protobuf";
import type { EstimateHardwareRequestSchema } from "../../../../packages/client/src/index.ts";
import type { Violation } from "../../api/call-error.ts";
import { machineField, readMachine, readNumber } from "../../machine/machine.ts";
import type { CalculatorDraft } from "../../state/route.ts";

const ownFields: Readonly<Record<string, keyof CalculatorDraft>> = {
  quantization: "quantization",
  context_length: "context",
  contextLength: "context",
};

/** The calculator's field that a violation is about: "hardware.gpu_name" is `gpu`. */
export function calculatorField(violated: string): keyof CalculatorDraft | undefined {
  return ownFields[violated] ?? machineField(violated);
}

/** Converts the calculator's fields to a request. It refuses only texts that a message cannot hold. */
export function readCalculator(
  modelName: string,
  draft: CalculatorDraft,
): { request: MessageInitShape<typeof EstimateHardwareRequestSchema> } | { violations: Violation[] } {
  const violations: Violation[] = [];
  const request = {
    modelName,
    quantization: draft.quantization || undefined,
    contextLength: readNumber({ field: "context_length", text: draft.context, isWhole: true }, violations),
    hardware: readMachine(draft, violations),
  };
  return violations.length > 0 ? { violations } : { request };
}
