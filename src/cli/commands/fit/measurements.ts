import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Device, Estimate, FittedModel, FittedVariant } from "../../../hardware/index.ts";
import { CliError } from "../../errors.ts";

/** A speed that the user measured, and what was estimated then without any correction. */
const measurementSchema = z.object({
  model: z.string().min(1),
  quantization: z.string().min(1),
  device: z.string().min(1),
  tokensPerSecond: z.number().positive(),
  /** What the estimate said, in tokens a second. */
  estimated: z.number().positive(),
  /** The day, such as 2026-11-23. */
  day: z.string(),
});

export type Measurement = z.infer<typeof measurementSchema>;

const FILE = "measured-speeds.json";
/** The newest are kept. */
const MOST_KEPT = 200;
/** A repeated measurement differs by this much: half of the range's width, as the logarithm of a factor. */
const OWN_SPREAD = 0.1;
/** A speed this far below the estimate was not reached by this device: another program used it, or the processor ran it. */
const LEAST_SHARE = 0.05;
/** Boost clocks and caches let a device read a little more than its data sheet says. */
const BOUND_TOLERANCE = 1.05;

/** The measurements in the home; none without the file. @throws CliError naming the file if it cannot be read. */
export async function readMeasurements(home: string): Promise<Measurement[]> {
  const file = join(home, FILE);
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") {
      return "[]";
    }
    throw error;
  });
  try {
    return z.array(measurementSchema).parse(JSON.parse(text));
  } catch {
    throw new CliError(`${file} does not contain measured speeds in the expected form; correct or delete it`);
  }
}

/** Keeps a measurement in the place of an earlier one of the same model, form and device. */
export async function keepMeasurement(home: string, added: Measurement): Promise<Measurement[]> {
  const before = (await readMeasurements(home)).filter((one) => !isOf(one, added) || one.device !== added.device);
  const all = [...before, added].slice(-MOST_KEPT);
  await mkdir(home, { recursive: true });
  const file = join(home, FILE);
  await writeFile(`${file}.new`, `${JSON.stringify(all, null, 2)}\n`);
  await rename(`${file}.new`, file);
  return all;
}

/** Devices with the same key are the same for measurements. */
export function deviceKey({ name, memoryGb, bandwidthGbS, count }: Device): string {
  return `${count} x ${name}, ${memoryGb} GB, ${Math.round(bandwidthGbS)} GB/s`;
}

/**
 * Why a speed cannot be right for a form on a device, in words; undefined if it can.
 *
 * Each token reads all active weights, so that bandwidth / weights is a bound that no program passes. Where the
 * bandwidth is assumed, the bound is wider. There is none if the model may be a mixture that reads less.
 */
export function impossibility(
  tokensPerSecond: number,
  { readGb, isReadKnown, tokensPerSecond: speed }: Estimate,
  device: Device,
): string | undefined {
  if (speed === undefined || readGb === undefined) {
    return "is in tokens a second, but this model does not generate tokens one by one";
  }
  const gbS = (device.allGbS ?? device.bandwidthGbS * device.count) * device.doubt;
  const most = gbS / readGb;
  if (isReadKnown && tokensPerSecond > most * BOUND_TOLERANCE) {
    return (
      `is ${tokensPerSecond}, more than ${device.name} can do: ${round(gbS)} GB/s ÷ ${round(readGb)} GB read for each token ` +
      `is ${round(most)} tokens a second. Give the speed of one user without speculative decoding, and the form that was measured` +
      (device.allGbS === undefined ? "; if the memory is faster, give its GB/s with --bandwidth" : "")
    );
  }
  if (tokensPerSecond < speed.likely * LEAST_SHARE) {
    return (
      `is ${tokensPerSecond}, far below the ${round(speed.likely)} tokens a second that ${device.name} should reach; ` +
      "check that the model ran on this device, and name the right one"
    );
  }
  return undefined;
}

/**
 * Corrects a model's speeds on a device by the measurements on it. The measured form has the measured speed. Other
 * forms and models get a part of the ratio between measured and estimated: half of it after one measurement, two thirds
 * after two, and so on, because a part of each error belongs to the model measured and not to the device.
 */
export function corrected(fitted: FittedModel, model: string, all: readonly Measurement[]): FittedModel {
  const here = all.filter(({ device }) => device === deviceKey(fitted.device));
  return here.length === 0 ? fitted : { ...fitted, rows: fitted.rows.map((row) => correctedRow(row, model, here)) };
}

function correctedRow(row: FittedVariant, model: string, here: readonly Measurement[]): FittedVariant {
  const { estimate } = row;
  const speed = estimate.tokensPerSecond;
  if (speed === undefined) {
    return row;
  }
  const own = here.find((one) => isOf(one, { model, quantization: estimate.quantization }));
  const logs = here.map(({ tokensPerSecond, estimated }) => Math.log(tokensPerSecond / estimated));
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  const factor = Math.exp((mean * logs.length) / (logs.length + 1));
  // With another context or engine than in the measurement, the ratio is kept, not the speed.
  const likely = own === undefined ? speed.likely * factor : speed.likely * (own.tokensPerSecond / own.estimated);
  const range =
    own === undefined
      ? { low: speed.low * factor, likely, high: speed.high * factor }
      : { low: likely * Math.exp(-OWN_SPREAD), likely, high: likely * Math.exp(OWN_SPREAD) };
  const text =
    own === undefined
      ? `Your ${here.length === 1 ? "measurement" : `${here.length} measurements`} on this device changed the speed by a factor of ${round(factor)}: ${round(speed.likely)} became ${round(likely)} tokens a second.`
      : `You measured ${round(own.tokensPerSecond)} tokens a second (${own.day}), and ${round(own.estimated)} were estimated: ${round(speed.likely)} became ${round(likely)} tokens a second.`;
  return { ...row, estimate: { ...estimate, tokensPerSecond: range, basis: [text, ...(estimate.basis ?? [])] } };
}

function isOf(one: Measurement, { model, quantization }: Pick<Measurement, "model" | "quantization">): boolean {
  return (
    one.model.toLowerCase() === model.toLowerCase() && one.quantization.toLowerCase() === quantization.toLowerCase()
  );
}

/** Three significant digits. */
function round(value: number): number {
  return Number(value.toPrecision(3));
}
