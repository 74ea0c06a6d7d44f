import type { Model, Variant } from "./model.ts";

/** A model with the variants of its repackagings added, each with the repository it is in; largest first. */
export function withRepackagings(model: Model, repackagings: readonly Model[]): Model {
  const added = repackagings.flatMap((other) =>
    other.variants.map((variant): Variant => ({ repository: other.name, ...variant })),
  );
  const variants = new Map<string, Variant>();
  for (const variant of [...model.variants, ...added]) {
    const { quantization, format, repository = model.name } = variant;
    const id = [quantization, format, repository].join("\n").toLowerCase();
    if (!variants.has(id)) variants.set(id, variant);
  }
  return { ...model, variants: [...variants.values()].sort((a, b) => (b.sizeGb ?? 0) - (a.sizeGb ?? 0)) };
}
