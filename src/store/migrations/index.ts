import { access } from "./0001-access.ts";
import { syncs } from "./0002-syncs.ts";
import { leases } from "./0003-leases.ts";
import { interests } from "./0004-interests.ts";
import { webhooks } from "./0005-webhooks.ts";
import { batches } from "./0006-batches.ts";
import type { Migration } from "./migration.ts";

/**
 * All migrations. The position in this list, counted from 1, is the schema's number; new ones are appended. A released
 * migration never changes. The previous version of the program must work with the new schema, because replicas are
 * replaced one by one.
 */
export const migrations: readonly Migration[] = [access, syncs, leases, interests, webhooks, batches];
