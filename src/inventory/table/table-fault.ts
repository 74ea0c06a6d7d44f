import { OperatorError, ServiceError } from "../../error.ts";

/**
 * What is wrong with the storage of the inventory: it is full, does not answer, refuses, or a file of the inventory is
 * missing or damaged.
 */
export type TableFault = "full" | "away" | "denied" | "damaged";

/** How LanceDB's errors are known: by the names of its parts, and by what it says of queries and tables. */
const OF_LANCE =
  /lance|Failed to (?:get next batch|execute query|connect to namespace)|^Table '.*' was not found|Panic in async function/i;

/** The first that fits holds. LanceDB passes on what the operating system or the object storage says. */
const faults: ReadonlyArray<readonly [says: RegExp, fault: TableFault | undefined]> = [
  [/No space left on device|os error 28\b|Disk quota exceeded|os error 122\b/, "full"],
  [/os error (?:1|13|30)\b|Permission denied|Read-only file system|AccessDenied|InvalidAccessKeyId/i, "denied"],
  [/SignatureDoesNotMatch|NoSuchBucket|40[13] (?:Forbidden|Unauthorized)|Unauthenticated/i, "denied"],
  [/Generic (?:S3|GCS|MicrosoftAzure|HTTP) error|error sending request|Connection refused|dns error/i, "away"],
  [/store: "(?:S3|GCS|MicrosoftAzure|HTTP)"/, "away"],
  // Another writer came first, or the query is wrong.
  [/conflict|Invalid user input|No field named|Schema error/i, undefined],
  [/fill whole buffer|not found|invalid magic|too small|Invalid range|corrupt|panic|decode|protobuf/i, "damaged"],
  [/LanceError\(IO\)|does not appear to be a Lance file|No such file or directory|os error 5\b/, "damaged"],
];

/** What of the storage made LanceDB fail; undefined where it is something else, or the error is not LanceDB's. */
export function tableFault(error: unknown): TableFault | undefined {
  if (!(error instanceof Error) || error instanceof ServiceError || error instanceof OperatorError) {
    return undefined;
  }
  if (!OF_LANCE.test(error.message)) {
    return undefined;
  }
  return faults.find(([says]) => says.test(error.message))?.[1];
}

/** Somebody has to make room on a full disk; most outages of object storage are over sooner. */
const RETRY_AFTER_MS = { full: 10_000, other: 2_000 };

/** What callers are told when the storage of the inventory fails; undefined for anything else. */
export function inventoryOutage(error: unknown): ServiceError | undefined {
  const fault = tableFault(error);
  if (fault === undefined) {
    return undefined;
  }
  const reason = fault === "full" ? "STORAGE_FULL" : "INVENTORY_UNAVAILABLE";
  const retryAfterMs = fault === "full" ? RETRY_AFTER_MS.full : RETRY_AFTER_MS.other;
  const outage = new ServiceError(reason, {}, { retryAfterMs });
  outage.cause = error;
  return outage;
}

/** What operators are told, by what is wrong. `{place}` is where the inventory is. */
const advice: Readonly<Record<TableFault, string>> = {
  full: "The disk of the inventory at {place} is full. What was there is as it was. Make room on it, and do it again",
  away: "The storage of the inventory at {place} does not answer. Look whether it runs, and whether MODELSCOUT_INVENTORY_URI and the endpoint in MODELSCOUT_INVENTORY_OPTIONS are right; then try again",
  denied:
    "The inventory at {place} may not be read or written. Give the user that runs modelscout the right to, or look at the keys in MODELSCOUT_INVENTORY_OPTIONS",
  damaged:
    "The inventory at {place} has a file that is missing or damaged{file}. Put a backup of the whole inventory in its place. Without one, move the inventory away, start once with modelscout serve --accept-loss, and import and sync again",
};

/** A failure of the inventory's storage in words for its operator; anything else as it is. */
export function explained(error: unknown, place: string): unknown {
  const fault = tableFault(error);
  if (fault === undefined) {
    return error;
  }
  const { message } = error as Error;
  const [, file] = /Not found: \S*?([\w.-]+\.lance\/[^\s,]+)/.exec(message) ?? [];
  const told = advice[fault].replace("{place}", place).replace("{file}", file === undefined ? "" : `: ${file}`);
  return new OperatorError(told, { cause: error });
}
