import type { Kysely } from "kysely";
import type { Database } from "../database.ts";

/** What all who share the state must agree on, such as keys for hashing. */
export interface SettingsTable {
  name: string;
  value: string;
}

/** A setting, made by whoever asks first. @param make gives the value where there is none. */
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

/** Changes a setting that there is. */
export async function setSetting(db: Kysely<Database>, name: string, value: string): Promise<void> {
  await db.updateTable("settings").set({ value }).where("name", "=", name).execute();
}

/** The value of a setting; undefined where there is none. */
export async function readSetting(db: Kysely<Database>, name: string): Promise<string | undefined> {
  return (await db.selectFrom("settings").select("value").where("name", "=", name).executeTakeFirst())?.value;
}

/** Makes a setting, or changes it where there is one. */
export async function putSetting(db: Kysely<Database>, name: string, value: string): Promise<void> {
  await db
    .insertInto("settings")
    .values({ name, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}
