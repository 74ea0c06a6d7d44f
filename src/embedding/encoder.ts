/** Turns texts into vectors. The dot product of two vectors says how close their texts are in meaning. */
export interface Encoder {
  /** Names the encoder and its version. Vectors of different ids cannot be compared. */
  readonly id: string;
  /** Length of every vector. */
  readonly dimensions: number;
  /**
   * @returns a vector of length 1 for each text, in order. All zeros for a text without a known word.
   */
  encode(texts: readonly string[]): Promise<Float32Array[]>;
  /** Frees what the encoder holds. */
  close(): Promise<void>;
}
