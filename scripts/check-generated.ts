/** Fails if the files that `npm run generate` writes differ from what is committed. */
import { execFileSync } from "node:child_process";

const changed = execFileSync("git", ["status", "--porcelain", "--", "gen", "src/embedding/vector-kernels.wasm"], {
  encoding: "utf8",
});
if (changed !== "") {
  console.error(
    `Generated files do not match their sources. Run \`npm run generate\` and commit its changes:\n${changed}`,
  );
  process.exit(1);
}
