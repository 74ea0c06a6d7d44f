import { crc32 } from "node:zlib";
import { newApiKey } from "../../../src/access/api-key.ts";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** A well-formed key of that id with a secret of its own, as somebody makes it who knows the form. */
export function guessKey(id: string): string {
  const secret = newApiKey().key.slice(21, 53);
  const body = `ms_live_${id}_${secret}`;
  let check = "";
  for (let rest = BigInt(crc32(body)); check.length < 6; rest /= 62n) {
    check = alphabet[Number(rest % 62n)] + check;
  }
  return body + check;
}
