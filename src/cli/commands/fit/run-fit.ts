import { notFound } from "../../../error.ts";
import {
  type EstimateRequest,
  effectiveBits,
  engineNames,
  type FittedModel,
  findEngine,
  fitVariants,
  hardwareClasses,
} from "../../../hardware/index.ts";
import { type Inventory, modelFigures, variantsToRun } from "../../../inventory/index.ts";
import { sizeMissing } from "../../../rpc/index.ts";
import { didYouMean } from "../../../text/index.ts";
import type { CommandContext } from "../../command.ts";
import { CliError, exitCodes } from "../../errors.ts";
import { withInventory } from "../../resources.ts";
import { cleanText } from "../../terminal/text.ts";
import { fitUsageError, readFitOptions } from "./fit-options.ts";
import { fitJson, renderFit } from "./render-fit.ts";
import { detectHardware, overDetected } from "./this-machine.ts";

/** Runs `modelscout fit`. */
export async function runFit(context: CommandContext): Promise<number> {
  const { args, terminal } = context;
  const { request, faults } = readFitOptions(args);
  if (faults.length > 0) {
    throw fitUsageError([...faults, ...faultsOf(request)], args);
  }
  for (const text of unknownWords(request)) {
    terminal.note(`${terminal.paintNote("yellow", "Warning:")} ${cleanText(text)}`);
  }
  const detected = args.has("detect") ? await detectHardware() : undefined;
  const hardware = detected === undefined ? request.hardware : overDetected(detected, request.hardware);
  const name = request.modelName?.trim() ?? "";
  const { model, fitted } = await withInventory(context, async ({ inventory }) => {
    const model = name === "" ? undefined : await inventory.find(name);
    const known = model && { model: modelFigures(model), variants: variantsToRun(model) };
    const devices: EstimateRequest["hardware"][] =
      hardware === undefined ? Object.keys(hardwareClasses).map((name) => ({ class: name })) : [hardware];
    const fitted: FittedModel[] = [];
    for (const device of devices) {
      const result = fitVariants({ ...request, ...known, hardware: device });
      if ("violations" in result) {
        throw fitUsageError(result.violations, args);
      }
      if ("unknownModel" in result) {
        throw model === undefined ? await unknownName(inventory, name) : fitUsageError([sizeMissing(model)], args);
      }
      fitted.push(result);
    }
    return { model, fitted };
  });
  const answer = { modelName: model?.name ?? name, fitted, detected };
  terminal.print(args.has("json") ? fitJson(answer) : renderFit(answer, terminal));
  return exitCodes.done;
}

/** The violations that the API would report. */
function faultsOf(request: EstimateRequest) {
  const result = fitVariants(request);
  return "violations" in result ? result.violations : [];
}

async function unknownName(inventory: Pick<Inventory, "nearestModels">, name: string): Promise<CliError> {
  const { message } = notFound("MODEL_NOT_FOUND", name, await inventory.nearestModels(name));
  return new CliError(
    `${message}. For a model that is not in the inventory, give its size with --parameters, such as 8B`,
  );
}

/** Names of a form or an engine that no table has, which an estimate reads as well as it can. */
function unknownWords({ quantization, engine }: EstimateRequest): string[] {
  const out: string[] = [];
  if (quantization !== undefined && !effectiveBits(quantization).known) {
    out.push(`--quantization: ${quantization} is not known, so it is read by the bits in its name, if any`);
  }
  if (engine !== undefined && !findEngine(engine).known) {
    const hint = didYouMean(engine, engineNames);
    out.push(`--engine: ${engine} is not known, so the estimate is for a usual one${hint}`);
  }
  return out;
}
