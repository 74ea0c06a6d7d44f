/** Fails where gen/ is not what `npm run generate` makes of the contract, or holds files that are not committed. */
import { execFileSync } from "node:child_process";

const changed = execFileSync("git", ["status", "--porcelain", "--", "gen"], { encoding: "utf8" });
if (changed !== "") {
  console.error(`gen/ is not what proto/ generates. Run \`npm run generate\` and commit what it changes:\n${changed}`);
  process.exit(1);
}
