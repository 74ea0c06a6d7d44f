import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join, sep } from "node:path";
import { qualities } from "../../transcoding/index.ts";

/** Codings of the files that the build writes beside each text, best first. */
export const codings = [
  { name: "br", extension: ".br" },
  { name: "gzip", extension: ".gz" },
] as const;

export type Coding = (typeof codings)[number]["name"];

/** One encoding of a file; each has a tag of its own, since they are different bytes. */
export interface AssetForm {
  readonly body: Buffer;
  readonly etag: string;
}

/** A file of the built page. */
export interface WebAsset {
  /** Where it is served, such as `/` for index.html and `/assets/index-1a2b3c4d.js`. */
  readonly path: string;
  readonly type: string;
  /** Whether its name has a hash of what it holds, so that it never changes. */
  readonly isImmutable: boolean;
  readonly plain: AssetForm;
  readonly coded: ReadonlyMap<Coding, AssetForm>;
}

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/**
 * Reads the built page. It is some hundred kilobytes and is kept in memory: tags are then of what a file holds, not of
 * its date, which npm sets to the same for every version.
 *
 * @throws Error when the folder is not there or has a file of no known type.
 */
export function readWebAssets(folder: string): WebAsset[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !codings.some(({ extension }) => entry.name.endsWith(extension)))
    .map(({ parentPath, name }) => join(parentPath, name));
  return files.map((file) => {
    const path = file.slice(join(folder, sep).length).split(sep).join("/");
    const type = types[extname(file)];
    if (type === undefined) {
      throw new Error(`${file}: there is no media type for ${extname(file)}`);
    }
    const body = readFileSync(file);
    const hash = createHash("sha256").update(body).digest("base64url");
    const coded = codings
      .filter(({ extension }) => existsSync(file + extension))
      .map(({ name, extension }) => {
        const form = { body: readFileSync(file + extension), etag: `"${hash}-${name}"` };
        return [name, form] as const;
      });
    return {
      path: path === "index.html" ? "/" : `/${path}`,
      type,
      isImmutable: path.startsWith("assets/"),
      plain: { body, etag: `"${hash}"` },
      coded: new Map(coded),
    };
  });
}

/**
 * The first of the codings that an Accept-Encoding header accepts; undefined when it accepts none, or is missing. A
 * quality of 0 refuses a coding. Other qualities do not change the order, since all codings are ready.
 */
export function acceptedCoding<T extends string>(header: string | undefined, codings: Iterable<T>): T | undefined {
  const accepted = qualities(header ?? "");
  return [...codings].find((coding) => (accepted.get(coding) ?? accepted.get("*") ?? 0) > 0);
}

/** Whether an If-None-Match names an entity tag; the comparison is the weak one, as RFC 9110 has it there. */
export function isNamedTag(etag: string, ifNoneMatch: string | undefined): boolean {
  const tags = (ifNoneMatch ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes(etag) || tags.includes("*");
}
