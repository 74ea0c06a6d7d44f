import type { DescMethod } from "@bufbuild/protobuf";
import type { Caller } from "../access/caller.ts";
import { tiers } from "../access/tier.ts";
import { ServiceError } from "../error.ts";
import { methodAccess } from "./method-access.ts";

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
  if (tiers.indexOf(tier) >= tiers.indexOf(needed)) return;
  const params = { method: method.name, needed: titles[needed], tier: titles[tier] };
  throw new ServiceError("TIER_TOO_LOW", params, { metadata: { method: method.name, needed, tier } });
}

/** The tiers as people write them. */
const titles = { free: "Free", basic: "Basic", pro: "Pro" } as const;
