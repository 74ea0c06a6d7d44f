export type { Access } from "./access.ts";
export { openAccess } from "./access.ts";
export { addressNetwork } from "./address.ts";
export type { AuditRecord } from "./audit.ts";
export { createKeys, type KeyFilter, type KeyRecord } from "./keys.ts";
export type { DailyStanding, UsageReport } from "./quota.ts";
