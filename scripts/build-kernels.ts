/** Compiles src/embedding/vector-kernels.wat to the .wasm file beside it. `npm run generate` runs it. */
import { readFileSync, writeFileSync } from "node:fs";
import wabt from "wabt";

const text = new URL("../src/embedding/vector-kernels.wat", import.meta.url);
const { parseWat } = await wabt();
const module = parseWat("vector-kernels.wat", readFileSync(text, "utf8"), { simd: true });
module.validate();
writeFileSync(new URL("vector-kernels.wasm", text), module.toBinary({}).buffer);
