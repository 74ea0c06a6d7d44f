import { expect, test } from "vitest";
import { randomOf } from "../../../bench/scale/random.ts";
import { plainMemory } from "../../../src/embedding/vector-kernels.ts";
import { createTreeSum, type Tree } from "../../../src/recommend/score/learned/ranking-model.ts";

const FEATURES = 7;
const random = randomOf(11);

/** A random tree of at most a depth, with leaves on all levels. */
function treeOf(depth: number): Tree {
  const tree = { feature: [], threshold: [], left: [], right: [], value: [] } as Record<keyof Tree, number[]>;
  const grow = (left: number): number => {
    const node = tree.feature.length;
    const isLeaf = left === 0 || random.next() < 0.2;
    tree.feature.push(isLeaf ? -1 : Math.floor(random.next() * FEATURES));
    tree.threshold.push(isLeaf ? 0 : Math.fround(random.next()));
    tree.value.push(isLeaf ? Math.fround(random.next() - 0.5) : 0);
    tree.left.push(0);
    tree.right.push(0);
    if (!isLeaf) {
      tree.left[node] = grow(left - 1);
      tree.right[node] = grow(left - 1);
    }
    return node;
  };
  grow(depth);
  return tree;
}

/** The number of the leaf that a row leads to, from node to node. */
function leafOf(tree: Tree, row: Float32Array): number {
  let node = 0;
  while ((tree.feature[node] as number) >= 0) {
    const goesLeft = (row[tree.feature[node] as number] as number) <= (tree.threshold[node] as number);
    node = (goesLeft ? tree.left : tree.right)[node] as number;
  }
  return tree.value[node] as number;
}

test.each([
  [0, 3],
  [1, 0],
  [1, 4],
  [4, 1],
  [6, 5],
  [9, 3],
])("%i trees of depth %i sum to what walking from node to node gives, with both kinds of kernels", (count, depth) => {
  const trees = Array.from({ length: count }, () => treeOf(depth));
  const sums = [createTreeSum(trees, FEATURES), createTreeSum(trees, FEATURES, plainMemory)];
  for (let round = 0; round < 50; round++) {
    // Some values are thresholds themselves: they go left.
    const thresholds = trees.flatMap(({ threshold }) => threshold);
    const row = Float32Array.from({ length: FEATURES }, () =>
      random.next() < 0.3 && thresholds.length > 0
        ? (thresholds[Math.floor(random.next() * thresholds.length)] as number)
        : random.next(),
    );
    const expected = trees.reduce((sum, tree) => sum + leafOf(tree, row), 0);
    expect(sums.map((sumOf) => sumOf(row))).toEqual([expected, expected]);
  }
});
