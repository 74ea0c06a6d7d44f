export { type App, createApp } from "./app.ts";
export { openNeedReader } from "./need-reader.ts";
export { connectDatabase, encoderName, inventoryLoss, type OpenedInventory, openInventory } from "./open-inventory.ts";
