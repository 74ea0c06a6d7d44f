import { fileURLToPath } from "node:url";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { acceptedCoding, isNamedTag, readWebAssets, type WebAsset } from "./web-assets.ts";

const built = fileURLToPath(new URL("../../../web/dist", import.meta.url));

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

/** Marks an address whose question only the visitor may send; web/src/state/route.ts reads it. */
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
