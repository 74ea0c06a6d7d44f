/** Something that customers are told of. */
export interface WebhookEvent {
  /** Whose webhooks get it. */
  ownerId: string;
  type: "model.matched" | "batch.completed";
  /** The interest it is about; webhooks may ask for those of some interests only. Absent for what concerns none. */
  interestId?: string;
  /** When it happened, in milliseconds since 1970. */
  at: number;
  /** What receivers get as `data`, in snake_case. */
  data: Readonly<Record<string, unknown>>;
}
