import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";

/** Encrypts secrets for the state. */
export interface SecretBox {
  /** @param context what the text belongs to: it opens with the same context only. */
  seal(text: string, context: string): string;
  /** @throws Error if it was sealed with another key or context, or was changed since. */
  open(sealed: string, context: string): string;
  /** Equal for two boxes with the same key. It does not reveal the key. */
  readonly check: string;
}

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** The version of the format. */
const FORM = "1:";

/** AES-256-GCM. @param secret the key is derived from it: at least 32 random characters. */
export function createSecretBox(secret: string): SecretBox {
  const key = Buffer.from(hkdfSync("sha256", secret, "", "modelscout webhook secrets", 32));
  return {
    seal(text, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return FORM + sealed.toString("base64");
    },

    open(sealed, context) {
      if (!sealed.startsWith(FORM)) {
        throw new Error("has a format that this version does not know");
      }
      const bytes = Buffer.from(sealed.slice(FORM.length), "base64");
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
    },

    check: createHmac("sha256", key).update("check").digest("hex"),
  };
}
