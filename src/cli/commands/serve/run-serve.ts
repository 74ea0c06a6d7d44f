import { stat } from "node:fs/promises";
import { type App, createApp } from "../../../app/index.ts";
import type { Config } from "../../../config/index.ts";
import { OpenCalls, startWatchdog } from "../../../observe/index.ts";
import type { CommandContext } from "../../command.ts";
import { CliError, exitCodes, UsageError } from "../../errors.ts";
import { loadConfig } from "../../resources.ts";
import { endWithNpm, onStopSignals } from "../../stop-signals.ts";
import { openingProgress } from "../../terminal/progress.ts";
import type { Terminal } from "../../terminal/terminal.ts";

const MOST_PORT = 65_535;
const LEFTOVER_GRACE_MS = 1_000;
/** How long closing may take after the drain limit, in milliseconds. Then the process ends. */
const HARD_END_MS = 5_000;

/** Runs `modelscout serve` until a signal stops it. */
export async function runServe({ args, terminal, env }: CommandContext): Promise<number> {
  const port = args.value("port");
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) <= MOST_PORT)) {
    throw new UsageError("serve", [
      `--port: is ${JSON.stringify(port)}; must be a whole number from 0 to ${MOST_PORT}`,
    ]);
  }
  const config = loadConfig({
    terminal,
    env: { ...env, ...optional("PORT", port), ...optional("HOST", args.value("host")) },
  });
  await warnOfReaders(config.home, terminal);
  const progress = openingProgress(terminal);
  const openCalls = new OpenCalls();
  const app = await createApp(config, { ...progress, openCalls, acceptLoss: args.has("accept-loss") });
  const stopped = Promise.withResolvers<number>();
  let stopping = false;
  let isOpen = false;
  const release = onStopSignals({
    first(signal) {
      stopping = true;
      terminal.note(
        `${signal}: waiting up to ${config.drainMs / 1_000} s for open calls; a second signal stops at once`,
      );
      app.close().then(() => stopped.resolve(exitCodes.done), stopped.reject);
      // Opening may wait for a disk that does not answer; nothing that takes longer than this ends by itself.
      setTimeout(() => {
        terminal.note(
          "Some work did not end in time, and the process ends now. All writes that were confirmed are stored",
        );
        killSelf();
      }, config.drainMs + HARD_END_MS).unref();
    },
    second(signal) {
      // A second signal must act at once. Stored data stays consistent, because writes are transactions.
      if (!isOpen) {
        killSelf();
      }
      process.exit(signal === "SIGINT" ? exitCodes.interrupted : exitCodes.terminated);
    },
  });
  const leaveNpm = endWithNpm(env);
  const watchdog = startWatchdog({
    calls: openCalls,
    stallMs: config.watchdogMs,
    drainMs: config.drainMs,
    isLogged: config.logLevel !== "silent",
    onProblem: (problem) => terminal.note(`Warning: ${problem}`),
  });
  const { url } = await app.listen().catch(async (error) => {
    // Its thread would keep the process alive.
    await watchdog.stop();
    throw listenError(error, config);
  });
  try {
    terminal.note(`modelscout listens on ${terminal.paintNote("bold", url)}`);
    printReady(app, url).catch((error) => {
      // During a stop, the inventory closes while this waits for it.
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
    leaveNpm();
    release();
    await watchdog.stop();
    // Everything is closed by now. Work that a library left behind, such as a repeated export, must not keep the
    // process alive.
    setTimeout(() => process.exit(), LEFTOVER_GRACE_MS).unref();
  }

  async function printReady({ ready }: App, url: string): Promise<void> {
    const { inventory } = await ready;
    isOpen = true;
    watchdog.arm();
    progress.stop();
    if (stopping) {
      return;
    }
    const { models, families } = await inventory.facetCounts();
    // All addresses of this machine are no address to call.
    const callable = url.replace(/\/\/(?:0\.0\.0\.0|\[::\])(?=:)/, "//127.0.0.1");
    const trial = `curl "${callable}/models/recommend?q=transcribe+meetings+on+a+laptop"`;
    terminal.note(
      [
        `${models} models of ${families.size} families are ready. Try:`,
        `  ${terminal.paintNote("cyan", config.tls === undefined ? trial : trial.replace("curl", "curl -k"))}`,
        `  ${terminal.paintNote("cyan", 'npx modelscout recommend "transcribe meetings on a laptop"')}`,
        ...limitLines(config).map((line) => terminal.paintNote("dim", line)),
      ].join("\n"),
    );
  }
}

/** Ends the process also while a file is read from a disk that does not answer: process.exit() would wait for it. */
function killSelf(): void {
  process.kill(process.pid, "SIGKILL");
}

/** Warns if other users can read an existing home. The mode may be intended, so it is not changed. */
async function warnOfReaders(home: string, terminal: Terminal): Promise<void> {
  const { mode } = (await stat(home).catch(() => undefined)) ?? { mode: 0 };
  if (process.platform === "win32" || (mode & 0o077) === 0) {
    return;
  }
  const octal = (mode & 0o777).toString(8);
  const warning = `Other users can read ${home} (mode ${octal}); chmod 700 prevents this`;
  terminal.note(`${terminal.paintNote("yellow", "Warning:")} ${warning}`);
}

/** The limits of callers without a key, and how to change them. */
function limitLines({ provisioning, freePerDay, loopbackQuota }: Config): string[] {
  const free = `${freePerDay} recommendation${freePerDay === 1 ? "" : "s"} a day from one address (MODELSCOUT_FREE_PER_DAY)`;
  if (!provisioning) {
    return [`Keys are ignored (MODELSCOUT_PROVISIONING=off). Everyone has ${free}.`];
  }
  return [
    loopbackQuota
      ? `Callers without a key have ${free}, also on this machine. MODELSCOUT_LOOPBACK_QUOTA=off removes this limit on this machine.`
      : `Callers without a key have ${free}; on this machine they have no limit.`,
    "To create a key without this limit: npx modelscout keys create --tier pro. Callers send it in the header X-API-Key.",
  ];
}

function listenError(error: NodeJS.ErrnoException, { host, port }: Config): Error {
  const place = `${host}, port ${port}`;
  switch (error.code) {
    case "EADDRINUSE":
      return new CliError(`Another program already listens on ${place}; choose another port with --port or PORT`);
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
