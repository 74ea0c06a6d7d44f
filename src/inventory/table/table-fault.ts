import { OperatorError, ServiceError } from "../../error.ts";

/** A fault of the inventory's storage: it is full, does not answer, denies access, or a file is missing or damaged. */
export type TableFault = "full" | "away" | "denied" | "damaged";

/** Recognises LanceDB's errors: by the names of its parts, and by its messages about queries and tables. */
const OF_LANCE =
  /lance|Failed to (?:get next batch|execute query|connect to namespace)|^Table '.*' was not found|Panic in async function/i;

/** The first match counts. LanceDB passes on the messages of the operating system or the object storage. */
const faults: ReadonlyArray<readonly [says: RegExp, fault: TableFault | undefined]> = [
  [/No space left on device|os error 28\b|Disk quota exceeded|os error 122\b/, "full"],
  [/os error (?:1|13|30)\b|Permission denied|Read-only file system|AccessDenied|InvalidAccessKeyId/i, "denied"],
  [/SignatureDoesNotMatch|NoSuchBucket|40[13] (?:Forbidden|Unauthorized)|Unauthenticated/i, "denied"],
  [/Generic (?:S3|GCS|MicrosoftAzure|HTTP) error|error sending request|Connection refused|dns error/i, "away"],
  [/store: "(?:S3|GCS|MicrosoftAzure|HTTP)"/, "away"],
  // Another writer came first, or the query is wrong: not a fault of the storage.
  [/conflict|Invalid user input|No field named|Schema error/i, undefined],
  [/fill whole buffer|not found|invalid magic|too small|Invalid range|corrupt|panic|decode|protobuf/i, "damaged"],
  [/LanceError\(IO\)|does not appear to be a Lance file|No such file or directory|os error 5\b/, "damaged"],
];

/** The fault of the storage that made LanceDB fail; undefined for other errors. */
export function tableFault(error: unknown): TableFault | undefined {
  if (!(error instanceof Error) || error instanceof ServiceError || error instanceof OperatorError) {
    return undefined;
  }
  if (!OF_LANCE.test(error.message)) {
    return undefined;
  }
  return faults.find(([says]) => says.test(error.message))?.[1];
}

/** A person has to make room on a full disk; most outages of object storage end sooner. In milliseconds. */
const RETRY_AFTER_MS = { full: 10_000, other: 2_000 };

/** The error for callers when the storage of the inventory fails; undefined for other errors. */
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

/** The messages for operators. `{place}` stands for the place of the inventory. */
const advice: Readonly<Record<TableFault, string>> = {
  full: "The disk of the inventory at {place} is full. The stored models are unchanged. Make room on it, then try again",
  away: "The storage of the inventory at {place} does not answer. Check that it runs, and that MODELSCOUT_INVENTORY_URI and the endpoint in MODELSCOUT_INVENTORY_OPTIONS are right; then try again",
  denied:
    "The inventory at {place} cannot be read or written: access is denied. Give access to the user that runs modelscout, or check the keys in MODELSCOUT_INVENTORY_OPTIONS",
  damaged:
    "The inventory at {place} has a missing or damaged file{file}. Put a backup of the whole inventory in its place. Without one, move the inventory away, start once with modelscout serve --accept-loss, and import and sync again",
};

/** Turns a failure of the inventory's storage into a message for its operator; returns other errors unchanged. */
export function explainedFault(error: unknown, place: string): unknown {
  const fault = tableFault(error);
  if (fault === undefined) {
    return error;
  }
  const { message } = error as Error;
  const [, file] = /Not found: \S*?([\w.-]+\.lance\/[^\s,]+)/.exec(message) ?? [];
  const forOperators = advice[fault].replace("{place}", place).replace("{file}", file === undefined ? "" : `: ${file}`);
  return new OperatorError(forOperators, { cause: error });
}
