/** As many calls are known at a time; of more, the newest. */
const SLOTS = 256;
const SLOT_BYTES = 512;
/** When the call began, in milliseconds since 1970, and the bytes of its text. */
const HEAD_BYTES = 16;
const LENGTH_AT = 8;

/** A call that has not ended. */
export interface OpenCall {
  requestId: string;
  /** The method of HTTP. */
  method: string;
  /** The path as its route has it, without what callers put into it; "unknown" where no route has it. */
  path: string;
  /** `package.Service/Method`, once that is known. */
  rpc?: string;
  /** When it began, in milliseconds since 1970. */
  beganAt: number;
}

/**
 * The calls that have not ended, in memory that another thread can read while this one stands still. What goes in must
 * not be secret: it is there to be logged.
 */
export class OpenCalls {
  readonly memory = new SharedArrayBuffer(SLOTS * SLOT_BYTES);
  readonly #bytes: Buffer = Buffer.from(this.memory);
  #last = -1;
  /** The number of the call that has each slot. */
  readonly #holders: number[] = new Array(SLOTS).fill(-1);

  /** Notes a call. @returns its number. */
  begin(call: Omit<OpenCall, "beganAt">): number {
    this.#last += 1;
    const slot = this.#last % SLOTS;
    this.#holders[slot] = this.#last;
    this.#bytes.writeDoubleLE(Date.now(), slot * SLOT_BYTES);
    this.#write(slot, call);
    return this.#last;
  }

  /** Notes a call again, of which more is known. */
  rename(number: number, call: Omit<OpenCall, "beganAt">): void {
    if (this.#holders[number % SLOTS] === number) {
      this.#write(number % SLOTS, call);
    }
  }

  end(number: number): void {
    const slot = number % SLOTS;
    // A newer call may have taken it.
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

/** The calls in the memory of OpenCalls, the newest first. To be read while the thread that writes it stands still. */
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
