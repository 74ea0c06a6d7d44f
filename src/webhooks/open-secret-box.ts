import type { Store } from "../store/store.ts";
import { StoreError } from "../store/store-error.ts";
import { setSetting, settingOr } from "../store/tables/settings.ts";
import { hasWebhooks } from "../store/tables/webhooks.ts";
import { configuredSecretBox, type SecretKeyOptions } from "./configured-secret-box.ts";
import { KEY_SETTING } from "./key-setting.ts";
import type { SecretBox } from "./secret-box.ts";

/**
 * What the webhooks' secrets are encrypted with.
 *
 * @throws StoreError when they were encrypted with another key, or the key's file cannot be read or made.
 */
export async function openSecretBox(
  { db, place }: Pick<Store, "db" | "place">,
  options: SecretKeyOptions,
): Promise<SecretBox> {
  const { box, keyName } = await configuredSecretBox(options);
  const known = await settingOr(db, KEY_SETTING, () => box.check);
  if (known === box.check) return box;
  if (await hasWebhooks(db))
    throw new StoreError(
      `${keyName} is not the one that the secrets of the webhooks in ${place} are encrypted with. Start with that one. Where it is lost, modelscout webhooks reset-secrets gives every webhook a new secret, which its owner has to ask for`,
    );
  await setSetting(db, KEY_SETTING, box.check);
  return box;
}
