import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import Negotiator from "negotiator";

const built = fileURLToPath(new URL("../../web/dist", import.meta.url));

/** Allows only what this host serves, nothing inline, and no scripts made from text. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const securityHeaders = {
  "content-security-policy": contentSecurityPolicy,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
  "referrer-policy": "no-referrer",
};

/** Marks an address whose question is sent only if the visitor confirms it; web/src/state/route.ts reads the mark. */
const UNASKED = "unasked";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Whether the route answers with a page for people. Other sites may link to it. */
    isPage?: boolean;
  }
}

/** Options of webRoutes(). */
export interface WebOptions {
  /** Whether pages of other sites must not use up the visitor's recommendations; see loopback-guard.ts. */
  guarded: boolean;
}

/** The page and its files. */
export interface WebPages {
  readonly paths: readonly string[];
  /** Answers a browser's visit to an unknown path with the page, which says so. Undefined for any other request. */
  sendNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined;
}

/**
 * Serves the built page at `/` and the files that it loads. Requests for them are not identified and not counted.
 */
export function webRoutes(server: FastifyInstance, { guarded }: WebOptions): WebPages {
  const assets = readWebAssets(built);
  for (const asset of assets) {
    const isPage = asset.path === "/";
    server.get(asset.path, { config: { audience: "everyone", isPage } }, (request, reply) => {
      const question = isPage && guarded ? questionOfAnotherSite(request) : undefined;
      if (question !== undefined) {
        return reply.header("cache-control", "no-store").redirect(`/?${question}&${UNASKED}`, 303);
      }
      return sendAsset(asset, request, reply);
    });
  }
  const page = assets.find(({ path }) => path === "/");
  return {
    paths: assets.map(({ path }) => path),
    sendNotFound(request, reply) {
      const isVisit = request.method === "GET" && (request.headers.accept ?? "").includes("text/html");
      if (!isVisit || page === undefined) {
        return undefined;
      }
      const headers = { ...securityHeaders, "cache-control": "no-store", vary: "Accept" };
      return reply.code(404).headers(headers).type(page.type).send(page.plain.body);
    },
  };
}

function sendAsset(asset: WebAsset, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const coding = acceptedCoding(request.headers["accept-encoding"], asset.coded.keys());
  const { body, etag } = (coding && asset.coded.get(coding)) ?? asset.plain;
  reply.headers({
    ...securityHeaders,
    etag,
    vary: "Accept-Encoding",
    "cache-control": asset.isImmutable ? "public, max-age=31536000, immutable" : "no-cache",
  });
  if (isNamedTag(etag, request.headers["if-none-match"])) {
    return reply.code(304).send();
  }
  if (coding !== undefined) {
    reply.header("content-encoding", coding);
  }
  return reply.type(asset.type).send(body);
}

/**
 * The query of an address with a question that a link of another site leads to; undefined for any other. That site's
 * page could open many such links and use up the visitor's recommendations, so only the visitor may send the question.
 */
function questionOfAnotherSite({ headers, raw }: FastifyRequest): string | undefined {
  if (headers["sec-fetch-site"] !== "cross-site") {
    return undefined;
  }
  const query = (raw.url ?? "").split("?").slice(1).join("?");
  const params = new URLSearchParams(query);
  return params.has("q") && !params.has(UNASKED) ? query : undefined;
}

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
 * Reads the built page into memory, some hundred kilobytes. ETags are made from the content, because npm
 * gives the files of every version the same date.
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
  const available = [...codings];
  const accepted = new Negotiator({ headers: { "accept-encoding": header } }).encodings(available);
  return available.find((coding) => accepted.includes(coding));
}

/** Whether an If-None-Match names an entity tag, by the weak comparison (RFC 9110, 13.1.2). */
export function isNamedTag(etag: string, ifNoneMatch: string | undefined): boolean {
  const tags = (ifNoneMatch ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes(etag) || tags.includes("*");
}
