import { join } from "node:path";

/** The lock file of those who rebuild beside writers, in the folder that the processes of a machine share. */
export function rebuildLockFile(folder: string): string {
  return join(folder, "rebuild.lock");
}
