import type { Store } from "../store/store.ts";
import { setSetting, settingOr } from "../store/tables/settings.ts";
import { listWebhookIds, replaceSecret } from "../store/tables/webhooks.ts";
import { configuredSecretBox, type SecretKeyOptions } from "./configured-secret-box.ts";
import { KEY_SETTING } from "./key-setting.ts";
import { newSecret } from "./new-secret.ts";

/**
 * Gives every webhook a secret that nobody has seen, encrypted with the operator's present key, and disables it: for
 * when the key before is lost. Owners rotate the secret and enable the webhook; what waits for it is delivered then.
 *
 * @param now in milliseconds since 1970.
 * @returns how many webhooks there are.
 * @throws StoreError when the key's file cannot be read or made.
 */
export async function resetSecrets({ db }: Pick<Store, "db">, options: SecretKeyOptions, now: number): Promise<number> {
  const { box } = await configuredSecretBox(options);
  return db.transaction().execute(async (transaction) => {
    await settingOr(transaction, KEY_SETTING, () => box.check);
    await setSetting(transaction, KEY_SETTING, box.check);
    const ids = await listWebhookIds(transaction);
    for (const id of ids)
      await replaceSecret(transaction, id, { secret: box.seal(newSecret(), id), reason: REASON, now });
    return ids.length;
  });
}

const REASON = "Its secret was lost with the service's key; rotate the secret, then enable the webhook";
