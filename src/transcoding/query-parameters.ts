import { percentDecode } from "./percent-decode.ts";

/** One parameter of a query string: a key and its value, or undefined for both if an escape is malformed. */
export interface QueryParameter {
  readonly key: string | undefined;
  readonly value: string | undefined;
  /** As sent. */
  readonly raw: string;
}

/** Splits a query string (without "?") at "&", decodes plus signs and percent escapes, and skips empty parts. */
export function* queryParameters(query: string): Generator<QueryParameter> {
  for (const raw of query.split("&")) {
    if (raw !== "") {
      const equals = raw.indexOf("=");
      yield {
        key: decode(equals < 0 ? raw : raw.slice(0, equals)),
        value: decode(equals < 0 ? "" : raw.slice(equals + 1)),
        raw,
      };
    }
  }
}

function decode(text: string): string | undefined {
  return percentDecode(text.replaceAll("+", " "));
}
