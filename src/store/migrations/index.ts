import { access } from "./0001-access.ts";
import { syncs } from "./0002-syncs.ts";
import { leases } from "./0003-leases.ts";
import { interests } from "./0004-interests.ts";
import { webhooks } from "./0005-webhooks.ts";
import { batches } from "./0006-batches.ts";
import type { Migration } from "./migration.ts";

/**
 * All migrations; a place in this list, counted from 1, is the number of a schema. New ones go to the end. What is
 * released is never changed, and programs of the version before must be able to work on with what a new one leaves:
 * replicas are replaced one by one.
 */
export const migrations: readonly Migration[] = [access, syncs, leases, interests, webhooks, batches];
