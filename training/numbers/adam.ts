/** The Adam optimiser with decoupled weight decay (AdamW; Loshchilov and Hutter 2019), over one array of numbers. */
export class Adam {
  /** Add to it before each step, which sets what it moves to zero again. */
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

  /**
   * Moves the values against the gradient, at `pace` times the learning rate.
   *
   * @param rows only these rows of `width` numbers move. Default: all values.
   */
  step(pace: number, rows: Iterable<number> = [0], width = this.#values.length): void {
    const values = this.#values;
    const gradient = this.gradient;
    const first = this.#first;
    const second = this.#second;
    this.#steps++;
    const rate = this.#rate * pace;
    const firstScale = 1 / (1 - 0.9 ** this.#steps);
    const secondScale = 1 / (1 - 0.999 ** this.#steps);
    for (const row of rows) {
      const end = (row + 1) * width;
      for (let at = row * width; at < end; at++) {
        const slope = gradient[at]!;
        first[at] = 0.9 * first[at]! + 0.1 * slope;
        second[at] = 0.999 * second[at]! + 0.001 * slope * slope;
        values[at]! -=
          rate *
          ((first[at]! * firstScale) / (Math.sqrt(second[at]! * secondScale) + 1e-8) + this.#decay * values[at]!);
      }
      gradient.fill(0, row * width, end);
    }
  }
}
