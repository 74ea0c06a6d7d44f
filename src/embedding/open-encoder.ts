import type { Encoder } from "./static/static-encoder.ts";
import type { TransformersOptions } from "./transformers/encoder.ts";

/**
 * Opens the configured encoder. Loads only what this kind of encoder needs.
 *
 * @param name `bundled`, or a transformers.js model id or folder.
 * @param options of a transformers.js model; the bundled encoder has none.
 */
export async function openEncoder(name: string, options: TransformersOptions = {}): Promise<Encoder> {
  if (name === "bundled") {
    const { loadStaticEncoder } = await import("./static/static-encoder.ts");
    return loadStaticEncoder();
  }
  const { openTransformersEncoder } = await import("./transformers/encoder.ts");
  return openTransformersEncoder(name, options);
}
