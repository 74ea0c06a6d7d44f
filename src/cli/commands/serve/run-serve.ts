import { stat } from "node:fs/promises";
import { type App, createApp } from "../../../app/index.ts";
import type { Config } from "../../../config/index.ts";
import { OpenCalls, startWatchdog } from "../../../observe/index.ts";
import type { CommandContext } from "../../command.ts";
import { CliError, exitCodes } from "../../errors.ts";
import { loadConfig } from "../../resources.ts";
import { onStopSignals } from "../../stop-signals.ts";
import { openingProgress } from "../../terminal/progress.ts";
import type { Terminal } from "../../terminal/terminal.ts";

const LEFT_BEHIND_MS = 1_000;

/** Does `modelscout serve`: until a signal stops it. */
export async function runServe({ args, terminal, env }: CommandContext): Promise<number> {
  const config = loadConfig({
    terminal,
    env: { ...env, ...optional("PORT", args.value("port")), ...optional("HOST", args.value("host")) },
  });
  await warnOfReaders(config.home, terminal);
  const progress = openingProgress(terminal);
  const openCalls = new OpenCalls();
  const app = await createApp(config, { ...progress, openCalls, acceptLoss: args.has("accept-loss") });
  const stopped = Promise.withResolvers<number>();
  let stopping = false;
  const release = onStopSignals({
    first(signal) {
      stopping = true;
      terminal.note(`${signal}: ending open calls, for ${config.drainMs / 1_000} s at most; once more stops at once`);
      app.close().then(() => stopped.resolve(exitCodes.done), stopped.reject);
    },
    second(signal) {
      // Nothing may delay a second signal; what is written is whole, because writes are transactions.
      process.exit(signal === "SIGINT" ? exitCodes.interrupted : exitCodes.terminated);
    },
  });
  const watchdog = startWatchdog({
    calls: openCalls,
    stallMs: config.watchdogMs,
    drainMs: config.drainMs,
    isLogged: config.logLevel !== "silent",
    onProblem: (problem) => terminal.note(`Warning: ${problem}`),
  });
  const { url } = await app.listen().catch(async (error) => {
    // Its thread would keep the process.
    await watchdog.stop();
    throw listenError(error, config);
  });
  try {
    terminal.note(`modelscout listens on ${terminal.paintNote("bold", url)}`);
    tellReady(app, url).catch((error) => {
      // A stop closes the inventory under whoever still waits for it.
      if (!stopping) {
        stopped.reject(error);
      }
    });
    return await stopped.promise;
  } catch (error) {
    await app.close({ force: true });
    throw error;
  } finally {
    progress.stop();
    release();
    await watchdog.stop();
    // By then all is closed. What a library left behind, such as an export that it tries again, must not keep the process.
    setTimeout(() => process.exit(), LEFT_BEHIND_MS).unref();
  }

  async function tellReady({ ready }: App, url: string): Promise<void> {
    const { inventory } = await ready;
    watchdog.arm();
    progress.stop();
    if (stopping) {
      return;
    }
    const { models, families } = await inventory.facetCounts();
    const trial = `curl "${url}/models/recommend?q=transcribe+meetings+on+a+laptop"`;
    terminal.note(
      [
        `${models} models of ${families.size} families are ready. Try:`,
        `  ${terminal.paintNote("cyan", config.tls === undefined ? trial : trial.replace("curl", "curl -k"))}`,
        `  ${terminal.paintNote("cyan", 'npx modelscout recommend "transcribe meetings on a laptop"')}`,
        ...limitsTold(config).map((line) => terminal.paintNote("dim", line)),
      ].join("\n"),
    );
  }
}

/** Warns of a home that was there before with a mode that lets others in: it may be meant so, so it is left as it is. */
async function warnOfReaders(home: string, terminal: Terminal): Promise<void> {
  const { mode } = (await stat(home).catch(() => undefined)) ?? { mode: 0 };
  if (process.platform === "win32" || (mode & 0o077) === 0) {
    return;
  }
  const octal = (mode & 0o777).toString(8);
  const warning = `Other users may look into ${home} (mode ${octal}); chmod 700 keeps them out`;
  terminal.note(`${terminal.paintNote("yellow", "Warning:")} ${warning}`);
}

/** How often callers without a key may ask, and how that changes. */
function limitsTold({ provisioning, freePerDay }: Config): string[] {
  const free = `${freePerDay} recommendations a day from one address (MODELSCOUT_FREE_PER_DAY)`;
  if (!provisioning) {
    return [`Keys are ignored (MODELSCOUT_PROVISIONING=off). Everyone has ${free}.`];
  }
  return [
    `Over the network, callers without a key have ${free}.`,
    "A key without that limit: npx modelscout keys create --tier pro; callers send it in the header X-API-Key.",
  ];
}

function listenError(error: NodeJS.ErrnoException, { host, port }: Config): Error {
  const place = `${host}, port ${port}`;
  switch (error.code) {
    case "EADDRINUSE":
      return new CliError(`Something listens on ${place} already; choose another port with --port or PORT`);
    case "EACCES":
      return new CliError(`This user may not listen on ${place}; choose a port from 1024 up with --port or PORT`);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return new CliError(`${host} is not an address of this machine; choose another with --host or HOST`);
    default:
      return error;
  }
}

function optional(name: string, value: string | undefined): Record<string, string> {
  return value === undefined ? {} : { [name]: value };
}
