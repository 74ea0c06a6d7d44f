import { licenseOfLink } from "./license-of-link.ts";
import { licenseFacts } from "./licenses.ts";
import { normaliseLicense } from "./normalise-license.ts";

/** What a source tells of a licence. */
export interface LicenseTold {
  /** `apache-2.0`, `other` … */
  id?: string | null;
  /** The name that owners write beside `other`. */
  name?: string | null;
  /** Where its text is. */
  link?: string | null;
  /** Tags of the model, of which those with `license:` count. */
  tags?: readonly string[];
}

/**
 * The licence id that says most: a name that we know; the id; and where that is `other` or missing, a tag, a name among
 * the tags, or what a link leads to. Else `other` or the id as it is told; undefined where nothing is.
 */
export function toldLicense({ id, name, link, tags = [] }: LicenseTold): string | undefined {
  const named = normaliseLicense(name ?? undefined);
  if (licenseFacts(named) !== undefined) return named;
  const told = normaliseLicense(id ?? undefined);
  if (told !== undefined && told !== "other") return told;
  const tagged = tags.filter((tag) => tag.startsWith("license"));
  const ids = [...valuesOf(tagged, "license:"), ...valuesOf(tagged, "license_name:")].map(normaliseLicense);
  const known = ids.find((each) => licenseFacts(each) !== undefined);
  if (known !== undefined) return known;
  for (const address of [link ?? undefined, ...valuesOf(tagged, "license_link:")]) {
    const linked = licenseOfLink(address);
    if (linked !== undefined) return linked;
  }
  return ids.find((each) => each !== undefined && each !== "other") ?? told ?? ids.find((each) => each !== undefined);
}

function valuesOf(tags: readonly string[], prefix: string): string[] {
  return tags.filter((tag) => tag.startsWith(prefix)).map((tag) => tag.slice(prefix.length));
}
