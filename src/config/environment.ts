import ipaddr from "ipaddr.js";

/** Reports a variable with a wrong value, and the allowed values. */
export type Fault = (name: string, allowed: string) => void;

/** The environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A value as an error message repeats it: without the secrets in it. */
export function shownValue(name: string, value: string | undefined): string {
  const secrets = [
    "MODELSCOUT_INVENTORY_OPTIONS",
    "MODELSCOUT_ADMIN_TOKEN",
    "MODELSCOUT_SECRET_KEY",
    "MODELSCOUT_LLM_KEY",
    "HF_TOKEN",
  ];
  if (secrets.includes(name) || name.endsWith("_HEADERS")) {
    return "***";
  }
  // Any other URL may contain a user by mistake.
  if (name === "MODELSCOUT_DATABASE_URL" || (/_(?:URLS?|ENDPOINT)$/.test(name) && value?.includes("@"))) {
    return JSON.stringify(withoutPassword(value ?? ""));
  }
  return JSON.stringify(value);
}

/** A database URL with `***` for every password in it; only `***` if the password cannot be found. */
function withoutPassword(value: string): string {
  const url = URL.canParse(value.trim()) ? new URL(value.trim()) : undefined;
  if (url === undefined || url.host === "") {
    return "***";
  }
  if (url.password !== "") {
    url.password = "***";
  }
  for (const name of [...url.searchParams.keys()]) {
    if (/pass/i.test(name)) {
      url.searchParams.set(name, "***");
    }
  }
  return url.href;
}

/** An http or https URL without user and password, which fetch refuses. */
export function webAddress(env: Environment, fault: Fault, name: string, example: string): string | undefined {
  const value = env[name]?.trim();
  if (!value) {
    return undefined;
  }
  if (isPlainAddress(value)) {
    return value;
  }
  fault(name, `an http or https URL without a user, such as ${example}`);
  return undefined;
}

export function isPlainAddress(value: string): boolean {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
}

/** Whether a text is an address or a range, but not the range of all addresses. */
export function isRange(text: string): boolean {
  const [address = "", bits] = text.split("/");
  const isAddress = ipaddr.IPv6.isValid(address) || ipaddr.IPv4.isValidFourPartDecimal(address);
  return isAddress && (bits === undefined || (ipaddr.isValidCIDR(text) && Number(bits) > 0));
}
