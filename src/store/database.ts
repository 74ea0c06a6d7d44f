import type { ApiKeysTable } from "./tables/api-keys.ts";
import type { AuditLogTable } from "./tables/audit-log.ts";
import type { BatchesTable, BatchNeedsTable, BatchResultsTable } from "./tables/batches.ts";
import type { DeliveriesTable, DeliveryAttemptsTable } from "./tables/deliveries.ts";
import type { InterestsTable } from "./tables/interests.ts";
import type { LeasesTable } from "./tables/leases.ts";
import type { MatchesTable, MatchHeadsTable } from "./tables/matches.ts";
import type { MatchingPausesTable, MatchingTable } from "./tables/matching.ts";
import type { OwnersTable } from "./tables/owners.ts";
import type { QuotaUseTable } from "./tables/quota-use.ts";
import type { RequestsTable } from "./tables/requests.ts";
import type { SettingsTable } from "./tables/settings.ts";
import type { SyncsTable } from "./tables/syncs.ts";
import type { WebhooksTable } from "./tables/webhooks.ts";

/**
 * The tables. Each has a file in tables/ with its columns and queries, and a migration that creates it. Times are
 * milliseconds since 1970, structured values are JSON text, and unknown or pending values are null.
 */
export interface Database {
  owners: OwnersTable;
  api_keys: ApiKeysTable;
  quota_use: QuotaUseTable;
  settings: SettingsTable;
  audit_log: AuditLogTable;
  syncs: SyncsTable;
  leases: LeasesTable;
  requests: RequestsTable;
  interests: InterestsTable;
  match_heads: MatchHeadsTable;
  matches: MatchesTable;
  matching: MatchingTable;
  matching_pauses: MatchingPausesTable;
  webhooks: WebhooksTable;
  deliveries: DeliveriesTable;
  delivery_attempts: DeliveryAttemptsTable;
  batches: BatchesTable;
  batch_needs: BatchNeedsTable;
  batch_results: BatchResultsTable;
}
