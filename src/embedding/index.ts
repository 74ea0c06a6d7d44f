export { ArrayPacker } from "./array-packer.ts";
export { addPackedRow, ByteVectors } from "./byte-vectors.ts";
export { openEncoder } from "./open-encoder.ts";
export { type Encoder, loadStaticEncoder } from "./static/static-encoder.ts";
export { parseStaticFile, readMatrices, readStaticFile, rowFinder, type StaticFile } from "./static/static-file.ts";
export { hashOf, wordsOf } from "./static/static-tokens.ts";
export { loadVocabulary, type Vocabulary, wordWeight } from "./static/static-vocabulary.ts";
export { dotProduct, type KernelMemory, Matrix, openKernels, placesOfHighest } from "./vector-kernels.ts";
