import type { KeyRecord } from "../access/keys.ts";

/** A key's facts for programs, as AdminService names them: times as RFC 3339, unknown ones left out. */
export function keyJson(record: KeyRecord): Record<string, string | undefined> {
  return {
    id: record.id,
    tier: record.tier,
    owner_id: record.ownerId,
    owner: record.ownerName,
    name: record.name,
    created_at: time(record.createdAt),
    expires_at: time(record.expiresAt),
    revoked_at: time(record.revokedAt),
    last_used_at: time(record.lastUsedAt),
  };
}

function time(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString();
}
