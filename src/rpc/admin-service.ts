import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import type { AdminService, AuditActSchema, KeySchema } from "../../gen/modelscout/v1/admin_pb.ts";
import { type Tier, tiers } from "../access/caller.ts";
import type { Access, AuditRecord, KeyFilter, KeyRecord } from "../access/index.ts";
import { type SourceName, sourceNames } from "../config/source-names.ts";
import { type FieldViolation, invalidRequest } from "../error.ts";
import type { SourceBounds, SyncReport } from "../sync/index.ts";
import { rowPageOf, rowPageToken } from "./call/page.ts";
import type { Ready } from "./call/ready.ts";

/** The actor in the audit log. The token names no person. */
const ACTOR = "admin-token";

/** Syncs a source into the served inventory. `signal` stops it; the models read until then stay. */
export type SyncNamed = (source: SourceName, options: SourceBounds & { signal: AbortSignal }) => Promise<SyncReport>;

/** Dependencies of the operator's service. */
export interface AdminServiceOptions {
  access: Pick<Ready<Access>, "get">;
  sync: SyncNamed;
}

/** Answers AdminService for callers with the operator's token. The audit log records every change. */
export function adminService({ access, sync }: AdminServiceOptions): ServiceImpl<typeof AdminService> {
  return {
    async createKey({ tier, owner, name, expiresAt }) {
      const expires = expiresAt === undefined ? undefined : timestampMs(expiresAt);
      const wanted = { tier: tier as Tier, ownerName: owner, name, expiresAt: expires };
      const { key, record } = await access.get().keys.create(wanted, ACTOR);
      return { secret: key, key: keyMessage(record) };
    },

    async listKeys({ owner, tier, pageSize, pageToken }) {
      const filter: KeyFilter = { ownerName: owner, tier: tiers.find((known) => known === tier) };
      const scope = `keys ${JSON.stringify([owner, tier])}`;
      const page = rowPageOf(scope, { pageSize, pageToken }, filterViolations(owner, tier));
      const { items, next } = await access.get().keys.list(page, filter);
      return { keys: items.map(keyMessage), nextPageToken: rowPageToken(scope, next) };
    },

    async revokeKey({ id }) {
      return { key: keyMessage(await access.get().keys.revoke(id, ACTOR)) };
    },

    async syncSource({ source, limit, cards }, { signal }) {
      const name = checkedSource(source, limit, cards);
      const { audit } = access.get();
      const act = { actor: ACTOR, action: "sources.sync", target: name, details: {} };
      const report = await sync(name, { limit, cards, signal }).catch(async (error) => {
        await audit.record({ ...act, result: "failed" });
        throw error;
      });
      await audit.record({ ...act, result: report.outcome });
      return report;
    },

    async listAudit({ pageSize, pageToken }) {
      const page = rowPageOf("audit", { pageSize, pageToken });
      const { items, next } = await access.get().audit.list(page);
      return { acts: items.map(actMessage), nextPageToken: rowPageToken("audit", next) };
    },
  };
}

/** More models than the Hub has. */
const MOST_LIMIT = 10_000_000;

function checkedSource(source: string, limit: number | undefined, cards: number | undefined): SourceName {
  const name = sourceNames.find((known) => known === source);
  const violations: FieldViolation[] = [];
  if (name === undefined) {
    violations.push({
      field: "source",
      description: `is ${JSON.stringify(source)}; must be one of ${sourceNames.join(", ")}`,
    });
  }
  if (limit !== undefined && !(limit >= 1 && limit <= MOST_LIMIT)) {
    violations.push({ field: "limit", description: `is ${limit}; must be from 1 to ${MOST_LIMIT}` });
  }
  if (cards !== undefined && !(cards >= 0 && cards <= MOST_LIMIT)) {
    violations.push({ field: "cards", description: `is ${cards}; must be from 0 to ${MOST_LIMIT}` });
  }
  if (name === undefined || violations.length > 0) {
    throw invalidRequest(violations);
  }
  return name;
}

function filterViolations(owner: string | undefined, tier: string | undefined): FieldViolation[] {
  const violations: FieldViolation[] = [];
  if (owner !== undefined && !/^\P{Cc}+$/u.test(owner)) {
    violations.push({ field: "owner", description: "is not the name or id of an owner" });
  }
  if (tier !== undefined && !(tiers as readonly string[]).includes(tier)) {
    violations.push({ field: "tier", description: `is ${JSON.stringify(tier)}; must be one of ${tiers.join(", ")}` });
  }
  return violations;
}

function keyMessage(key: KeyRecord): MessageInitShape<typeof KeySchema> {
  const { id, tier, ownerId, ownerName: owner, name, createdAt, expiresAt, revokedAt, lastUsedAt } = key;
  return {
    id,
    tier,
    ownerId,
    owner,
    name,
    createdAt: timestampFromMs(createdAt),
    expiresAt: optionalTime(expiresAt),
    revokedAt: optionalTime(revokedAt),
    lastUsedAt: optionalTime(lastUsedAt),
  };
}

function actMessage({ at, ...act }: AuditRecord): MessageInitShape<typeof AuditActSchema> {
  return { ...act, at: timestampFromMs(at) };
}

function optionalTime(ms: number | undefined) {
  return ms === undefined ? undefined : timestampFromMs(ms);
}
