/** Whether the service can answer. */
export interface Readiness {
  /**
   * What is being waited for; undefined when the service can answer. Never fails.
   *
   * @param part `state` for what needs keys and quotas alone. Default: everything.
   */
  waitingFor(part?: "state"): Promise<string | undefined>;
}
