import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { arch, cpus, platform, totalmem } from "node:os";
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
import { type DetectedHardware, type ProbeOutputs, readProbes } from "./detected-hardware.ts";
import { fitUsageError, readFitOptions } from "./fit-options.ts";
import { fitJson, renderFit } from "./render-fit.ts";

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

type Hardware = NonNullable<EstimateRequest["hardware"]>;

/** Options replace detected values. With another card than the detected one, its memory and number are not kept. */
function overDetected({ query }: DetectedHardware, given: Hardware | undefined): Hardware {
  const set = Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value !== undefined)) as Hardware;
  if (set.gpuName === undefined) {
    return { ...query, ...set };
  }
  const { cpuName, systemMemoryGb } = query;
  return { cpuName, systemMemoryGb, ...set };
}

/** A driver that hangs must not block the command. */
const PROBE_TIMEOUT_MS = 4000;
const MAX_OUTPUT_BYTES = 4_000_000;

/** Probes the hardware of this machine. Never rejects: a probe that is missing or too slow is absent. */
async function probeHardware(): Promise<ProbeOutputs> {
  const isMac = platform() === "darwin";
  const isLinux = platform() === "linux";
  const when = <T>(condition: boolean, probe: () => Promise<T>) => (condition ? probe() : Promise.resolve(undefined));
  const [cpuinfo, board, nvidiaSmi, rocmSmi, lspci, sysctl, displays, amdVramBytes] = await Promise.all([
    when(isLinux, () => read("/proc/cpuinfo")),
    when(isLinux, () => read("/sys/firmware/devicetree/base/model")),
    when(!isMac, () => run("nvidia-smi", ["--query-gpu=name,memory.total", "--format=csv,noheader,nounits"])),
    when(isLinux, () => run("rocm-smi", ["--showproductname", "--showmeminfo", "vram", "--json"])),
    when(isLinux, () => run("lspci", [])),
    when(isMac, () => run("sysctl", ["machdep.cpu.brand_string", "hw.memsize", "hw.physicalcpu"])),
    when(isMac, () => run("system_profiler", ["-json", "SPDisplaysDataType"])),
    when(isLinux, readAmdVram),
  ]);
  const processors = cpus();
  return {
    platform: platform(),
    arch: arch(),
    cpuModel: processors[0]?.model,
    logicalCores: processors.length,
    memoryBytes: totalmem(),
    memoryLimitBytes: process.constrainedMemory(),
    cpuinfo,
    board,
    nvidiaSmi,
    rocmSmi,
    lspci,
    sysctl,
    displays,
    amdVramBytes,
  };
}

function run(command: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { timeout: PROBE_TIMEOUT_MS, killSignal: "SIGKILL", maxBuffer: MAX_OUTPUT_BYTES } as const;
    try {
      execFile(command, args, options, (error, stdout) => resolve(error === null ? stdout : undefined));
    } catch {
      // A system that cannot start programs; other probes may still answer.
      resolve(undefined);
    }
  });
}

function read(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch(() => undefined);
}

/** The memory of each card, from the amdgpu driver. */
async function readAmdVram(): Promise<number[]> {
  const root = "/sys/class/drm";
  const names = await readdir(root).catch(() => []);
  const texts = await Promise.all(
    names.filter((name) => /^card\d+$/.test(name)).map((name) => read(`${root}/${name}/device/mem_info_vram_total`)),
  );
  return texts.map(Number).filter((bytes) => bytes > 0);
}
