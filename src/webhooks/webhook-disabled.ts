import { ServiceError } from "../error.ts";

/** A WEBHOOK_DISABLED, for what is to be sent to a webhook that gets nothing. */
export function webhookDisabled(id: string): ServiceError {
  return new ServiceError("WEBHOOK_DISABLED", { id }, { metadata: { webhook_id: id } });
}
