/**
 * Scores speed estimates against measured speeds (test/fixtures/NOTICE.md) without a server.
 *   node bench/measures/hardware.ts [--worst 20] [--group gpu|engine|quantization] [--all]
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { estimateRequest } from "../../src/hardware/index.ts";

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
}

export function keyOf(row: MeasuredRow): string {
  return [row.hf_id, row.quantization, row.gpu, row.gpu_count].join("|");
}

/** One vote for each model, quantization and device. */
export function score(rows: readonly MeasuredRow[]): Score {
  const groups = new Map<string, { errors: number[]; inside: number[] }>();
  for (const row of rows) {
    const group = groups.get(keyOf(row)) ?? { errors: [], inside: [] };
    groups.set(keyOf(row), group);
    const result = estimateRow(row);
    const speed = "estimate" in result ? result.estimate.tokensPerSecond : undefined;
    group.errors.push(speed ? Math.abs(speed.likely / row.tokens_per_second - 1) : 1);
    if (speed) {
      group.inside.push(speed.low <= row.tokens_per_second && row.tokens_per_second <= speed.high ? 1 : 0);
    }
  }
  const median = (values: number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 1;
  const errors = [...groups.values()].map((group) => median(group.errors));
  const inside = [...groups.values()].flatMap((group) => group.inside);
  const share = (limit: number) => errors.filter((error) => error <= limit).length / errors.length;
  return {
    n: errors.length,
    median: median(errors),
    within25: share(0.25),
    within50: share(0.5),
    inside: inside.reduce((sum, value) => sum + value, 0) / inside.length,
  };
}

function print(label: string, rows: readonly MeasuredRow[]): void {
  if (rows.length === 0) {
    return;
  }
  const s = score(rows);
  const percent = (value: number) => `${Math.round(100 * value)} %`;
  console.log(
    `${label.padEnd(44)} n ${String(s.n).padStart(3)}  median ${(100 * s.median).toFixed(1)} %  within25 ${percent(s.within25)}  within50 ${percent(s.within50)}  range holds ${percent(s.inside)}`,
  );
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { worst: { type: "string", default: "20" }, group: { type: "string" }, all: { type: "boolean" } },
  });
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
