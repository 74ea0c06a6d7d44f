import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Runs an action with an empty folder, which is removed afterwards. */
export async function withHome<T>(action: (home: string) => Promise<T>): Promise<T> {
  const home = await mkdtemp(join(tmpdir(), "modelscout-bench-"));
  try {
    return await action(home);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
