import { hash } from "node:crypto";
import { version } from "../version.ts";
import type { Told } from "./row-state.ts";

/**
 * Hash of what an entry is made from. Equal digests mean that the row need not be made and written again: the same is
 * told, whenever that was, and the same version of the program would read it.
 */
export function digestOf(told: readonly Told[]): string {
  const facts = told.map(({ source, catalogue, goneAt, record }) => [source, catalogue, goneAt !== undefined, record]);
  return hash("sha256", JSON.stringify([version, facts]), "base64url");
}
