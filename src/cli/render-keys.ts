import type { KeyRecord } from "../access/keys.ts";
import { minute } from "./minute.ts";
import { renderTable } from "./render-table.ts";
import type { Terminal } from "./terminal.ts";

/** A list of keys. @param now in milliseconds since 1970. */
export function renderKeys(keys: readonly KeyRecord[], terminal: Terminal, now: number): string {
  if (keys.length === 0) return "No keys; keys create --tier pro makes one";
  return renderTable(
    [
      { title: "Id", style: "bold" },
      { title: "Tier" },
      { title: "Owner", shrinks: true },
      { title: "Name", shrinks: true },
      {
        title: "State",
        style: (state) => (state === "valid" ? "green" : state.startsWith("until") ? undefined : "red"),
      },
      { title: "Created" },
      { title: "Last used" },
    ],
    keys.map((key) => [
      key.id,
      key.tier,
      key.ownerName,
      key.name ?? "",
      stateOf(key, now),
      minute(key.createdAt),
      key.lastUsedAt === undefined ? "never" : minute(key.lastUsedAt),
    ]),
    terminal,
  );
}

function stateOf({ revokedAt, expiresAt }: KeyRecord, now: number): string {
  if (revokedAt !== undefined) return `revoked ${minute(revokedAt)}`;
  if (expiresAt === undefined) return "valid";
  return `${now >= expiresAt ? "expired" : "until"} ${minute(expiresAt)}`;
}
