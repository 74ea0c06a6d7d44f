import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Store, StoreError } from "../store/index.ts";
import { hasWebhooks, listWebhookIds, replaceSecret, setSetting, settingOr } from "../store/tables/index.ts";

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

/** Where the operator's key comes from. */
export interface SecretKeyOptions {
  /** The key itself. Default: a file in the home, which is created if it is missing. */
  secretKey?: string;
  home: string;
}

/** A secret box, and the name of its key. */
interface ConfiguredBox {
  box: SecretBox;
  /** The name in messages to operators. */
  keyName: string;
}

const KEY_FILE = "secret.key";

/** A box with the operator's key. @throws StoreError if the key's file cannot be read or created. */
async function configuredSecretBox({ secretKey, home }: SecretKeyOptions): Promise<ConfiguredBox> {
  if (secretKey !== undefined) {
    return { box: createSecretBox(secretKey), keyName: "MODELSCOUT_SECRET_KEY" };
  }
  const file = join(home, KEY_FILE);
  return { box: createSecretBox(await keyOfFile(home, file)), keyName: `The key in ${file}` };
}

async function keyOfFile(home: string, file: string): Promise<string> {
  try {
    const known = await read(file);
    if (known !== undefined) {
      return known;
    }
    await mkdir(home, { recursive: true, mode: 0o700 });
    // Linked as a whole, in case another process creates one at the same time.
    const made = `${file}.${randomBytes(6).toString("hex")}`;
    try {
      await writeFile(made, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600, flag: "wx", flush: true });
      await link(made, file).catch((error) => {
        if (error.code !== "EEXIST") {
          throw error;
        }
      });
    } finally {
      await rm(made, { force: true });
    }
    return (await read(file)) as string;
  } catch (error) {
    if (error instanceof StoreError) {
      throw error;
    }
    throw new StoreError(`The key in ${file} cannot be read or created: ${(error as Error).message}`, { cause: error });
  }
}

async function read(file: string): Promise<string | undefined> {
  const text = await readFile(file, "utf8").catch((error) => {
    if (error.code === "ENOENT") {
      return undefined;
    }
    throw error;
  });
  if (text === undefined) {
    return undefined;
  }
  const key = text.trim();
  if (key.length >= 32) {
    return key;
  }
  throw new StoreError(`${file} is too short: a key has at least 32 characters`);
}

/** The setting that identifies the key that secrets are encrypted with, without revealing it. */
const KEY_SETTING = "secret_key_check";

/**
 * The box that encrypts the webhooks' secrets.
 *
 * @throws StoreError if they were encrypted with another key, or the key's file cannot be read or created.
 */
export async function openSecretBox(
  { db, place }: Pick<Store, "db" | "place">,
  options: SecretKeyOptions,
): Promise<SecretBox> {
  const { box, keyName } = await configuredSecretBox(options);
  const known = await settingOr(db, KEY_SETTING, () => box.check);
  if (known === box.check) {
    return box;
  }
  if (await hasWebhooks(db)) {
    throw new StoreError(
      `${keyName} is not the key that the webhooks' secrets in ${place} are encrypted with. Start with that key. If it is lost, run modelscout webhooks reset-secrets: it gives every webhook a new secret and disables the webhook until its owner rotates the secret and enables it`,
    );
  }
  await setSetting(db, KEY_SETTING, box.check);
  return box;
}

/**
 * For a lost key: gives every webhook a secret that nobody has seen, encrypted with the present key, and disables it.
 * Owners rotate the secret and enable the webhook, which then gets the events that wait for it.
 *
 * @param now in milliseconds since 1970.
 * @returns the number of webhooks.
 * @throws StoreError if the key's file cannot be read or created.
 */
export async function resetSecrets({ db }: Pick<Store, "db">, options: SecretKeyOptions, now: number): Promise<number> {
  const { box } = await configuredSecretBox(options);
  return db.transaction().execute(async (transaction) => {
    await settingOr(transaction, KEY_SETTING, () => box.check);
    await setSetting(transaction, KEY_SETTING, box.check);
    const ids = await listWebhookIds(transaction);
    for (const id of ids) {
      await replaceSecret(transaction, id, { secret: box.seal(newSecret(), id), reason: REASON, now });
    }
    return ids.length;
  });
}

const REASON = "Its secret was lost with the service's key; rotate the secret, then enable the webhook";

/** The prefix of every secret (Standard Webhooks specification). */
export const SECRET_PREFIX = "whsec_";

/** The signed parts of a message. */
export interface SignedMessage {
  /** webhook-id. */
  id: string;
  /** webhook-timestamp: seconds since 1970. */
  timestamp: number;
  body: string;
}

/** The header webhook-signature (Standard Webhooks specification): a signature for each secret. */
export function signEvent({ id, timestamp, body }: SignedMessage, secrets: readonly string[]): string {
  return secrets
    .map((secret) => Buffer.from(secret.slice(SECRET_PREFIX.length), "base64"))
    .map((key) => `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`)
    .join(" ");
}

/** The Standard Webhooks specification requires 24 to 64. */
const SECRET_BYTES = 32;

/** A new signing secret, `whsec_…`. */
export function newSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}
