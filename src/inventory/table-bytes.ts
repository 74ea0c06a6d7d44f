import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { localFolder } from "./local-folder.ts";

/** The bytes of a table's files; undefined where the inventory is not in a local folder. */
export async function tableBytes(uri: string, table: string): Promise<number | undefined> {
  const folder = localFolder(uri);
  if (folder === undefined) return undefined;
  const files = await readdir(join(folder, `${table}.lance`), { recursive: true, withFileTypes: true }).catch(() => []);
  let bytes = 0;
  for (const file of files) {
    if (!file.isFile()) continue;
    // Files come and go while others write.
    bytes += (await stat(join(file.parentPath, file.name)).catch(() => ({ size: 0 }))).size;
  }
  return bytes;
}
