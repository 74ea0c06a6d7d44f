/** Removes the mean and the first principal direction from the rows, and scales each to length 1. */
export function centre(vectors: Float32Array, dimensions: number, rows: readonly number[]): void {
  const mean = new Float64Array(dimensions);
  for (const row of rows) {
    for (let at = 0; at < dimensions; at++) {
      mean[at]! += vectors[row * dimensions + at]!;
    }
  }
  for (let at = 0; at < dimensions; at++) {
    mean[at]! /= rows.length;
  }
  for (const row of rows) {
    for (let at = 0; at < dimensions; at++) {
      vectors[row * dimensions + at]! -= mean[at]!;
    }
  }
  let direction = Float64Array.from({ length: dimensions }, (_, at) => 1 / (at + 1));
  for (let pass = 0; pass < 30; pass++) {
    const next = new Float64Array(dimensions);
    for (const row of rows) {
      let dot = 0;
      for (let at = 0; at < dimensions; at++) {
        dot += vectors[row * dimensions + at]! * direction[at]!;
      }
      for (let at = 0; at < dimensions; at++) {
        next[at]! += dot * vectors[row * dimensions + at]!;
      }
    }
    const length = Math.hypot(...next);
    direction = next.map((value) => value / length);
  }
  for (const row of rows) {
    const vector = vectors.subarray(row * dimensions, (row + 1) * dimensions);
    let dot = 0;
    for (let at = 0; at < dimensions; at++) {
      dot += vector[at]! * direction[at]!;
    }
    for (let at = 0; at < dimensions; at++) {
      vector[at]! -= dot * direction[at]!;
    }
    scaleToUnitLength(vector);
  }
}

/** Scales a vector to length 1; zeros stay zeros. */
export function scaleToUnitLength(vector: Float32Array): void {
  let sum = 0;
  for (const value of vector) {
    sum += value * value;
  }
  if (sum === 0) {
    return;
  }
  const length = Math.sqrt(sum);
  for (let at = 0; at < vector.length; at++) {
    vector[at]! /= length;
  }
}

/** Rotates the space so that the variance of the first `count` rows falls from the first dimension to the last. */
export function rotate(vectors: Float32Array, dimensions: number, count: number): void {
  const covariance = Array.from({ length: dimensions }, () => new Float64Array(dimensions));
  for (let row = 0; row < count; row++) {
    for (let a = 0; a < dimensions; a++) {
      const value = vectors[row * dimensions + a]!;
      for (let b = a; b < dimensions; b++) {
        covariance[a]![b]! += value * vectors[row * dimensions + b]!;
      }
    }
  }
  for (let a = 0; a < dimensions; a++) {
    for (let b = 0; b < a; b++) {
      covariance[a]![b] = covariance[b]![a]!;
    }
  }
  const axes = jacobi(covariance);
  const turned = new Float32Array(dimensions);
  for (let start = 0; start < vectors.length; start += dimensions) {
    for (let axis = 0; axis < dimensions; axis++) {
      let dot = 0;
      for (let at = 0; at < dimensions; at++) {
        dot += axes[axis]![at]! * vectors[start + at]!;
      }
      turned[axis] = dot;
    }
    vectors.set(turned, start);
  }
}

/**
 * Returns the eigenvectors of a symmetric matrix, largest eigenvalue first, by Jacobi's rotations, which overwrite it.
 */
function jacobi(matrix: Float64Array[]): Float64Array[] {
  const size = matrix.length;
  const axes = Array.from({ length: size }, (_, at) => {
    const axis = new Float64Array(size);
    axis[at] = 1;
    return axis;
  });
  for (let sweep = 0; sweep < 15; sweep++) {
    for (let p = 0; p < size; p++) {
      for (let q = p + 1; q < size; q++) {
        const off = matrix[p]![q]!;
        if (Math.abs(off) < 1e-12) {
          continue;
        }
        const theta = (matrix[q]![q]! - matrix[p]![p]!) / (2 * off);
        const tangent = Math.sign(theta || 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
        const cosine = 1 / Math.sqrt(tangent * tangent + 1);
        const sine = tangent * cosine;
        for (let at = 0; at < size; at++) {
          const a = matrix[at]![p]!;
          const b = matrix[at]![q]!;
          matrix[at]![p] = cosine * a - sine * b;
          matrix[at]![q] = sine * a + cosine * b;
        }
        for (let at = 0; at < size; at++) {
          const a = matrix[p]![at]!;
          const b = matrix[q]![at]!;
          matrix[p]![at] = cosine * a - sine * b;
          matrix[q]![at] = sine * a + cosine * b;
          const c = axes[p]![at]!;
          const d = axes[q]![at]!;
          axes[p]![at] = cosine * c - sine * d;
          axes[q]![at] = sine * c + cosine * d;
        }
      }
    }
  }
  const strength = axes.map((_, at) => matrix[at]![at]!);
  return [...axes.keys()].sort((a, b) => strength[b]! - strength[a]!).map((at) => axes[at]!);
}
