import { type DescMethod, getOption, hasOption } from "@bufbuild/protobuf";
import {
  counted,
  max_body_bytes as maxBodyBytesOption,
  Tier as ProtoTier,
  per_caller as perCaller,
  tier,
} from "../../../gen/modelscout/v1/options_pb.ts";
import { type Caller, type Tier, tiers } from "../../access/caller.ts";
import { ServiceError } from "../../error.ts";

/** Who may call a method and what it uses up, as the contract declares it. */
export interface MethodAccess {
  /** The lowest tier that has it, or the operator with the token. */
  tier: Tier | "operator";
  /** Whether calls use up units of the daily quota. */
  isCounted: boolean;
  /** Whether the answer depends on the key, so that it is of no use to others. */
  isPerCaller: boolean;
  /** Whether it answers whoever asks, without a look at who that is. */
  isOpen: boolean;
}

/** Standard services, whose contracts cannot declare anything of ours: for load balancers and tools. */
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
 * @throws Error when the contract declares no tier for it. Asked for every method at start-up.
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

/** Who asks for a method. */
export interface Applicant {
  caller: Caller;
  /** Whether it is the operator. @throws ServiceError OPERATOR_… when it is not. */
  checkOperator: (method: string) => void;
}

/**
 * Lets callers through to the methods that their tier has: the one place that decides it, for every protocol.
 *
 * @throws ServiceError TIER_TOO_LOW naming the tier that has the method, or OPERATOR_…
 */
export function checkTier(method: DescMethod, { caller, checkOperator }: Applicant): void {
  const { tier: needed } = methodAccess(method);
  if (needed === "operator") {
    checkOperator(method.name);
    return;
  }
  const { tier } = caller;
  if (tiers.indexOf(tier) >= tiers.indexOf(needed)) {
    return;
  }
  const params = { method: method.name, needed: titles[needed], tier: titles[tier] };
  throw new ServiceError("TIER_TOO_LOW", params, { metadata: { method: method.name, needed, tier } });
}

/** The tiers as people write them. */
const titles = { free: "Free", basic: "Basic", pro: "Pro" } as const;
