import { copyFile, mkdir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** The folder of a table with a file for each version, which names the table's other files. */
const VERSIONS = "_versions";

/**
 * Copies an inventory in a folder while others write to it. Files of a table never change, and those of a version stay
 * for ten minutes after it was replaced. So the versions are copied first, and then everything that they may name;
 * files that are written meanwhile belong to versions that the copy does not have, so a reader ignores them.
 *
 * @param to is created.
 * @returns the bytes that were copied.
 */
export async function copyInventory(from: string, to: string): Promise<number> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  let bytes = 0;
  const entries = await readdir(from, { withFileTypes: true });
  for (const entry of entries) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (!entry.isDirectory()) {
      bytes += await copyOne(source, target);
    } else if (entry.name.endsWith(".lance")) {
      bytes += await copyFolder(join(source, VERSIONS), join(target, VERSIONS));
      bytes += await copyFolder(source, target, new Set([VERSIONS]));
    }
  }
  return bytes;
}

async function copyFolder(from: string, to: string, except: ReadonlySet<string> = new Set()): Promise<number> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  let bytes = 0;
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (except.has(entry.name)) {
      continue;
    }
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    bytes += entry.isDirectory() ? await copyFolder(source, target) : await copyOne(source, target);
  }
  return bytes;
}

/** @returns the file's bytes; 0 for a file of an older version that was removed meanwhile. */
async function copyOne(from: string, to: string): Promise<number> {
  try {
    await copyFile(from, to);
    return (await stat(to)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") {
      return 0;
    }
    throw error;
  }
}
