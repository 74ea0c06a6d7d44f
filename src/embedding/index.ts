export { ArrayPacker } from "./array-packer.ts";
export { ByteVectors } from "./byte-vectors.ts";
export type { Encoder } from "./encoder.ts";
export { openEncoder } from "./open-encoder.ts";
export { loadStaticEncoder } from "./static/static-encoder.ts";
export { readStaticFile, rowFinder, type StaticFile } from "./static/static-file.ts";
export { hashOf, wordsOf } from "./static/static-tokens.ts";
export { loadVocabulary, type Vocabulary, wordWeight } from "./static/static-vocabulary.ts";
export { createMatrices, dotProduct, type KernelMemory, Matrix, openKernels } from "./vector-kernels.ts";
