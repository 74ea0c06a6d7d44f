/** What was tried to deliver events. Rows are added and never changed. */
export interface DeliveryAttemptsTable {
  id: string;
  delivery_id: string;
  at: number;
  outcome: string;
  /** Of the answer, where there was one. */
  status_code: number | null;
  /** What went wrong, in words. */
  error: string | null;
  duration_ms: number;
}
