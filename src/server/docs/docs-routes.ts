import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { ConnectRouter } from "@connectrpc/connect";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { acceptedCoding, isNamedTag } from "../web-routes.ts";
import { createApiDocument } from "./create-api-document.ts";

/** Swagger UI without the telemetry that its own package installs. */
const swaggerUi = join(dirname(createRequire(import.meta.url).resolve("@fastify/swagger-ui/package.json")), "static");
const page = fileURLToPath(new URL("./page", import.meta.url));

const css = "text/css; charset=utf-8";
const script = "text/javascript; charset=utf-8";

/** The page and the files that it loads, by path. */
const files: Readonly<Record<string, { folder: string; name: string; type: string }>> = {
  "/docs": { folder: page, name: "index.html", type: "text/html; charset=utf-8" },
  "/docs/docs.css": { folder: page, name: "docs.css", type: css },
  "/docs/docs.js": { folder: page, name: "docs.js", type: script },
  "/docs/icon.svg": { folder: page, name: "icon.svg", type: "image/svg+xml" },
  "/docs/swagger-ui.css": { folder: swaggerUi, name: "swagger-ui.css", type: css },
  "/docs/swagger-ui-bundle.js": { folder: swaggerUi, name: "swagger-ui-bundle.js", type: script },
};

/** The paths below. */
export const docsPaths: readonly string[] = ["/openapi.json", ...Object.keys(files)];

/** Allows only what this host serves, and nothing inline. Swagger UI's style sheet has its icons as data: URLs. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const pageHeaders = {
  "content-security-policy": contentSecurityPolicy,
  "referrer-policy": "no-referrer",
};

/** Serves the description of the API at /openapi.json, and at /docs a page on which people read and try the API. */
export function docsRoutes(server: FastifyInstance, routes: (router: ConnectRouter) => void): void {
  const document = keptFile(() => ({
    body: Buffer.from(JSON.stringify(createApiDocument(routes))),
    type: "application/json",
  }));
  // Readers need no key.
  const config = { audience: "everyone" } as const;
  server.get("/openapi.json", { config }, document);
  for (const [path, { folder, name, type }] of Object.entries(files)) {
    const file = keptFile(async () => ({ body: await readFile(join(folder, name)), type }));
    server.get(path, { config: { ...config, isPage: path === "/docs" } }, (request, reply) =>
      file(request, reply.headers(pageHeaders)),
    );
  }
  server.get("/docs/", { config }, (_request, reply) => reply.redirect("/docs", 308));
}

/** The content of a file, and its media type. */
interface FileContent {
  body: Buffer;
  type: string;
}

/** Answers requests for a file. */
type FileHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

interface KeptFile {
  type: string;
  plain: Form;
  gzipped: Form;
}

/** One encoding of a file. Each has its own tag, because the bytes differ. */
interface Form {
  body: Buffer;
  etag: string;
}

const compress = promisify(gzip);

/** Serves a file that is made at the first request and kept, also compressed. Its tag saves sending it again. */
function keptFile(make: () => FileContent | Promise<FileContent>): FileHandler {
  let kept: Promise<KeptFile> | undefined;
  return async (request, reply) => {
    kept ??= keep(make).catch((error) => {
      // The next request tries again.
      kept = undefined;
      throw error;
    });
    const { type, plain, gzipped } = await kept;
    const takesGzip = acceptedCoding(request.headers["accept-encoding"], ["gzip", "x-gzip"]) !== undefined;
    const { body, etag } = takesGzip ? gzipped : plain;
    reply.headers({ etag, "cache-control": "no-cache", vary: "Accept-Encoding" });
    if (isNamedTag(etag, request.headers["if-none-match"])) {
      return reply.code(304).send();
    }
    if (takesGzip) {
      reply.header("content-encoding", "gzip");
    }
    return reply.type(type).send(body);
  };
}

async function keep(make: () => FileContent | Promise<FileContent>): Promise<KeptFile> {
  const { body, type } = await make();
  const hash = createHash("sha256").update(body).digest("base64url");
  return {
    type,
    plain: { body, etag: `"${hash}"` },
    gzipped: { body: await compress(body, { level: 9 }), etag: `"${hash}-gzip"` },
  };
}
