/** Headers of the in-process call that do not fit the REST response. */
const OMITTED: ReadonlySet<string> = new Set([
  "connect-accept-encoding",
  "connect-content-encoding",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "keep-alive",
  "transfer-encoding",
]);

/** Hands the response headers and trailers of a handler to `set`, each Set-Cookie by itself. */
export function copyHeader(header: Headers, set: (name: string, value: string) => void): void {
  header.forEach((value, name) => {
    if (!OMITTED.has(name)) {
      set(name, value);
    }
  });
}
