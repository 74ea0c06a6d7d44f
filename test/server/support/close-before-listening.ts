import { createApp } from "../../../src/app/app.ts";
import { readConfig } from "../../../src/config/config.ts";

/**
 * Makes a service in the folder that is the first argument, closes it before it listens, and prints what still keeps
 * the process from ending, as a JSON list.
 */
const { config } = readConfig({ PORT: "0", LOG_LEVEL: "silent", MODELSCOUT_HOME: process.argv[2] });
const before = process.getActiveResourcesInfo();
const app = await createApp(config);
await app.close();
const left = process.getActiveResourcesInfo();
for (const name of before) {
  if (left.includes(name)) {
    left.splice(left.indexOf(name), 1);
  }
}
console.log(JSON.stringify(left));
