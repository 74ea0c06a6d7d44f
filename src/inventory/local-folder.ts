import { resolve } from "node:path";

/** The folder of an inventory; undefined if it is on object storage or a server. */
export function localFolder(uri: string): string | undefined {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(uri) ? undefined : resolve(uri);
}
