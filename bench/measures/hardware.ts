/**
 * Scores speed estimates against measured speeds (test/fixtures/NOTICE.md) without a server.
 *   node bench/measures/hardware.ts [--worst 20] [--group gpu|engine|quantization] [--all]
 *   node bench/measures/hardware.ts --published [--worst 20]
 * With --published it scores generating and reading prompts on the published runs of published-runs.jsonl.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { processors } from "../../src/hardware/devices/calibration.ts";
import { findCpu } from "../../src/hardware/devices/processors/find-cpu.ts";
import { type Device, estimateRequest, readHardware, vendorOf } from "../../src/hardware/index.ts";

export interface MeasuredRow {
  hf_id: string;
  parameters: number;
  active_parameters?: number | null;
  quantization: string;
  engine?: string;
  gpu: string;
  gpu_count?: number;
  hw_class: string;
  memory_gb?: number | null;
  cpu?: string;
  context_length?: number;
  prompt_tokens?: number;
  tokens_per_second: number;
}

const file = new URL("../../test/fixtures/hardware/measured-speeds.jsonl", import.meta.url);

export function measuredRows(): MeasuredRow[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as MeasuredRow);
}

export function estimateRow(row: MeasuredRow) {
  const memoryGb = row.memory_gb ?? undefined;
  return estimateRequest({
    modelName: row.hf_id,
    parameters: row.parameters,
    activeParameters: row.active_parameters ?? undefined,
    quantization: row.quantization,
    engine: row.engine,
    contextLength: row.context_length,
    promptTokens: row.prompt_tokens,
    hardware:
      row.hw_class === "CPU_ONLY"
        ? { cpuName: row.gpu.replace(/^CPU /, ""), memoryGb }
        : { gpuName: row.gpu, gpuCount: row.gpu_count, memoryGb, cpuName: row.cpu },
  });
}

export interface Score {
  n: number;
  median: number;
  within25: number;
  within50: number;
  inside: number;
  /** Median of high over low. */
  width: number;
}

export function keyOf(row: MeasuredRow): string {
  return [row.hf_id, row.quantization, row.gpu, row.gpu_count].join("|");
}

/** One vote for each model, quantization and device. */
export function score(rows: readonly MeasuredRow[]): Score {
  const groups = new Map<string, { errors: number[]; inside: number[] }>();
  const widths: number[] = [];
  for (const row of rows) {
    const group = groups.get(keyOf(row)) ?? { errors: [], inside: [] };
    groups.set(keyOf(row), group);
    const result = estimateRow(row);
    const speed = "estimate" in result ? result.estimate.tokensPerSecond : undefined;
    group.errors.push(speed ? Math.abs(speed.likely / row.tokens_per_second - 1) : 1);
    if (speed) {
      widths.push(speed.high / speed.low);
      group.inside.push(speed.low <= row.tokens_per_second && row.tokens_per_second <= speed.high ? 1 : 0);
    }
  }
  const errors = [...groups.values()].map((group) => median(group.errors));
  const inside = [...groups.values()].flatMap((group) => group.inside);
  return {
    n: errors.length,
    median: median(errors),
    within25: shareWithin(errors, 0.25),
    within50: shareWithin(errors, 0.5),
    inside: inside.reduce((sum, value) => sum + value, 0) / inside.length,
    width: median(widths),
  };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 1;
}

function shareWithin(errors: readonly number[], limit: number): number {
  return errors.filter((error) => error <= limit).length / errors.length;
}

function print(label: string, rows: readonly MeasuredRow[]): void {
  if (rows.length === 0) {
    return;
  }
  printScore(label, score(rows));
}

function printScore(label: string, s: Score): void {
  const percent = (value: number) => `${Math.round(100 * value)} %`;
  console.log(
    `${label.padEnd(44)} n ${String(s.n).padStart(3)}  median ${(100 * s.median).toFixed(1)} %  within25 ${percent(s.within25)}  within50 ${percent(s.within50)}${Number.isNaN(s.inside) ? "" : `  range holds ${percent(s.inside)}  high / low ${s.width.toFixed(2)}`}`,
  );
}

