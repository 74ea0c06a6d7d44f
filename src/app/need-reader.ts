import { type Config, ConfigError } from "../config/index.ts";
import { createNeedReader, type NeedReaderOptions, publicAddressOf, type ReadNeed } from "../recommend/index.ts";

/**
 * Creates what reads needs with the configured language model; undefined if there is none.
 *
 * @throws ConfigError if needs would go over http to a public address. A name that has no address now is checked again
 * at each connection.
 */
export async function openNeedReader(
  { languageModel }: Pick<Config, "languageModel">,
  listeners: Pick<NeedReaderOptions, "onDone" | "onProblem"> = {},
): Promise<ReadNeed | undefined> {
  if (languageModel === undefined) {
    return undefined;
  }
  const address = await publicAddressOf(languageModel.url);
  if (address !== undefined) {
    // Its query may hold a key.
    const { origin, pathname, hostname } = new URL(languageModel.url);
    throw new ConfigError([
      `MODELSCOUT_LLM_URL=${JSON.stringify(`${origin}${pathname}`)}: must be an https URL, because http is allowed only for loopback and private addresses, and ${hostname} has the address ${address}`,
    ]);
  }
  return createNeedReader({ ...languageModel, ...listeners });
}
