export {
  type ChangedModel,
  type ChangePage,
  changedModels,
  changesAfter,
  cursorAt,
} from "./changes.ts";
export { type Capability, CHAT_TEMPLATE, capabilityNames } from "./facts/capabilities.ts";
export { modelFigures, variantsToRun } from "./facts/figures.ts";
export {
  isLanguageCode,
  languageName,
  type RareLanguage,
  rareLanguages,
  translatedLanguages,
} from "./facts/languages.ts";
export type { Model } from "./facts/model.ts";
export { isModelName, parseRecord, type SourceRecord } from "./facts/record.ts";
export { releasedAt } from "./facts/release-dates.ts";
export { searchableText } from "./facts/search-text.ts";
export { EVALUATIONS_SOURCE } from "./facts/source-facts.ts";
export { knownLabels, type TaskType, taskTypeOf, taskTypes } from "./facts/task-types.ts";
export type { Inventory } from "./inventory.ts";
export { InventoryDatabase } from "./inventory-database.ts";
export { knownLicenses, type LicenseClass, licenseAllows, licenseFacts, licenseWords } from "./licenses/licenses.ts";
export { declaredLicense, normaliseLicense } from "./licenses/read-license.ts";
export type { WriteLease } from "./locks.ts";
export { copyInventory } from "./maintenance/copy-inventory.ts";
export { type InventoryMemory, lossOf, recognise } from "./maintenance/known-inventory.ts";
export { compact, Maintenance, type MaintenanceLog, maintain, repairIndexes } from "./maintenance/maintenance.ts";
export { type InventoryStatus, inventoryStatus } from "./maintenance/status.ts";
export { verify } from "./maintenance/verify.ts";
export type { Problem } from "./maintenance/verify-checks.ts";
export type { IndexedModel } from "./read/model-cache.ts";
export {
  type ListOrder,
  listColumns,
  type ModelPage,
  type PagePosition,
} from "./read/model-page.ts";
export type { Search } from "./read/model-search.ts";
export { openServing } from "./rebuild/open-serving.ts";
export { dropRetired, rebuildBeside } from "./rebuild/rebuild.ts";
export { runCommands } from "./run/run-commands.ts";
export {
  type Condition,
  conditionsOf,
  filterColumns,
  hasAnyLabel,
  isOfType,
  type ModelFilter,
  type ModelQuery,
  passesFilter,
  smallestSizeGb,
} from "./table/filter.ts";
export type { Generation } from "./table/generations.ts";
export { localFolder, refreshIndexes } from "./table/table.ts";
export { explainedFault, inventoryOutage } from "./table/table-fault.ts";
export { ingest } from "./write/ingest.ts";
export { beginSync, type SyncSession, type WriteCounts } from "./write/sync-session.ts";