/** One figure of a published run of llama.cpp, llamafile, Ollama or MLX: tokens generated, or tokens of a prompt read, a second. */
export interface PublishedRun {
  model: string;
  parameters: number;
  active_parameters?: number;
  quantization: string;
  engine: string;
  gpu?: string;
  gpu_count?: number;
  cpu?: string;
  memory_gb?: number;
  /** Tokens that the cache holds while tokens are generated, or before the prompt is read. */
  depth: number;
  /** Tokens of the prompt that is read. */
  prompt_tokens?: number;
  tokens_per_second?: number;
  prompt_tokens_per_second?: number;
  published: string;
  source: string;
}

/** A published run with the estimate for it. */
export interface JudgedRun {
  run: PublishedRun;
  device: Device;
  estimate: number;
  /** The estimate over the published figure. */
  ratio: number;
  /** Whether the range holds the figure. */
  inside: boolean;
  /** High over low. */
  width: number;
}

const publishedFile = new URL("../../test/fixtures/hardware/published-runs.jsonl", import.meta.url);

export function publishedRuns(): PublishedRun[] {
  return readFileSync(publishedFile, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as PublishedRun);
}

export function judgedRuns(): JudgedRun[] {
  return publishedRuns().map(judge);
}

/** Estimates a published run. */
export function judge(run: PublishedRun): JudgedRun {
  const memoryGb = run.memory_gb;
  const hardware =
    run.cpu === undefined ? { gpuName: run.gpu, gpuCount: run.gpu_count, memoryGb } : { cpuName: run.cpu, memoryGb };
  const read = readHardware(hardware, "hardware");
  if ("violations" in read) {
    throw new Error(JSON.stringify(read.violations));
  }
  const at = (tokens: number) => {
    const result = estimateRequest({
      modelName: run.model,
      parameters: run.parameters,
      activeParameters: run.active_parameters,
      quantization: run.quantization,
      engine: run.engine,
      contextLength: Math.max(1, tokens),
      promptTokens: Math.max(1, tokens),
      hardware,
    });
    const estimate = "estimate" in result ? result.estimate : undefined;
    if (estimate?.tokensPerSecond === undefined || estimate.timeToFirstTokenMs === undefined) {
      throw new Error(`no estimate for ${JSON.stringify(run)}`);
    }
    return { speed: estimate.tokensPerSecond, first: estimate.timeToFirstTokenMs };
  };
  const { device } = read;
  if (run.prompt_tokens === undefined) {
    const { speed } = at(run.depth);
    const measured = run.tokens_per_second ?? 0;
    const inside = speed.low <= measured && measured <= speed.high;
    return {
      run,
      device,
      estimate: speed.likely,
      ratio: speed.likely / measured,
      inside,
      width: speed.high / speed.low,
    };
  }
  // The time to the first token includes one generated token.
  const { speed, first } = at(run.depth + run.prompt_tokens);
  const promptMs = { likely: first.likely - 1000 / speed.likely, high: first.high - 1000 / speed.low };
  const before = run.depth === 0 ? undefined : at(run.depth);
  const beforeMs = before === undefined ? 0 : before.first.likely - 1000 / before.speed.likely;
  const estimate = (1000 * run.prompt_tokens) / (promptMs.likely - beforeMs);
  const ratio = estimate / (run.prompt_tokens_per_second ?? 0);
  const width = (promptMs.high / promptMs.likely) ** 2;
  return { run, device, estimate, ratio, inside: isInside(ratio, width), width };
}

/** Whether a range that is as wide above the estimate as below it holds the figure. */
function isInside(ratio: number, width: number): boolean {
  return Math.abs(Math.log(ratio)) <= Math.log(width) / 2;
}

/** The prompts that the constants follow. Earlier builds for NVIDIA's cards read prompts more slowly. */
export function recentPrompts(judged: readonly JudgedRun[]): JudgedRun[] {
  return judged.filter(
    ({ run, device }) => run.prompt_tokens !== undefined && (vendorOf(device) !== "nvidia" || run.published >= "2025"),
  );
}

