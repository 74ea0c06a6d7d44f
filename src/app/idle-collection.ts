import { performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** What idle collection looks at and does; tests have their own. */
export interface Collector {
  /** Resident bytes. The heap's own figures lack what native objects hold, such as HTTP/2 sessions. */
  held(): number;
  /** Connections, timers and the like that are open. A stream has a timer, so that streams count too. */
  open(): number;
  /** The share of a processor that the event loop's thread has used since the last call, from 0 to 1. */
  busy(): number;
  /** Milliseconds on a clock that only goes forward. */
  now(): number;
  /** Collects all garbage, and returns free pages to the system. Blocks for some 150 ms. */
  collect(): void;
}

/** How often to look. Idle is a process that was idle for as long. */
const LOOK_MS = 5_000;
/** Collections during work take at most this share of the time. */
const SHARE_OF_WORK = 0.0025;
/** Health checks and a call now and then may run. */
const IDLE_BELOW = 0.1;
/** Less is not worth the work. */
const WORTH_BYTES = 32 * 1024 * 1024;
/** So many clients that leave may have held as much. */
const WORTH_OPEN = 32;

/**
 * Collects garbage once the process is idle after a burst. V8 collects only while something allocates, so without calls
 * it would keep the garbage of the last ones, with its buffers, for as long as nobody calls. Where it has just
 * collected by itself, it keeps the pages that became free, until the next collection.
 *
 * Clients that hold memory and do nothing let the process be idle, so that it may collect while they are there. What
 * they held is garbage only when they leave. So it also collects when half of what was open has closed.
 *
 * A process that works all the time is never idle. There, too, it collects what 32 MiB of growth leave, but seldom: calls
 * wait meanwhile, and V8 collects by itself.
 */
export class IdleCollection {
  readonly #collector: Collector;
  readonly #timer: NodeJS.Timeout;
  /** The least that was held since the last collection: what is above it may be given back. */
  #lowest = 0;
  /** The most that was open since the last collection. */
  #mostOpen = 0;
  /** When the process may collect again while it works. */
  #restsUntil = 0;

  constructor(collector: Collector = createCollector()) {
    this.#collector = collector;
    collector.busy();
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
  }

  #look(): void {
    const { held, open, busy, now, collect } = this.#collector;
    const isIdle = busy() < IDLE_BELOW;
    const heldNow = held();
    const openNow = open();
    this.#lowest = Math.min(this.#lowest, heldNow);
    this.#mostOpen = Math.max(this.#mostOpen, openNow);
    const closed = this.#mostOpen - openNow;
    const hasGrown = heldNow - this.#lowest >= WORTH_BYTES;
    const haveLeft = closed >= WORTH_OPEN && closed >= openNow;
    const began = now();
    const mayCollect = isIdle ? hasGrown || haveLeft : hasGrown && began >= this.#restsUntil;
    if (mayCollect) {
      collect();
      const ended = now();
      this.#restsUntil = ended + (ended - began) / SHARE_OF_WORK;
      this.#lowest = held();
      this.#mostOpen = openNow;
    }
  }
}

/** The collector of this process. */
export function createCollector(): Collector {
  let before = { at: performance.now(), used: threadMs() };
  let collect: ((options: object) => void) | undefined;
  return {
    held: () => process.memoryUsage.rss(),
    open: () => process.getActiveResourcesInfo().length,
    busy() {
      // Not the utilization of the loop: where other processes want the processors too, a loop that does little takes
      // long over it, and would never count as idle.
      const now = { at: performance.now(), used: threadMs() };
      const share = (now.used - before.used) / Math.max(1, now.at - before.at);
      before = now;
      return share;
    },
    now: () => performance.now(),
    collect() {
      // Node offers no other way at run time.
      setFlagsFromString("--expose-gc");
      collect ??= runInNewContext("gc") as (options: object) => void;
      // Any other flavor puts the pages that become free into V8's pool, where they stay resident: 90 MB after floods.
      collect({ type: "major", execution: "sync", flavor: "last-resort" });
    },
  };
}

/** Milliseconds of processor time that this thread has used. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
