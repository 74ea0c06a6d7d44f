/** Where it is told how deliveries go: Fastify's logger has this form. */
export interface WebhookLog {
  warn(facts: object, text: string): void;
  error(facts: object, text: string): void;
}
