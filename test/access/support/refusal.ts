import { ServiceError } from "../../../src/error.ts";

/** The ServiceError that work fails with. @throws when it does not, or fails otherwise. */
export async function refusalOf(work: Promise<unknown>): Promise<ServiceError> {
  const outcome = await work.then(
    () => new Error("nothing was refused"),
    (error: unknown) => error,
  );
  if (outcome instanceof ServiceError) {
    return outcome;
  }
  throw outcome;
}
