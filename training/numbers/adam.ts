/** The Adam optimiser with decoupled weight decay (AdamW), over one array of numbers. */
export class Adam {
  /** Add to it before each step, which sets it to zero again. */
  readonly gradient: Float32Array;
  readonly #values: Float32Array;
  readonly #rate: number;
  readonly #decay: number;
  readonly #first: Float32Array;
  readonly #second: Float32Array;
  #steps = 0;

  constructor(values: Float32Array, rate: number, decay: number) {
    this.#values = values;
    this.#rate = rate;
    this.#decay = decay;
    this.gradient = new Float32Array(values.length);
    this.#first = new Float32Array(values.length);
    this.#second = new Float32Array(values.length);
  }

  /** Moves the values against the gradient, at `pace` times the learning rate. */
  step(pace: number): void {
    const values = this.#values;
    const gradient = this.gradient;
    const first = this.#first;
    const second = this.#second;
    this.#steps++;
    const rate = this.#rate * pace;
    const firstScale = 1 / (1 - 0.9 ** this.#steps);
    const secondScale = 1 / (1 - 0.999 ** this.#steps);
    for (let at = 0; at < values.length; at++) {
      const slope = gradient[at]!;
      first[at] = 0.9 * first[at]! + 0.1 * slope;
      second[at] = 0.999 * second[at]! + 0.001 * slope * slope;
      values[at]! -=
        rate * ((first[at]! * firstScale) / (Math.sqrt(second[at]! * secondScale) + 1e-8) + this.#decay * values[at]!);
    }
    gradient.fill(0);
  }
}
