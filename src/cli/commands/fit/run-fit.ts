import type { Config } from "../../../config/index.ts";
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
import { measure, type ServerSpeed } from "./measure.ts";
import { corrected, deviceKey, impossibility, keepMeasurement, readMeasurements } from "./measurements.ts";
import { fitJson, renderFit } from "./render-fit.ts";
import { detectHardware, overDetected } from "./this-machine.ts";

/** Runs `modelscout fit`. */
export async function runFit(context: CommandContext): Promise<number> {
  const { args, terminal } = context;
  const { request, measured, faults } = readFitOptions(args);
  if (faults.length > 0) {
    throw fitUsageError([...faults, ...faultsOf(request)], args);
  }
  for (const text of unknownWords(request)) {
    terminal.note(`${terminal.paintNote("yellow", "Warning:")} ${cleanText(text)}`);
  }
  const isMeasured = measured !== undefined || args.has("measure");
  const isHere = args.has("detect") || (isMeasured && request.hardware === undefined);
  const detected = isHere ? await detectHardware() : undefined;
  const hardware = detected === undefined ? request.hardware : overDetected(detected, request.hardware);
  const name = request.modelName?.trim() ?? "";
  const { model, fitted, config } = await withInventory(context, async ({ inventory }, config) => {
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
    return { model, fitted, config };
  });
  const modelName = model?.name ?? name;
  if (isMeasured) {
    const speed = measured === undefined ? await timed(modelName, context, config) : { tokensPerSecond: measured };
    await keep(config.home, modelName, fitted[0] as FittedModel, speed, context);
  }
  const kept = await readMeasurements(config.home);
  const answer = { modelName, fitted: fitted.map((one) => corrected(one, modelName, kept)), detected };
  terminal.print(args.has("json") ? fitJson(answer) : renderFit(answer, terminal));
  return exitCodes.done;
}

/** The speed that a server on this machine reaches with a model. */
async function timed(model: string, { args, terminal }: CommandContext, { ollamaUrl }: Config): Promise<ServerSpeed> {
  const given = args.value("measure-url");
  const urls = given === undefined ? [...(ollamaUrl === undefined ? [] : [ollamaUrl]), LLAMA_CPP_URL] : [given];
  terminal.note(`Timing ${cleanText(model)}; loading it may take minutes`);
  const speed = await measure(model, args.value("quantization"), urls);
  const form = speed.quantization === undefined ? "" : ` as ${cleanText(speed.quantization)}`;
  terminal.note(
    `Measured: ${cleanText(speed.served)}${form} generates ${Number(speed.tokensPerSecond.toPrecision(3))} tokens a second with ${speed.engine}`,
  );
  return speed;
}

/** Where llama.cpp's server listens by default. */
const LLAMA_CPP_URL = "http://127.0.0.1:8080";

/** Keeps a measured speed of a model's form on a device. @throws UsageError if the form is not named or the speed cannot be. */
async function keep(
  home: string,
  model: string,
  fitted: FittedModel,
  { tokensPerSecond, quantization }: Pick<ServerSpeed, "tokensPerSecond"> & Partial<ServerSpeed>,
  { args }: CommandContext,
): Promise<void> {
  const field = args.has("measure") ? "--measure" : "--measured";
  const refuse = (description: string) => fitUsageError([{ field, description }], args);
  const { rows, device } = fitted;
  const form = (args.value("quantization") ?? quantization)?.toLowerCase();
  const row =
    form === undefined && rows.length === 1
      ? rows[0]
      : rows.find(({ estimate }) => estimate.quantization.toLowerCase() === form);
  if (row === undefined) {
    const forms = rows.map(({ estimate }) => estimate.quantization).join(", ");
    throw refuse(`needs the form that ran; name it with --quantization, such as one of ${forms}`);
  }
  const { estimate } = row;
  const problem = impossibility(tokensPerSecond, estimate, device);
  if (problem !== undefined) {
    throw refuse(problem);
  }
  await keepMeasurement(home, {
    model,
    quantization: estimate.quantization,
    device: deviceKey(device),
    tokensPerSecond,
    estimated: estimate.tokensPerSecond?.likely as number,
    day: new Date().toISOString().slice(0, 10),
  });
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
    out.push(
      `--quantization: ${quantization} is not known, so its number of bits is taken from its name, if the name has one`,
    );
  }
  if (engine !== undefined && !findEngine(engine).known) {
    const hint = didYouMean(engine, engineNames);
    out.push(`--engine: ${engine} is not known, so the estimate is for a typical engine${hint}`);
  }
  return out;
}