/** One vote for each model, quantization and device. */
export function scoreRuns(judged: readonly JudgedRun[]): Score {
  const votes = new Map<string, number[]>();
  for (const { run, ratio } of judged) {
    const key = [run.model, run.quantization, run.gpu ?? run.cpu, run.gpu_count].join("|");
    votes.set(key, [...(votes.get(key) ?? []), Math.abs(ratio - 1)]);
  }
  const errors = [...votes.values()].map(median);
  return {
    n: errors.length,
    median: median(errors),
    within25: shareWithin(errors, 0.25),
    within50: shareWithin(errors, 0.5),
    inside: judged.filter(({ inside }) => inside).length / judged.length,
    width: median(judged.map(({ width }) => width)),
  };
}

/**
 * Runs on graphics devices, held back by device: each ratio over the median of the ratios on other devices of the same
 * architecture, which is what refitting the architecture's share without the device gives. MLX has kernels of its own, so
 * its runs and those of llama.cpp do not stand for each other. Devices that are alone are left out.
 */
export function heldBackByDevice(judged: readonly JudgedRun[]): JudgedRun[] {
  const graphics = judged.filter(({ device }) => device.kind !== "cpu");
  return [...graphics.flatMap((one) => againstOthers(one, graphics)), ...heldBackProcessors(judged, "device")];
}

