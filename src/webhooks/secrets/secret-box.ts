import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";

/** Encrypts what the state holds. */
export interface SecretBox {
  /** @param context what the text belongs to: nothing else can open it. */
  seal(text: string, context: string): string;
  /** @throws Error when it was sealed with another key, for something else, or changed since. */
  open(sealed: string, context: string): string;
  /** Tells whether two boxes have the same key, and nothing of the key. */
  readonly check: string;
}

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Names the form, for the day when there is another. */
const FORM = "1:";

/** AES-256-GCM. @param secret what the key is made of: random characters, at least 32. */
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
        throw new Error("is sealed in a form that this version does not know");
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
