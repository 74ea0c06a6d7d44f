/** The newest open calls are kept, at most this many. */
const SLOTS = 256;
const SLOT_BYTES = 512;
/** Start of the call, in milliseconds since 1970, and the length of its text in bytes. */
const HEAD_BYTES = 16;
const LENGTH_AT = 8;

/** A call that has not ended. */
export interface OpenCall {
  requestId: string;
  /** The HTTP method. */
  method: string;
  /** The path of its route, without the caller's values; "unknown" without a route. */
  path: string;
  /** `package.Service/Method`, once it is known. */
  rpc?: string;
  /** Start of the call, in milliseconds since 1970. */
  beganAt: number;
}

/**
 * The open calls, in memory that another thread can read while this one is blocked. They get logged, so they must not
 * hold secrets.
 */
export class OpenCalls {
  readonly memory = new SharedArrayBuffer(SLOTS * SLOT_BYTES);
  readonly #bytes: Buffer = Buffer.from(this.memory);
  #last = -1;
  /** The number of the call in each slot. */
  readonly #holders: number[] = new Array(SLOTS).fill(-1);

  /** Records a call. @returns its number. */
  begin(call: Omit<OpenCall, "beganAt">): number {
    this.#last += 1;
    const slot = this.#last % SLOTS;
    this.#holders[slot] = this.#last;
    this.#bytes.writeDoubleLE(Date.now(), slot * SLOT_BYTES);
    this.#write(slot, call);
    return this.#last;
  }

  /** Records more facts about an open call. */
  rename(number: number, call: Omit<OpenCall, "beganAt">): void {
    if (this.#holders[number % SLOTS] === number) {
      this.#write(number % SLOTS, call);
    }
  }

  end(number: number): void {
    const slot = number % SLOTS;
    // A newer call may have taken the slot.
    if (this.#holders[slot] !== number) {
      return;
    }
    this.#holders[slot] = -1;
    this.#bytes.writeInt32LE(0, slot * SLOT_BYTES + LENGTH_AT);
  }

  #write(slot: number, { requestId, method, path, rpc = "" }: Omit<OpenCall, "beganAt">): void {
    const start = slot * SLOT_BYTES;
    const text = [requestId, method, path, rpc].join("\n");
    const length = this.#bytes.write(text, start + HEAD_BYTES, SLOT_BYTES - HEAD_BYTES);
    this.#bytes.writeInt32LE(length, start + LENGTH_AT);
  }
}

/** The calls in the memory of OpenCalls, newest first. Call it while the writing thread is blocked. */
export function readOpenCalls(memory: SharedArrayBuffer): OpenCall[] {
  const bytes = Buffer.from(memory);
  const calls: OpenCall[] = [];
  for (let start = 0; start < bytes.length; start += SLOT_BYTES) {
    const length = bytes.readInt32LE(start + LENGTH_AT);
    if (length === 0) {
      continue;
    }
    const text = bytes.toString("utf8", start + HEAD_BYTES, start + HEAD_BYTES + length);
    const [requestId = "", method = "", path = "", rpc = ""] = text.split("\n");
    const beganAt = bytes.readDoubleLE(start);
    calls.push({ requestId, method, path, ...(rpc === "" ? {} : { rpc }), beganAt });
  }
  return calls.sort((a, b) => b.beganAt - a.beganAt);
}
