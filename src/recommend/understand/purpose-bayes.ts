import { readStaticFile, type StaticFile } from "../../embedding/index.ts";
import { softmax } from "./need-network.ts";
import { contentFeaturesOf, type WordFeatures } from "./text-features.ts";

/**
 * A naive Bayes classifier of purposes: which content words, and which pairs of them, people use for each purpose. It
 * corrects what the network reads. Both make different errors: the network knows like words, this one knows which rare
 * words go with a purpose.
 */
export interface PurposeBayes {
  /** Identifies the data: its version and content hash. */
  readonly id: string;
  /** The purposes, in the order of the shares. */
  readonly purposes: readonly string[];
  /**
   * Corrects shares of purposes, in place: their product with the probabilities of the words, each to a power that the file
   * has. The sum of all stays. Shares of words without a known feature stay as they are.
   *
   * @param shares of the purposes, in their order, 0 to 1.
   */
  correct(shares: Float32Array, words: readonly WordFeatures[]): void;
}

/** The facts in the head of the file. */
interface BayesFacts {
  id: string;
  purposes: string[];
  /** What a gain of 1 in the file stands for. */
  scale: number;
  /** How much the shares and the words count: exponents of the product. */
  exponents: { shares: number; words: number };
}

let loaded: PurposeBayes | undefined;

/** Reads the bundled classifier, once in a process. */
export function loadPurposeBayes(): PurposeBayes {
  loaded ??= createPurposeBayes(readStaticFile(new URL("./purpose-bayes.bin", import.meta.url)));
  return loaded;
}

/** A share that is added, so that the words can still name a purpose of which the shares know nothing. */
const LEAST_SHARE = 1e-6;

/**
 * Creates the classifier of a file. For each feature the file has the purposes whose texts have it, each with its gain:
 * by how much the logarithm of the probability is larger than for a purpose whose texts never have the feature.
 */
export function createPurposeBayes(file: StaticFile): PurposeBayes {
  const { id, purposes, scale, exponents } = file.facts as unknown as BayesFacts;
  const hashes = file.section("hashes", "u32");
  const starts = file.section("starts", "u32");
  const places = file.section("places", "u16");
  const gains = file.section("gains", "u8");
  const biases = file.section("biases", "f32");

  /**
   * The logarithm of the probability of the words under each purpose, up to a constant, and divided by the root of the
   * number of known features: they do not occur independently of each other. undefined if no feature is known.
   */
  const scores = (words: readonly WordFeatures[]): Float32Array | undefined => {
    const sums = new Float32Array(purposes.length);
    let known = 0;
    for (const hash of contentFeaturesOf(words)) {
      const row = placeOf(hash, hashes);
      if (row < 0) {
        continue;
      }
      known += 1;
      const end = starts[row + 1] as number;
      for (let at = starts[row] as number; at < end; at++) {
        const place = places[at] as number;
        sums[place] = (sums[place] as number) + scale * (gains[at] as number);
      }
    }
    if (known === 0) {
      return undefined;
    }
    const root = Math.sqrt(known);
    for (let place = 0; place < sums.length; place++) {
      sums[place] = ((sums[place] as number) + known * (biases[place] as number)) / root;
    }
    return sums;
  };

  return {
    id,
    purposes,
    correct(shares, words) {
      const corrected = scores(words);
      if (corrected === undefined) {
        return;
      }
      let before = 0;
      for (let place = 0; place < corrected.length; place++) {
        const share = shares[place] as number;
        before += share;
        corrected[place] =
          exponents.words * (corrected[place] as number) + exponents.shares * Math.log(share + LEAST_SHARE);
      }
      softmax(corrected, 1);
      for (let place = 0; place < corrected.length; place++) {
        shares[place] = (corrected[place] as number) * before;
      }
    },
  };
}

/** The place of a number among sorted ones; -1 if it is not there. A hash table, as `rowFinder` has it, would take another megabyte. */
function placeOf(number: number, sorted: Uint32Array): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = sorted[middle] as number;
    if (found === number) {
      return middle;
    }
    if (found < number) {
      low = middle + 1;
    } else {
      high = middle - 1;
    }
  }
  return -1;
}
