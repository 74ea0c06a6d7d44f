/** Syncs the Hub in a background process: node start-task.ts HOME HUB_URL. */
import { runTask } from "../../../src/app/background/run-task.ts";
import { readConfig } from "../../../src/config/config.ts";

const [home, hubUrl] = process.argv.slice(2) as [string, string];
const { config } = readConfig({ MODELSCOUT_HOME: home, MODELSCOUT_HUB_URL: hubUrl });
await runTask({ kind: "sync", source: "huggingface", bounds: {} }, { config });
