/** Ends with npm like the service. It prints its name, its id and what happens to it. Arguments: its name. */
import { endWithNpm } from "../../../src/cli/stop-signals.ts";

const name = process.argv[2];
endWithNpm({ npm_lifecycle_event: "npx" });
process.on("SIGTERM", () => {
  console.log(`${name} ends`);
  process.exit();
});
console.log(`${name} runs as ${process.pid}`);
setInterval(() => console.log(`${name} lives`), 250);
