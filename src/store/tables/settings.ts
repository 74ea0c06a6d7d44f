import type { Kysely } from "kysely";
import type { Database } from "../database.ts";

/** Values that all processes of a state share, such as keys for hashing. */
export interface SettingsTable {
  name: string;
  value: string;
}

/** A setting, created by the first caller. @param make returns the value if there is none. */
export async function settingOr(db: Kysely<Database>, name: string, make: () => string): Promise<string> {
  const read = () => db.selectFrom("settings").select("value").where("name", "=", name).executeTakeFirst();
  const known = await read();
  if (known !== undefined) {
    return known.value;
  }
  await db
    .insertInto("settings")
    .values({ name, value: make() })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  return ((await read()) as { value: string }).value;
}

/** Changes an existing setting. */
export async function setSetting(db: Kysely<Database>, name: string, value: string): Promise<void> {
  await db.updateTable("settings").set({ value }).where("name", "=", name).execute();
}

/** The value of a setting. Undefined if there is none. */
export async function readSetting(db: Kysely<Database>, name: string): Promise<string | undefined> {
  return (await db.selectFrom("settings").select("value").where("name", "=", name).executeTakeFirst())?.value;
}

/** Creates or changes a setting. */
export async function putSetting(db: Kysely<Database>, name: string, value: string): Promise<void> {
  await db
    .insertInto("settings")
    .values({ name, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}
