import type { FastifyReply, FastifyRequest } from "fastify";
import type { BodyRoom } from "../../packages/connect-transcoding/src/index.ts";
import { addressNetwork } from "../access/index.ts";
import { ServiceError } from "../error.ts";
import { toConnectError } from "../rpc/index.ts";
import { clientAddress } from "./callers/client-address.ts";
import { whenClosed } from "./request-lifetime.ts";

/** The share of a client without a key, so that a few of them cannot take the whole budget. */
const ADDRESS_SHARE = 1 / 8;
/** The share of an owner. A batch of 32 MiB takes twice its size while it is decompressed. */
const OWNER_SHARE = 1 / 2;

/** Within this time, most bodies have arrived. */
const RETRY_AFTER_MS = 1_000;

/** Bounds the bytes of request bodies that this process holds at a time, in all and by client. */
export class BodyBudget {
  readonly #bytes: number;
  readonly #clients = new Map<string, number>();
  #held = 0;

  /** @param bytes the budget of all clients together. */
  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  /** Bytes in use. */
  get held(): number {
    return this.#held;
  }

  /**
   * The room for the body of a request. It is taken as the body arrives and is decompressed, and returned when the
   * answer is sent or the client has left. Its methods throw ConnectError OVERLOADED if the budget is used up.
   */
  room(request: FastifyRequest, reply: FastifyReply): BodyRoom {
    const { caller } = request;
    const client = caller?.client ?? addressNetwork(clientAddress(request));
    const share = this.#bytes * (caller?.ownerId === undefined ? ADDRESS_SHARE : OWNER_SHARE);
    let taken = 0;
    const check = (bytes: number) => {
      const fits = this.#held + bytes <= this.#bytes && (this.#clients.get(client) ?? 0) + bytes <= share;
      if (!fits) {
        throw toConnectError(new ServiceError("OVERLOADED", {}, { retryAfterMs: RETRY_AFTER_MS }));
      }
    };
    const add = (bytes: number) => {
      taken += bytes;
      this.#held += bytes;
      const left = (this.#clients.get(client) ?? 0) + bytes;
      if (left === 0) {
        this.#clients.delete(client);
      } else {
        this.#clients.set(client, left);
      }
    };
    let isOver = false;
    const leave = () => {
      isOver = true;
      add(-taken);
    };
    whenClosed(reply, leave);
    return {
      deadline: request.deadline,
      check,
      take: (bytes) => {
        // Work on the body may end after the client has left.
        if (isOver) {
          return;
        }
        check(bytes);
        add(bytes);
      },
      give: (bytes) => {
        if (!isOver) {
          add(-bytes);
        }
      },
      leave,
    };
  }
}
