import type { Architecture, Device } from "../types.ts";

/**
 * Watts of a card for each TFLOPS of single precision: the mean of the GeForce cards with 60 to 80 in their numbers, from
 * NVIDIA's product pages. Cards with less power do not hold their clock while they read a prompt.
 */
const usualWattsPerTflops: Partial<Record<Architecture, number>> = {
  turing: 22,
  ampere: 11.5,
  ada: 6.8,
  blackwell: 7.2,
};

/**
 * Board power in watts of NVIDIA's cards that have less of it for their size than the usual GeForce card, from the data
 * sheets of the cards. Large matrix products draw so much that these cards lower their clock. Laptop cards are not here,
 * as their power differs from one notebook to the next.
 */
const watts: ReadonlyMap<string, number> = new Map([
  ["Tesla T4", 70],
  ["Quadro RTX 4000", 160],
  ["Quadro RTX 5000", 230],
  ["Quadro RTX 6000", 260],
  ["Quadro RTX 8000", 260],
  ["A2", 60],
  ["A10", 150],
  ["A40", 300],
  ["RTX A1000", 50],
  ["RTX A2000", 70],
  ["RTX A4000", 140],
  ["RTX A4500", 200],
  ["RTX A5000", 230],
  ["RTX A5500", 230],
  ["RTX A6000", 300],
  ["RTX 3090", 350],
  ["RTX 3080 Ti", 350],
  ["L4", 72],
  ["L40", 300],
  ["L40S", 350],
  ["RTX 2000 Ada", 70],
  ["RTX 4000 SFF Ada", 70],
  ["RTX 4000 Ada", 130],
  ["RTX 4500 Ada", 210],
  ["RTX 5000 Ada", 250],
  ["RTX 5880 Ada", 285],
  ["RTX 6000 Ada", 300],
  ["RTX 4090 D", 425],
  ["RTX 4090", 450],
  ["RTX 5090", 575],
  ["RTX 5090 D", 575],
  ["RTX PRO 2000 Blackwell", 70],
  ["RTX PRO 4000 SFF Blackwell", 70],
  ["RTX PRO 4000 Blackwell", 140],
  ["RTX PRO 4500 Blackwell", 200],
  ["RTX PRO 5000 Blackwell", 300],
  ["RTX PRO 6000 Blackwell Max-Q", 300],
  ["RTX PRO 6000 Blackwell Server", 600],
  ["RTX PRO 6000 Blackwell", 600],
]);

/**
 * Share of the throughput that a card sustains, compared with the usual card of its architecture: the clock falls with
 * the root of the power, because power rises with the clock and the square of the voltage. 1 for other cards.
 */
export function powerShare({
  name,
  architecture,
  fp32Tflops,
}: Pick<Device, "name" | "architecture" | "fp32Tflops">): number {
  const board = watts.get(name);
  const usual = usualWattsPerTflops[architecture];
  return board === undefined || usual === undefined || fp32Tflops === undefined
    ? 1
    : Math.min(1, Math.sqrt(board / fp32Tflops / usual));
}
