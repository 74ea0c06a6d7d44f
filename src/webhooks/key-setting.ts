/** The setting that tells which key secrets are encrypted with, and nothing of the key. */
export const KEY_SETTING = "secret_key_check";
