import { notFound } from "../../../error.ts";
import { type EstimateRequest, type FittedModel, fitVariants, hardwareClasses } from "../../../hardware/index.ts";
import { modelFigures, variantsToRun } from "../../../inventory/index.ts";
import type { CommandContext } from "../../command.ts";
import { exitCodes } from "../../errors.ts";
import { withInventory } from "../../resources.ts";
import { type DetectedHardware, readProbes } from "./detected-hardware.ts";
import { fitUsageError, readFitOptions } from "./fit-options.ts";
import { probeHardware } from "./probe-hardware.ts";
import { fitJson, renderFit } from "./render-fit.ts";

/** Does `modelscout fit`. */
export async function runFit(context: CommandContext): Promise<number> {
  const { args, terminal } = context;
  const { request, cacheType, faults } = readFitOptions(args);
  if (faults.length > 0) {
    throw fitUsageError([...faults, ...faultsOf(request)], args);
  }
  const detected = args.has("detect") ? readProbes(await probeHardware()) : undefined;
  const hardware = detected === undefined ? request.hardware : overDetected(detected, request.hardware);
  const name = request.modelName?.trim() ?? "";
  const { model, fitted } = await withInventory(context, async ({ inventory }) => {
    const model = name === "" ? undefined : await inventory.find(name);
    const known = model && { model: modelFigures(model), variants: variantsToRun(model) };
    const devices: EstimateRequest["hardware"][] =
      hardware === undefined ? Object.keys(hardwareClasses).map((name) => ({ class: name })) : [hardware];
    const fitted: FittedModel[] = [];
    for (const device of devices) {
      const result = fitVariants({ ...request, ...known, hardware: device }, { cacheType });
      if ("violations" in result) {
        throw fitUsageError(result.violations, args);
      }
      if ("unknownModel" in result) {
        throw notFound("MODEL_NOT_FOUND", name, await inventory.nearestModels(name));
      }
      fitted.push(result);
    }
    return { model, fitted };
  });
  const told = { modelName: model?.name ?? name, fitted, detected };
  terminal.print(args.has("json") ? fitJson(told) : renderFit(told, terminal));
  return exitCodes.done;
}

/** What the API would find wrong with a request. */
function faultsOf(request: EstimateRequest) {
  const result = fitVariants(request);
  return "violations" in result ? result.violations : [];
}

type Hardware = NonNullable<EstimateRequest["hardware"]>;

/** What was given over what was found; another card than the found one has its own memory and number. */
function overDetected({ query }: DetectedHardware, given: Hardware | undefined): Hardware {
  const told = Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value !== undefined)) as Hardware;
  if (told.gpuName === undefined) {
    return { ...query, ...told };
  }
  const { cpuName, systemMemoryGb } = query;
  return { cpuName, systemMemoryGb, ...told };
}
