import { type ConnectError, type ContextValues, createContextKey, createContextValues } from "@connectrpc/connect";
import type { OnStage } from "../../recommend/index.ts";
import type { ServiceCaller } from "../callers/request-caller.ts";
import { callerError } from "./errors.ts";

/** One call of a method: what the server, the interceptors and the handler share. */
export interface Call {
  /** The id of its request, for errors and logs. */
  readonly requestId: string;
  /** Undefined for methods that answer anyone. */
  readonly caller: ServiceCaller | undefined;
  /** The address of the API reference for its caller; undefined if it is not known. */
  readonly docsUrl?: string | undefined;
  /** Aborts at the caller's deadline, with the error for the caller. Undefined if the caller set no deadline. */
  readonly deadline?: AbortSignal | undefined;
  /** Gets the times of a recommendation's steps. */
  readonly onStage?: OnStage | undefined;
  /** Whether the call has reached its handler. An error before that is about its message. */
  hasReachedHandler: boolean;
  /** Makes the error for the caller of anything thrown. */
  toCallerError: (thrown: unknown) => ConnectError;
}

const callKey = createContextKey<Call | undefined>(undefined, { description: "call" });

/** The context values of a call that has not reached its handler. */
export function callValues(call: Omit<Call, "hasReachedHandler" | "toCallerError">): ContextValues {
  const toCallerError = (thrown: unknown) => callerError(thrown, call.requestId, call.docsUrl);
  return createContextValues().set(callKey, { ...call, hasReachedHandler: false, toCallerError });
}

/** The call that context values belong to. @throws Error if it did not come through the server's checks. */
export function callOf(values: ContextValues): Call {
  const call = values.get(callKey);
  if (call === undefined) {
    throw new Error("The call did not come through the server's checks");
  }
  return call;
}

/** The caller of a call. @throws Error if no caller was identified: such a call must get no answer. */
export function callerOf(values: ContextValues): ServiceCaller {
  const { caller } = callOf(values);
  if (caller === undefined) {
    throw new Error("The call has no caller");
  }
  return caller;
}

/** The owner who calls. @throws Error if there is none. Only tiers with keys have methods that call this. */
export function ownerOf(values: ContextValues): string {
  const { ownerId } = callerOf(values);
  if (ownerId === undefined) {
    throw new Error("A caller without an owner reached a method for owners");
  }
  return ownerId;
}
