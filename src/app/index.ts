export { type App, createApp } from "./app.ts";
export { closeInventory, connectDatabase, encoderName, inventoryLoss, openInventory } from "./open-inventory.ts";
