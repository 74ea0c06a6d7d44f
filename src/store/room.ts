import { randomBytes } from "node:crypto";
import type { Kysely } from "kysely";
import type { Database } from "./database.ts";
import { putSetting } from "./tables/settings.ts";

/** More than a page of either database, so that the file has to grow. */
const PROBE_BYTES = 16_384;

/** Whether there is room to write, as far as that is known. */
export class Room {
  readonly #isSuspect: () => Promise<boolean>;
  #isFull = false;

  /** @param isSuspect whether there may be no room although no write has failed yet. Default: no. */
  constructor(isSuspect: () => Promise<boolean> = async () => false) {
    this.#isSuspect = isSuspect;
  }

  /** Notes that a write found no room. */
  readonly noteFull = (): void => {
    this.#isFull = true;
  };

  /** Whether writes are kept. Writes something where that is doubtful, and nothing where all is well. Never fails. */
  async canWrite(db: Kysely<Database>): Promise<boolean> {
    if (!this.#isFull && !(await this.#isSuspect().catch(() => false))) return true;
    try {
      // What cannot be compressed, as PostgreSQL would.
      await putSetting(db, "probe of free room", randomBytes(PROBE_BYTES / 2).toString("hex"));
      this.#isFull = false;
      return true;
    } catch {
      return false;
    }
  }
}
