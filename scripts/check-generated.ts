/** Fails if gen/ differs from the result of `npm run generate`, or contains files that are not committed. */
import { execFileSync } from "node:child_process";

const changed = execFileSync("git", ["status", "--porcelain", "--", "gen"], { encoding: "utf8" });
if (changed !== "") {
  console.error(`gen/ does not match proto/. Run \`npm run generate\` and commit its changes:\n${changed}`);
  process.exit(1);
}
