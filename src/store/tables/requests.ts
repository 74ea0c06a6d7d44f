import { createHash } from "node:crypto";
import type { Kysely } from "kysely";
import { ServiceError } from "../../error.ts";
import type { Database } from "../database.ts";

/** The resource that a call with a request id created (AIP-155). Kept for 24 hours. */
export interface RequestsTable {
  owner_id: string;
  /** Such as `CreateInterest`. */
  method: string;
  request_id: string;
  resource_id: string;
  /** SHA-256 of the request, in hexadecimal digits. */
  digest: string;
  created_at: number;
}

/** The request id of a call that creates a resource. */
export interface RequestClaim {
  /** Chosen by the caller. */
  requestId: string;
  /** The request without its request id. Equal calls have equal bytes. */
  content: Uint8Array;
}

/** A call that creates a resource of an owner. */
export interface Creation<T> {
  ownerId: string;
  /** Such as `CreateInterest`. Each method has its own request ids. */
  method: string;
  /** Undefined if the caller chose no request id: then every call creates a resource. */
  claim: RequestClaim | undefined;
  /** The resource's id, if this call creates it. */
  id: string;
  /** Milliseconds since 1970. */
  now: number;
  /** Locks the owner's resources against other writers, so that concurrent calls cannot exceed the limit. */
  lock: (transaction: Kysely<Database>, ownerId: string) => Promise<void>;
  count: (transaction: Kysely<Database>, ownerId: string) => Promise<number>;
  /** Resources that the owner may have. */
  most: number;
  /** Makes the error for an owner at this limit. */
  limitError: () => ServiceError;
  /** Creates the resource. */
  insert: (transaction: Kysely<Database>) => Promise<T>;
  /** Reads the resource that an earlier call created. It may throw if that was deleted. */
  find: (transaction: Kysely<Database>, id: string) => Promise<T>;
}

/**
 * Creates a resource of an owner in one transaction. A call that repeats the request id of an earlier one gets the
 * resource of that call.
 *
 * @throws ServiceError REQUEST_ID_REUSED if the earlier call was a different request, the limit's error, and what the
 * given functions throw.
 */
export function createOnce<T>(db: Kysely<Database>, creation: Creation<T>): Promise<T> {
  const { ownerId, claim, lock, count, most, limitError, insert, find } = creation;
  return db.transaction().execute(async (transaction) => {
    await lock(transaction, ownerId);
    const earlier = claim === undefined ? undefined : await claimRequest(transaction, { ...creation, ...claim });
    if (earlier !== undefined) {
      return find(transaction, earlier);
    }
    if ((await count(transaction, ownerId)) >= most) {
      throw limitError();
    }
    return insert(transaction);
  });
}

/** How long a repeated call gets the first call's resource. */
const KEPT_MS = 24 * 3600 * 1000;

/**
 * Claims a request id, or finds the resource of an earlier call with the same one. A concurrent call waits until the
 * transaction commits.
 *
 * @returns undefined if the resource must be created, else the id of the existing one.
 */
async function claimRequest(
  transaction: Kysely<Database>,
  {
    ownerId,
    method,
    requestId,
    content,
    id,
    now,
  }: Pick<Creation<unknown>, "ownerId" | "method" | "id" | "now"> & RequestClaim,
): Promise<string | undefined> {
  const digest = createHash("sha256").update(content).digest("hex");
  const row = { resource_id: id, digest, created_at: now };
  const claimed = await transaction
    .insertInto("requests")
    .values({ owner_id: ownerId, method, request_id: requestId, ...row })
    .onConflict((conflict) =>
      conflict
        .columns(["owner_id", "method", "request_id"])
        .doUpdateSet(row)
        .where("requests.created_at", "<=", now - KEPT_MS),
    )
    .returning("resource_id")
    .executeTakeFirst();
  if (claimed !== undefined) {
    return undefined;
  }
  const first = await transaction
    .selectFrom("requests")
    .select(["resource_id", "digest"])
    .where("owner_id", "=", ownerId)
    .where("method", "=", method)
    .where("request_id", "=", requestId)
    .executeTakeFirstOrThrow();
  if (first.digest !== digest) {
    const description =
      "was sent with a different request within the last 24 hours; a new request needs a new request_id";
    throw new ServiceError("REQUEST_ID_REUSED", { method }, { violations: [{ field: "request_id", description }] });
  }
  return first.resource_id;
}

/** Deletes calls older than a day, some rows at a time. @returns whether there may be more. */
export async function pruneRequests(db: Kysely<Database>, now: number, rows: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("requests")
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple("owner_id", "method", "request_id"),
        "in",
        selectFrom("requests")
          .select(["owner_id", "method", "request_id"])
          .where("created_at", "<=", now - KEPT_MS)
          .limit(rows)
          .$asTuple("owner_id", "method", "request_id"),
      ),
    )
    .executeTakeFirst();
  return numDeletedRows >= BigInt(rows);
}
