import { type DescMethod, getOption, hasOption } from "@bufbuild/protobuf";
import {
  counted,
  max_body_bytes as maxBodyBytesOption,
  Tier as ProtoTier,
  per_caller as perCaller,
  tier,
} from "../../../gen/modelscout/v1/options_pb.ts";
import type { Tier } from "../../access/caller.ts";

/** Which callers may use a method, and whether its calls are counted, as the contract declares. */
export interface MethodAccess {
  /** The lowest tier that may use it; `operator` if it needs the operator's token. */
  tier: Tier | "operator";
  /** Whether calls use up units of the daily quota. */
  isCounted: boolean;
  /** Whether the answer depends on the key, so that no cache may give it to another caller. */
  isPerCaller: boolean;
  /** Whether it answers every caller, without identifying the caller. */
  isOpen: boolean;
}

/** Standard services for load balancers and tools, whose contracts cannot declare our options. */
const openServices: ReadonlySet<string> = new Set([
  "grpc.health.v1.Health",
  "grpc.reflection.v1.ServerReflection",
  "grpc.reflection.v1alpha.ServerReflection",
]);

const tierOf: ReadonlyMap<ProtoTier, MethodAccess["tier"]> = new Map([
  [ProtoTier.FREE, "free"],
  [ProtoTier.BASIC, "basic"],
  [ProtoTier.PRO, "pro"],
  [ProtoTier.OPERATOR, "operator"],
]);

const known = new Map<DescMethod, MethodAccess>();

/**
 * The access of a method.
 *
 * @throws Error if the contract declares no tier for it. Every method is checked at start-up.
 */
export function methodAccess(method: DescMethod): MethodAccess {
  const found = known.get(method);
  if (found !== undefined) {
    return found;
  }
  const access = readAccess(method);
  known.set(method, access);
  return access;
}

function readAccess(method: DescMethod): MethodAccess {
  if (openServices.has(method.parent.typeName)) {
    return { tier: "free", isCounted: false, isPerCaller: false, isOpen: true };
  }
  const lowest = hasOption(method, tier) ? tierOf.get(getOption(method, tier)) : undefined;
  if (lowest === undefined) {
    throw new Error(`${method.parent.typeName}/${method.name} declares no tier; see proto/modelscout/v1/options.proto`);
  }
  const isCounted = getOption(method, counted);
  const isPerCaller = isCounted || lowest !== "free" || getOption(method, perCaller);
  return { tier: lowest, isCounted, isPerCaller, isOpen: false };
}

/** Largest request body of a method that declares no limit, in bytes after decompression. */
const MAX_BODY_BYTES = 16 * 1024;

/** Largest request body of a method in bytes, after decompression; of one message for client streams. */
export function maxBodyBytes(method: DescMethod): number {
  return hasOption(method, maxBodyBytesOption) ? getOption(method, maxBodyBytesOption) : MAX_BODY_BYTES;
}
