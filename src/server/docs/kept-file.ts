import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { isNamedTag } from "../web/web-assets.ts";

/** The content of a file, and its media type. */
export interface FileContent {
  body: Buffer;
  type: string;
}

/** Answers requests for a file. */
export type FileHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

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
export function keptFile(make: () => FileContent | Promise<FileContent>): FileHandler {
  let kept: Promise<KeptFile> | undefined;
  return async (request, reply) => {
    kept ??= keep(make).catch((error) => {
      // The next request tries again.
      kept = undefined;
      throw error;
    });
    const { type, plain, gzipped } = await kept;
    const takesGzip = acceptsGzip(request.headers["accept-encoding"]);
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

function acceptsGzip(acceptEncoding: string | string[] | undefined): boolean {
  const codings = String(acceptEncoding ?? "")
    .toLowerCase()
    .split(",");
  return codings.some((coding) => /^\s*(?:x-)?gzip\s*(?:;\s*q=(?:1|0\.0*[1-9]).*)?$/.test(coding));
}
