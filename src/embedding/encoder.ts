/** Turns texts into vectors whose dot product says how near two texts are in meaning. */
export interface Encoder {
  /** Names the encoder and its version; vectors of different ids cannot be compared. */
  readonly id: string;
  /** Length of every vector. */
  readonly dimensions: number;
  /**
   * @returns one vector of length 1 a text, in order; all zeros for a text with no known word.
   */
  encode(texts: readonly string[]): Promise<Float32Array[]>;
  /** Frees what the encoder holds. */
  close(): Promise<void>;
}
