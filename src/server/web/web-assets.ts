import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join, sep } from "node:path";
import { qualities } from "../../../packages/connect-transcoding/src/tools.ts";

/** Codings of the files that the build writes beside each text, best first. */
export const codings = [
  { name: "br", extension: ".br" },
  { name: "gzip", extension: ".gz" },
] as const;

export type Coding = (typeof codings)[number]["name"];

/** One encoding of a file. Each has its own tag, because the bytes differ. */
export interface AssetForm {
  readonly body: Buffer;
  readonly etag: string;
}

/** A file of the built page. */
export interface WebAsset {
  /** The path that serves it, such as `/` for index.html and `/assets/index-1a2b3c4d.js`. */
  readonly path: string;
  readonly type: string;
  /** Whether its name has a hash of its content, so that it never changes. */
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
 * Reads the built page into memory, some hundred kilobytes. Tags are of the content and not of the date, which npm sets
 * to the same for every version.
 *
 * @throws Error if the folder does not exist or has a file of an unknown type.
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
 * The first of the codings that an Accept-Encoding header accepts; undefined if it accepts none or is missing. A
 * quality of 0 refuses a coding. Other qualities do not change the order, because all codings are ready.
 */
export function acceptedCoding<T extends string>(header: string | undefined, codings: Iterable<T>): T | undefined {
  const accepted = qualities(header ?? "");
  return [...codings].find((coding) => (accepted.get(coding) ?? accepted.get("*") ?? 0) > 0);
}

/** Whether an If-None-Match names an entity tag, by the weak comparison (RFC 9110, 13.1.2). */
export function isNamedTag(etag: string, ifNoneMatch: string | undefined): boolean {
  const tags = (ifNoneMatch ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes(etag) || tags.includes("*");
}
