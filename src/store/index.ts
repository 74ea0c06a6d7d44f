export { connectStore, STORE_FILE } from "./connect-store.ts";
export type { Database } from "./database.ts";
export { isDiskFull, StoreError, storageFull, unavailable } from "./errors.ts";
export { newId } from "./new-id.ts";
export { migrateStore, openStore } from "./open-store.ts";
export { byCreation, type Page, type PageRequest, type RowPosition, readPage } from "./page.ts";
export type { Signals, Topic } from "./signals.ts";
export { answers, type Store } from "./store.ts";
export { withLease } from "./with-lease.ts";
