import { BINARY_GB } from "../devices/find-device.ts";
import { exchangeMs, exchangeOf } from "../devices/links.ts";
import type { Quantization } from "../model/bits.ts";
import type { CacheType, Layout } from "../model/layout.ts";
import type { Device, Estimate, ModelFigures, VariantFigures } from "../types.ts";
import type { Engine } from "./engines.ts";
import type { Memory } from "./memory.ts";
import type { Speed } from "./speed.ts";

/** Everything that an estimate was made from. */
export interface BasisInput {
  model: ModelFigures;
  variant: VariantFigures;
  quantization: Quantization;
  layout: Layout;
  device: Device;
  engine: Engine;
  /** Whether the caller named the engine. */
  engineGiven: boolean;
  /** The type of cached keys and values, if the caller named one. */
  cacheType: CacheType | undefined;
  /** Whether the engine leaves the device's graphics unused. */
  onProcessor: boolean;
  promptTokens: number;
  memory: Memory;
  estimate: Estimate;
  speed: Speed | undefined;
  /** The sentences about the speed of a model that generates no tokens. */
  throughputBasis: readonly string[];
  contextLength: number;
}

/** The figures and rules behind an estimate, as sentences. */
export function basisOf(input: BasisInput): string[] {
  const { device, engine, memory, speed, layout, quantization, estimate } = input;
  const texts = [...unknownCacheText(input), ...unpublishedText(input), deviceText(device), weightsText(input)];
  if (!quantization.known) {
    texts.push(
      `Quantization "${quantization.label}" is not listed; its name is read as ${round(memory.bits)} bits a weight.`,
    );
  }
  if (memory.companions) {
    texts.push(`Weights include ${memory.companions}.`);
  }
  if (speed) {
    texts.push(cacheText(input));
  }
  texts.push(`Overhead: ${round(estimate.overheadGb)} GB for the runtime, buffers and working memory.`, fitText(input));
  if (!engine.known) {
    texts.push("The engine is not listed; it is treated as llama.cpp, and the range of the speed is wider.");
  }
  if (speed) {
    const mixture = speed.activeParameters < (input.model.parameters ?? 0) * 0.9;
    texts.push(
      `Speed on ${engine.known ? engine.id : "a generic engine"}${input.engineGiven ? "" : ", the usual engine for this format"}: each token reads ${round(speed.readGb)} GB of weights` +
        `${mixture ? ` (${round(speed.activeParameters / 1e9)} B active parameters)` : ""} at ${round(speed.effectiveGbS)} GB/s` +
        ` (${Math.round((100 * speed.effectiveGbS) / device.bandwidthGbS)} % of the device's ${round(device.bandwidthGbS)}${coresText(device)}), which takes ${round(speed.weightsMs)} ms.` +
        ` In addition, reading the cache takes ${round(speed.cacheMs)} ms, the fixed work of ${layout.layers} layers ${round(speed.layersMs)} ms, and other work ${round(speed.tokenMs)} ms.`,
    );
    if (speed.offloadMs > 0) {
      texts.push(
        `The part that does not fit on the device is read from system memory or disk: ${round(speed.offloadMs)} ms a token.`,
      );
    }
    if (input.onProcessor) {
      texts.push("Ollama has no driver for these integrated graphics, so it computes on the processor.");
    }
    if (estimate.timeToFirstTokenMs !== undefined) {
      texts.push(
        `Time to the first token: ${round(estimate.timeToFirstTokenMs.likely)} ms (${round(estimate.timeToFirstTokenMs.low)} to ${round(estimate.timeToFirstTokenMs.high)}). In this time the engine reads a prompt of ${input.promptTokens} tokens in batches, which takes products with the weights and attention, and generates one token.`,
      );
    }
    if (device.count > 1) {
      texts.push(engine.tensorParallel ? togetherText(input) : inTurnsText(input));
    }
  }
  if (!speed) {
    texts.push(...input.throughputBasis);
    texts.push("There is no speed in tokens a second, because this kind of model does not generate tokens one by one.");
  }
  for (const assumption of device.assumed) {
    texts.push(`Assumed: ${assumption}.`);
  }
  return texts;
}

/** Tensor parallelism sends much data for a prompt, so the link between the cards matters there. */
function togetherText({ device, layout, promptTokens }: BasisInput): string {
  const exchange = exchangeOf(layout, device);
  const together = `${device.count} devices work on each token together.`;
  if (exchange === undefined) {
    return `${together} The time that the link between them takes is not known, and is not counted.`;
  }
  const { link, other } = exchange;
  const times = (of: typeof link) =>
    `at least ${round(exchangeMs(exchange, of, promptTokens))} ms for the prompt and` +
    ` ${round(exchangeMs(exchange, of, 1))} ms for a token over ${of.name} (${round(of.gbS)} GB/s in each direction)`;
  const also = other === undefined ? "" : `; ${times(other)}`;
  return (
    `${together} For each token, each device sends ${round(exchange.gbPerToken * 1000)} MB to the others. This takes` +
    ` ${times(link)}${also}. The time to the first token includes the time over ${link.name}.`
  );
}

