/** How often the parent is looked at, in milliseconds. */
const LOOK_MS = 250;

/** Scripts of npm that stand between a supervisor and the service: `npm start`, and npx and `npm exec`. */
const scriptsOfNpm: ReadonlySet<string> = new Set(["start", "npx"]);

/**
 * Ends this process like SIGTERM when npm, which started it, has ended: npm passes the signal only to the shell between
 * them, which does not pass it on, so the service would stay and keep its port. The system gives a process whose parent
 * has ended another one.
 *
 * @param env the process's environment. It does nothing unless npm started the process.
 * @returns a function that stops looking.
 */
export function endWithNpm(env: Readonly<Record<string, string | undefined>>): () => void {
  if (!scriptsOfNpm.has(env.npm_lifecycle_event ?? "") || process.platform === "win32") {
    return () => {};
  }
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid !== parent) {
      clearInterval(timer);
      process.kill(process.pid, "SIGTERM");
    }
  }, LOOK_MS).unref();
  return () => clearInterval(timer);
}
