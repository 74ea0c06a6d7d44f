/**
 * Bounds on the work of checking a request and on the size of an error. All code that reads, checks or refuses requests
 * uses them, so that the work is linear in the bytes received and errors stay small even for a hostile request.
 */
export const checkLimits = {
  /**
   * Levels of objects and lists in JSON. protobuf-es gives up at 100 levels of messages. JSON.parse() with a reviver
   * recurses, so a few thousand levels overflow its stack.
   */
  depth: 100,
  /**
   * Characters of an object's key in JSON, as written. V8 hashes strings above 16,383 characters by their length alone,
   * so that tables of such keys, that of JSON.parse() too, take quadratic time. Names of fields are far shorter.
   */
  keyCharacters: 1_000,
  /** Problems that one reader (of JSON text, of its values, of the query) records before it stops looking. */
  problemsNoted: 100,
  /** Violations that an error lists. Clients take as little as 8 kB of gRPC trailers. */
  violationsListed: 30,
  /** Characters of the field of a violation, and of its description: both repeat what was sent. */
  violationCharacters: 200,
  /** Characters of a mistyped name that is compared with the known ones: the work is the product of both lengths. */
  comparedCharacters: 64,
  /** Bytes of an error, in the largest of its forms: a REST or Connect body, or the trailers of gRPC. */
  errorBytes: 16_000,
} as const;