/** Layers in turn pass one vector from card to card. */
function inTurnsText({ device, layout }: BasisInput): string {
  const passed =
    layout.hidden === undefined
      ? ""
      : `; a token passes ${round((layout.hidden * 2) / 1024)} KiB from one to the next, so the link between them hardly matters`;
  return `The layers are split over ${device.count} devices, which take turns, so they add memory, not speed${passed}.`;
}

function coresText(device: Device): string {
  if (device.kind !== "cpu" || device.processor === undefined) {
    return "";
  }
  return `; its cores unpack weights at ${round(device.processor.coresGbS)} GB/s`;
}

function deviceText(device: Device): string {
  const many = device.count > 1 ? `${device.count} x ` : "";
  return `${many}${device.name}: ${memoryText(device)} of memory, ${round(device.usableGb)} GB usable, ${round(device.bandwidthGbS)} GB/s.`;
}

/** A card's memory is sold in binary gigabytes, of which the usable part may be more than as many decimal ones. */
function memoryText({ kind, memoryGb }: Device): string {
  return kind === "gpu" ? `${round(memoryGb)} GiB (${round(memoryGb * BINARY_GB)} GB)` : `${round(memoryGb)} GB`;
}

const RESERVES: Record<Device["kind"], string> = {
  gpu: "the driver and a desktop take the rest of a card's memory",
  unified: "the operating system takes the rest of the shared memory",
  cpu: "the operating system takes the rest of the memory",
};

function fitText({ device, estimate }: BasisInput): string {
  const usable = round(device.usableGb * device.count);
  return `Fit: ${round(estimate.memoryGb)} GB of ${usable} GB usable, ${estimate.fit}; ${RESERVES[device.kind]}.`;
}

/** An unpublished variant cannot be downloaded, so the basis says early what has to be done. */
function unpublishedText({ variant, quantization }: BasisInput): string[] {
  return variant.unpublished
    ? [`No repository is known that publishes ${quantization.label}: search for a copy, or convert the model yourself.`]
    : [];
}

function weightsText({ memory, model, quantization }: BasisInput): string {
  const loaded = memory.halved ? "; engines load them with 16 bits on a card" : "";
  if (memory.weightsFrom !== "parameters") {
    const origin = memory.weightsFrom === "size" ? "the published size" : "a size computed from parameters and bits";
    return `Weights: ${round(memory.weightsGb)} GB, ${memory.halved ? "half of " : ""}${origin}${loaded}.`;
  }
  const billions = round((model.parameters ?? 0) / 1e9);
  return `Weights: ${billions} B parameters at ${round(memory.bits)} bits (${quantization.label})${loaded}, ${round(memory.weightsGb)} GB.`;
}

/** Unknown facts come first, because they may matter more than everything that follows. */
function unknownCacheText({ layout, estimate, contextLength }: BasisInput): string[] {
  const { kvCacheGb, kvCacheGbLow } = estimate;
  if (kvCacheGbLow === undefined) {
    return [];
  }
  const why = layout.tooNew
    ? "its generation is newer than those with a known layout"
    : "no configuration is known for its name and size";
  return [
    `The layout of this model's cache is not known: ${why}. At ${contextLength} tokens, a cache of ${round(kvCacheGbLow)} to ` +
      `${round(kvCacheGb)} GB is plausible; memory and fit are computed with the larger size.`,
  ];
}

function cacheText({ model, layout, estimate, contextLength, engine, cacheType }: BasisInput): string {
  const bytes = (layout.elementsPerToken * (layout.plausible?.high ?? 1) * engine.cacheBytes) / 1024;
  const from = {
    attention: `from the model's attention layout${model.attentionFrom === undefined ? "" : `; its source: ${model.attentionFrom}`}`,
    table: `from the known layout of ${layout.line}`,
    rule: "the most that is plausible for its parameters",
  }[layout.from];
  const window =
    layout.windowElementsPerToken > 0
      ? ` and ${round((layout.windowElementsPerToken * engine.cacheBytes) / 1024)} KiB within a window of ${layout.window} tokens`
      : "";
  const as = cacheType === undefined ? "" : ` as ${cacheType}, ${round(engine.cacheBytes)} bytes an element`;
  return `KV cache${as}: ${round(bytes)} KiB a token${window} (${from}); ${round(estimate.kvCacheGb)} GB for ${contextLength} tokens.`;
}

/** Three significant digits. */
function round(value: number): number {
  return Number(value.toPrecision(3));
}
