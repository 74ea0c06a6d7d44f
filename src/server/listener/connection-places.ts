/** How many connections may be open. */
export interface ConnectionBounds {
  /** In all; undefined for no bound. */
  readonly most: number | undefined;
  /** Of one network; undefined for no bound. */
  readonly mostPerNetwork: number | undefined;
}

/** The connections of one network, which may be a single address. */
interface Network {
  count: number;
  /** Longest idle first. */
  readonly idle: Set<ConnectionPlace>;
}

/** The place that an open connection takes. It is idle at first. */
export interface ConnectionPlace {
  /** The network of the peer; undefined if its connections are not limited. */
  readonly network: string | undefined;
  /** Ends the connection, so that another can have its place. */
  makeRoom: () => void;
  /** A request or a stream is in flight. */
  busy(): void;
  /** Nothing is in flight any more, so the connection becomes idle. */
  idle(): void;
  /** The connection is gone. Safe to call again. */
  leave(): void;
}

/**
 * Limits the connections of a port. At the limit, a new connection replaces the one that has been idle the longest: of
 * the same network if that has reached its limit, of all if the port has. So nobody can lock others out with idle
 * connections. Each step takes the same time however many connections are open.
 */
export class ConnectionPlaces {
  readonly #bounds: ConnectionBounds;
  readonly #networks = new Map<string, Network>();
  /** Of all networks, longest idle first. */
  readonly #idle = new Set<ConnectionPlace>();
  #count = 0;

  constructor(bounds: ConnectionBounds) {
    this.#bounds = bounds;
  }

  /** Gives a new connection a place; undefined if all places are busy, so that it must be closed. */
  take(network: string | undefined, makeRoom: () => void): ConnectionPlace | undefined {
    const { most = Number.POSITIVE_INFINITY, mostPerNetwork = Number.POSITIVE_INFINITY } = this.#bounds;
    const own = network === undefined ? undefined : this.#networks.get(network);
    if (own !== undefined && own.count >= mostPerNetwork && !endFirst(own.idle)) {
      return undefined;
    }
    if (this.#count >= most && !endFirst(this.#idle)) {
      return undefined;
    }
    return this.#add(network, makeRoom);
  }

  #add(network: string | undefined, makeRoom: () => void): ConnectionPlace {
    const group = network === undefined ? undefined : (this.#networks.get(network) ?? { count: 0, idle: new Set() });
    if (group !== undefined) {
      group.count += 1;
      this.#networks.set(network as string, group);
    }
    this.#count += 1;
    let hasLeft = false;
    const place: ConnectionPlace = {
      network,
      makeRoom,
      busy: () => {
        this.#idle.delete(place);
        group?.idle.delete(place);
      },
      idle: () => {
        if (hasLeft) {
          return;
        }
        place.busy();
        this.#idle.add(place);
        group?.idle.add(place);
      },
      leave: () => {
        if (hasLeft) {
          return;
        }
        hasLeft = true;
        place.busy();
        this.#count -= 1;
        if (group === undefined) {
          return;
        }
        group.count -= 1;
        if (group.count === 0) {
          this.#networks.delete(network as string);
        }
      },
    };
    place.idle();
    return place;
  }
}

/** Ends the first of these connections. @returns whether there was one. */
function endFirst(idle: Set<ConnectionPlace>): boolean {
  const [longest] = idle;
  longest?.leave();
  longest?.makeRoom();
  return longest !== undefined;
}

/** Resets are counted in windows of this length. */
const WINDOW_MS = 10_000;

/**
 * Limits how many HTTP/2 streams all connections of one network reset. nghttp2 limits each session, but a client can
 * open new sessions.
 *
 * A network that exceeds the limit is refused until the end of the next window, so for 10 to 20 seconds.
 */
export class ResetLimit {
  readonly #most: number;
  readonly #now: () => number;
  #windowStart: number;
  #counts = new Map<string, number>();
  #refused = new Set<string>();

  /**
   * @param most resets of one network in ten seconds.
   * @param now milliseconds of a clock that only goes forward.
   */
  constructor(most: number, now: () => number) {
    this.#most = most;
    this.#now = now;
    this.#windowStart = now();
  }

  count(network: string): void {
    this.#roll();
    this.#counts.set(network, (this.#counts.get(network) ?? 0) + 1);
  }

  isRefused(network: string): boolean {
    this.#roll();
    return this.#refused.has(network) || (this.#counts.get(network) ?? 0) > this.#most;
  }

  #roll(): void {
    const passed = this.#now() - this.#windowStart;
    if (passed < WINDOW_MS) {
      return;
    }
    const over = [...this.#counts].filter(([, count]) => count > this.#most).map(([network]) => network);
    this.#refused = new Set(passed < 2 * WINDOW_MS ? over : []);
    this.#counts = new Map();
    this.#windowStart = this.#now();
  }
}
