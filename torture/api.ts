import { setTimeout as sleep } from "node:timers/promises";
import type { Replica } from "./replica.ts";

/** A JSON answer of the service. */
// biome-ignore lint/suspicious/noExplicitAny: the contract defines the answers
export type ApiAnswer = any;

const CALL_MS = 20_000;
/** The longest wait for an answer in milliseconds: a replica starts faster, even on a slow machine. */
const GIVE_UP_MS = 300_000;

/** Calls replicas over REST as a customer does: one after another, until one answers. */
export class Api {
  readonly #replicas: readonly Replica[];
  #next = 0;

  constructor(replicas: readonly Replica[]) {
    this.#replicas = replicas;
  }

  /** @throws Error if an answer says that the call itself is wrong. */
  async call(key: string, method: string, path: string, body?: unknown): Promise<ApiAnswer> {
    const until = Date.now() + GIVE_UP_MS;
    for (;;) {
      if (Date.now() > until) {
        throw new Error(`${method} ${path} was not answered in time`);
      }
      const replica = this.#replicas[this.#next++ % this.#replicas.length] as Replica;
      let status: number;
      let text: string;
      try {
        const answer = await fetch((await replica.url()) + path, {
          method,
          headers: { "x-api-key": key, ...(body === undefined ? {} : { "content-type": "application/json" }) },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(CALL_MS),
        });
        status = answer.status;
        text = await answer.text();
      } catch {
        // The replica was killed, or is starting.
        await sleep(100);
        continue;
      }
      if (status === 200) {
        return JSON.parse(text);
      }
      if (status < 500 && status !== 429) {
        throw new Error(`${method} ${path} answered ${status}: ${text}`);
      }
      await sleep(200);
    }
  }

  /** Reads all items of a paginated list. */
  async all(key: string, path: string, field: string): Promise<ApiAnswer[]> {
    const items: ApiAnswer[] = [];
    for (let token = ""; ; ) {
      const separator = path.includes("?") ? "&" : "?";
      const page = await this.call(key, "GET", `${path}${separator}page_size=500&page_token=${token}`);
      items.push(...page[field]);
      token = page.next_page_token;
      if (token === "") {
        return items;
      }
    }
  }
}
