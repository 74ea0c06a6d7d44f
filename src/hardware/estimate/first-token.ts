import { powerShare } from "../devices/board-power.ts";
import { backends, CORE_TFLOPS_PER_GB_S, prefill, shared } from "../devices/calibration.ts";
import { vendorOf } from "../devices/catalog.ts";
import { exchangeMs, exchangeOf } from "../devices/links.ts";
import { GENERIC_PROCESSOR } from "../devices/processors/find-cpu.ts";
import type { Layout } from "../model/layout.ts";
import type { Device } from "../types.ts";
import type { Engine } from "./engines.ts";

/** A prompt, the model that reads it, and where. */
export interface Prompt {
  promptTokens: number;
  layout: Layout;
  device: Device;
  engine: Engine;
  /** All weights in 10^9 bytes, and those that lie in system memory and on disk. */
  weightsGb: number;
  offloadGb: number;
  diskGb: number;
}

/** The part of the weights that a token uses. */
export interface PromptWork {
  /** Parameters used for one token. */
  active: number;
  /** Those of them that are in routed experts. */
  routed: number;
  /** All parameters in routed experts. 0 without any. */
  routedTotal: number;
  /** GB/s that reading the weights reaches. */
  weightsGbS: number;
}

/** GB/s that PCIe 4.0 with 16 lanes reaches. */
const BUS_GB_S = 20;

/** The time to read a prompt, and half of its range's width as the logarithm of a factor. */
export interface PromptTime {
  ms: number;
  spread: number;
}

/**
 * Milliseconds to read a prompt. Runtimes read it in batches. A batch takes the time for its products with the weights
 * or for reading the weights, which overlap, and the time for attention. With tensor parallelism the cards' link takes its
 * time too. Undefined if the device's throughput is not known.
 *
 * @param uncertainty half of the range's width that the model, its engine and the place of its weights cause, as the
 * logarithm of a factor.
 */
export function promptTime(prompt: Prompt, work: PromptWork, uncertainty: number): PromptTime | undefined {
  const { promptTokens, device, engine } = prompt;
  const tflops = peakTflops(device);
  if (tflops === undefined) {
    return undefined;
  }
  if (promptTokens === 0) {
    return { ms: 0, spread: 0 };
  }
  const parallel = engine.tensorParallel ? 1 + (device.count - 1) * shared.tensorParallelGain : 1;
  const gflopsPerMs = tflops * backends[device.architecture].prefillShare * powerShare(device) * parallel;
  const batch = Math.min(promptTokens, prefill.batchTokens);
  const batches = promptTokens / batch;
  const productsMs = (2 * batch * costOf(work, batch)) / (gflopsPerMs * 1e9);
  const readMs = (readGb(prompt, work, batch) / work.weightsGbS) * 1000;
  const attentionShare = device.architecture === "rdna4" ? prefill.attentionShareOfRdna4 : prefill.attentionShare;
  const attentionMs = attentionGflops(prompt) / (gflopsPerMs * attentionShare);
  // Each batch moves the offloaded weights over the bus once, and reads those on disk once.
  const movedMs = (prompt.offloadGb / BUS_GB_S + prompt.diskGb / shared.diskGbS) * 1000;
  const exchange = engine.tensorParallel ? exchangeOf(prompt.layout, device) : undefined;
  const linkMs = exchange === undefined ? 0 : exchangeMs(exchange, exchange.link, promptTokens);
  const ms = batches * (Math.cbrt(productsMs ** 3 + readMs ** 3) + movedMs) + attentionMs + linkMs;
  const ofDevice = prefill.spread[vendorOf(device)] * device.doubt;
  return { ms, spread: Math.hypot(ofDevice, (prefill.attentionSpread * attentionMs) / ms, uncertainty) };
}

function peakTflops({ kind, processor, fp16Tflops }: Device): number | undefined {
  return kind === "cpu" ? (processor ?? GENERIC_PROCESSOR).coresGbS * CORE_TFLOPS_PER_GB_S : fp16Tflops;
}

/**
 * Parameters that a token costs. A used expert gets only its part of a batch, which fills the tiles of matrix products
 * badly, so that its parameters cost more.
 */
function costOf(work: PromptWork, batch: number): number {
  const { active, routed, routedTotal } = work;
  if (routedTotal === 0) {
    return active;
  }
  const tokensOfExpert = (batch * routed) / (routedTotal * usedShare(work, batch));
  return active - routed + routed * (1 + prefill.expertTileTokens / tokensOfExpert);
}

/** 10^9 bytes that a batch reads on the device: of a mixture, the experts that some token of the batch uses. */
function readGb({ weightsGb, offloadGb, diskGb }: Prompt, work: PromptWork, batch: number): number {
  return Math.max(0, weightsGb - offloadGb - diskGb) * usedShare(work, batch);
}

/** The share of the experts that some token of a batch uses. 1 without experts. */
function usedShare({ routed, routedTotal }: PromptWork, batch: number): number {
  return routedTotal === 0 ? 1 : 1 - (1 - routed / routedTotal) ** batch;
}

/** 10^9 operations of attention: each token with half of the prompt on average, or with the window. */
function attentionGflops({ promptTokens, layout }: Prompt): number {
  const { queryWidth, windowQueryWidth, window } = layout;
  const compared = queryWidth * (promptTokens / 2) + windowQueryWidth * Math.min(window, promptTokens / 2);
  return (4 * promptTokens * compared) / 1e9;
}
