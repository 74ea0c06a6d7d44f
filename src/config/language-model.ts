import ipaddr from "ipaddr.js";
import { isNearAddress } from "../text/index.ts";
import { type Environment, isPlainAddress, shownValue } from "./environment.ts";

/** A language model that reads needs. */
export interface LanguageModelConfig {
  /** Base of an OpenAI-compatible API, such as http://127.0.0.1:11434/v1. MODELSCOUT_LLM_URL. */
  url: string;
  /** The model's name there. MODELSCOUT_LLM_MODEL. */
  model: string;
  /** Sent as a bearer token; undefined for none. MODELSCOUT_LLM_KEY. A secret. */
  key: string | undefined;
  /** The longest wait for a reading, in milliseconds. MODELSCOUT_LLM_TIMEOUT_MS, default 3000. */
  timeoutMs: number;
  /** Needs that it reads at a time. MODELSCOUT_LLM_CONCURRENCY, default 4. */
  concurrency: number;
}

const MOST_MODEL_NAME_CHARS = 200;

export function languageModel(
  env: Environment,
  faults: string[],
  limits: Pick<LanguageModelConfig, "timeoutMs" | "concurrency">,
): LanguageModelConfig | undefined {
  const [url, model, key] = ["URL", "MODEL", "KEY"].map((name) => env[`MODELSCOUT_LLM_${name}`]?.trim() || undefined);
  const wrong = (name: string, allowed: string) =>
    faults.push(`${name}=${shownValue(name, env[name])}: must be ${allowed}`);
  if (url === undefined) {
    if (model !== undefined || key !== undefined) {
      faults.push(
        `MODELSCOUT_LLM_URL: must be set if ${model === undefined ? "MODELSCOUT_LLM_KEY" : "MODELSCOUT_LLM_MODEL"} is set, for example to http://127.0.0.1:11434/v1`,
      );
    }
    return undefined;
  }
  if (!isPlainAddress(url)) {
    wrong("MODELSCOUT_LLM_URL", "an http or https URL without a user, such as http://127.0.0.1:11434/v1");
  } else if (new URL(url).protocol === "http:" && isFarHost(new URL(url).hostname)) {
    wrong("MODELSCOUT_LLM_URL", "an https URL, because http is allowed only for loopback and private addresses");
  }
  if (model === undefined) {
    faults.push(
      "MODELSCOUT_LLM_MODEL: must be set if MODELSCOUT_LLM_URL is set; it is the model's name on that server, such as gemma3:4b",
    );
  } else if (model.length > MOST_MODEL_NAME_CHARS || /\p{Cc}/u.test(model)) {
    wrong("MODELSCOUT_LLM_MODEL", `the name of a model, of at most ${MOST_MODEL_NAME_CHARS} characters`);
  }
  // It is sent in a header.
  if (key !== undefined && !/^[\x21-\x7e]{1,500}$/.test(key)) {
    wrong("MODELSCOUT_LLM_KEY", "a key of at most 500 printable characters without blanks");
  }
  return { url, model: model ?? "", key, ...limits };
}

/** Whether a host of a URL is an address outside of this machine and of private networks. A name may lead anywhere. */
function isFarHost(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, "");
  return ipaddr.isValid(address) && !isNearAddress(address);
}
