/** Where the snippets take the key from: they never hold it. */
export const KEY_VARIABLE = "MODELSCOUT_API_KEY";
