// Plain JavaScript that any Node since 14 understands.

/** The first version of Node that runs the program. */
const NEEDED = 24;

/** Whether a Node of a version, such as "24.1.0", runs the program. */
export function isNewEnough(version) {
  return Number(version.split(".")[0]) >= NEEDED;
}

/** Says on standard error how to get the Node that the program needs, and lets the process end with status 1. */
export function sayWhatIsNeeded() {
  console.error(`Error: modelscout needs Node ${NEEDED} or newer, and this is Node ${process.versions.node}.`);
  console.error(`Install Node ${NEEDED} (https://nodejs.org), or let npm install it beside modelscout:`);
  console.error(`  npm install node@${NEEDED}`);
  console.error("In a clone, npm ci installs it unless you leave out the development packages or npm's scripts.");
  process.exitCode = 1;
}