/** The share of votes within 25 %, where graphics cards, shared memory and processors count the same. */
export function withinOfKinds(judged: readonly JudgedRun[]): number {
  const shares = [...Map.groupBy(judged, ({ device }) => device.kind).values()].map((runs) => scoreRuns(runs).within25);
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

/** Runs on processors, held back by line: no run of any processor of the line helps. */
export function heldBackByLine(judged: readonly JudgedRun[]): JudgedRun[] {
  return heldBackProcessors(judged, "line");
}

function againstOthers(one: JudgedRun, graphics: readonly JudgedRun[]): JudgedRun[] {
  const { architecture, name } = one.device;
  const others = graphics.filter(
    ({ device, run }) =>
      device.architecture === architecture &&
      device.name !== name &&
      (run.engine === "mlx") === (one.run.engine === "mlx"),
  );
  return others.length === 0 ? [] : [corrected(one, 1 / median(others.map(({ ratio }) => ratio)))];
}

/** Fewest other devices of a line from which its own factor follows. */
const FEWEST_OF_LINE = 4;

/**
 * Runs on processors with the constants that the other devices give: the share of their kind of machine, and the factor of
 * their line (`lineFactor`), if four or more of its devices are left.
 */
function heldBackProcessors(judged: readonly JudgedRun[], by: "device" | "line"): JudgedRun[] {
  const runs = judged.filter(({ device }) => device.kind === "cpu").map(processorRun);
  return runs.flatMap((run) => {
    const others = runs.filter((other) => other.machine === run.machine && other[by] !== run[by]);
    if (others.length === 0) {
      return [];
    }
    const base = medianOfDevices(others);
    const ofLine = others.filter(({ line }) => line === run.line);
    const devices = new Set(ofLine.map(({ device }) => device)).size;
    const factor =
      devices < FEWEST_OF_LINE ? 1 : (base / medianOfDevices(ofLine)) ** (devices / (devices + FEWEST_OF_LINE));
    return [corrected({ ...run.one, ratio: run.ratio }, factor / base)];
  });
}

interface ProcessorRun {
  one: JudgedRun;
  /** Without the line's factor, to which estimates are nearly proportional. */
  ratio: number;
  machine: string;
  line: string;
  device: string;
}

function processorRun(one: JudgedRun): ProcessorRun {
  const name = one.run.cpu ?? one.device.name;
  const { machine, line = name } = findCpu(name);
  // Marks, clock speeds and graphics differ between runs on the same processor.
  const device = name
    .toLowerCase()
    .replace(/\((r|tm)\)|\bcpu\b|@.*|\bw\/.*|\brev .*/g, "")
    .replace(/\s+/g, "");
  return { one, ratio: one.ratio / (processors.lineFactor[line] ?? 1), machine, line, device };
}

function medianOfDevices(runs: readonly ProcessorRun[]): number {
  const byDevice = Map.groupBy(runs, ({ device }) => device);
  return median([...byDevice.values()].map((ofDevice) => median(ofDevice.map(({ ratio }) => ratio))));
}

/** A run whose estimate and range are multiplied. */
function corrected(one: JudgedRun, factor: number): JudgedRun {
  const ratio = one.ratio * factor;
  return { ...one, ratio, inside: isInside(ratio, one.width) };
}

function printPublished(worst: number): void {
  const judged = judgedRuns();
  const parts = {
    generating: judged.filter(({ run }) => run.prompt_tokens === undefined),
    prompts: judged.filter(({ run }) => run.prompt_tokens !== undefined),
  };
  for (const [part, runs] of Object.entries(parts)) {
    printScore(part, scoreRuns(runs));
    for (const kind of ["gpu", "unified", "cpu"] as const) {
      printScore(`  ${kind}`, scoreRuns(runs.filter(({ device }) => device.kind === kind)));
    }
  }
  for (const [part, runs] of Object.entries({ generating: parts.generating, prompts: recentPrompts(parts.prompts) })) {
    const heldBack = heldBackByDevice(runs);
    printScore(`${part}, held back by device`, scoreRuns(heldBack));
    for (const kind of ["gpu", "unified", "cpu"] as const) {
      printScore(`  ${kind}`, scoreRuns(heldBack.filter(({ device }) => device.kind === kind)));
    }
    printScore("  cpu, held back by line", scoreRuns(heldBackByLine(runs)));
    const alike = withinOfKinds(heldBack);
    console.log(`  mean of the three kinds: within25 ${Math.round(100 * alike)} %`);
  }
  const old = parts.prompts.filter((one) => !recentPrompts([one]).length);
  printScore("prompts on NVIDIA's cards before 2025", scoreRuns(old));
  judged.sort((a, b) => Math.abs(Math.log(b.ratio)) - Math.abs(Math.log(a.ratio)));
  for (const { run, ratio, estimate } of judged.slice(0, worst)) {
    const measured = run.tokens_per_second ?? run.prompt_tokens_per_second;
    console.log(
      `${ratio.toFixed(2)}x est ${estimate.toFixed(1)} meas ${measured} | ${run.model} ${run.quantization} ${run.engine} | ${run.gpu ?? run.cpu} x${run.gpu_count ?? 1} depth ${run.depth} prompt ${run.prompt_tokens ?? "-"} | ${run.published}`,
    );
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      worst: { type: "string", default: "20" },
      group: { type: "string" },
      all: { type: "boolean" },
      published: { type: "boolean" },
    },
  });
  if (values.published) {
    printPublished(Number(values.worst));
    process.exit(0);
  }
  const rows = measuredRows();
  print("ALL", rows);
  for (const cls of ["DISCRETE_GPU", "UNIFIED", "CPU_ONLY"]) {
    print(
      cls,
      rows.filter((row) => row.hw_class === cls),
    );
  }
  const by = values.group as keyof MeasuredRow | undefined;
  if (by) {
    for (const value of new Set(rows.map((row) => String(row[by])))) {
      print(
        `  ${value}`,
        rows.filter((row) => String(row[by]) === value),
      );
    }
  }
  const rated = rows.map((row) => {
    const result = estimateRow(row);
    const estimate = "estimate" in result ? result.estimate : undefined;
    const likely = estimate?.tokensPerSecond?.likely ?? 0;
    return { row, estimate, ratio: likely / row.tokens_per_second, result };
  });
  rated.sort((a, b) => Math.abs(Math.log(b.ratio)) - Math.abs(Math.log(a.ratio)));
  for (const { row, estimate, ratio, result } of values.all ? rated : rated.slice(0, Number(values.worst))) {
    const likely = estimate?.tokensPerSecond?.likely.toFixed(1) ?? JSON.stringify(result);
    console.log(
      `${ratio.toFixed(2)}x est ${likely} meas ${row.tokens_per_second} ${estimate?.fit ?? ""} | ${row.hf_id} ${row.quantization} ${row.engine} | ${row.gpu} x${row.gpu_count} ctx ${row.context_length} p ${row.prompt_tokens}`,
    );
  }
}
