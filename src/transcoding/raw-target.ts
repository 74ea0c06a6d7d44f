/** A request target, split but not decoded. */
export interface RawTarget {
  readonly path: string;
  /** Without "?". */
  readonly query: string;
}

/** Splits a request target and removes what stands before the path: scheme and host, and the prefix of a plugin. */
export function rawTarget(target: string, prefix: string): RawTarget {
  const absolute = target.startsWith("/") ? target : target.replace(/^https?:\/\/[^/?#]*/i, "");
  const question = absolute.indexOf("?");
  const path = question < 0 ? absolute : absolute.slice(0, question);
  return {
    path: path.startsWith(prefix) ? path.slice(prefix.length) || "/" : path,
    query: question < 0 ? "" : absolute.slice(question + 1),
  };
}
