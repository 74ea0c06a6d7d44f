import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import type { Encoder } from "../../../src/embedding/static/static-encoder.ts";
import { InventoryDatabase } from "../../../src/inventory/inventory-database.ts";

/** Creates a folder for a test, removed after the file's tests. */
export function testHome(): string {
  const home = mkdtempSync(join(tmpdir(), "modelscout-maintenance-"));
  afterAll(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

/**
 * Connects to the inventory in a home, as a process with some encoders would. Closed after the file's tests, if not
 * earlier.
 */
export async function testDatabase(
  home: string,
  encoders: Readonly<Record<string, Encoder>>,
): Promise<InventoryDatabase> {
  const location = { uri: join(home, "inventory"), lockFolder: home };
  const database = await InventoryDatabase.connect(location, async (name) => {
    const encoder = encoders[name];
    if (encoder === undefined) {
      throw new Error(`there is no encoder ${name}`);
    }
    return encoder;
  });
  afterAll(() => database.close());
  return database;
}
