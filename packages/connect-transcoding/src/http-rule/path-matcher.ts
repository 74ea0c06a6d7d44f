import type { PathTemplate } from "./path-template.ts";
import { percentDecode } from "./path-template.ts";

/** The result of matching a path. */
export type PathMatch<T> =
  | {
      readonly kind: "route";
      readonly value: T;
      /** The raw segments of the path, without the verb. */
      readonly segments: readonly string[];
    }
  /** The path has routes, but none for the method. */
  | { readonly kind: "method"; readonly allow: readonly string[] };

interface Node<T> {
  readonly literals: Map<string, Node<T>>;
  wildcard: Node<T> | undefined;
  rest: Node<T> | undefined;
  /** Routes that end here: verb, then HTTP method. */
  readonly routes: Map<string, Map<string, T>>;
}

/**
 * Finds the route of a method and a path, whatever the order in which routes were added: segment by segment a literal
 * beats `*`, and `*` beats `**`, with backtracking. A verb is split off only where a route has it; elsewhere a colon
 * is data. GET routes also serve HEAD, and a route with the method `*` serves every method that no other route serves.
 */
export class PathMatcher<T> {
  readonly #root: Node<T> = createNode();
  readonly #verbs = new Set<string>();

  /** Adds a route. If another route has the same method and paths, returns that route's value and adds nothing. */
  add(method: string, template: PathTemplate, value: T): T | undefined {
    let node = this.#root;
    for (const segment of template.segments) {
      if (segment.kind === "literal") {
        const next = node.literals.get(segment.text) ?? createNode<T>();
        node.literals.set(segment.text, next);
        node = next;
      } else if (segment.kind === "*") {
        node.wildcard ??= createNode();
        node = node.wildcard;
      } else {
        node.rest ??= createNode();
        node = node.rest;
      }
    }
    const methods = node.routes.get(template.verb) ?? new Map<string, T>();
    node.routes.set(template.verb, methods);
    const taken = methods.get(method);
    if (taken === undefined) {
      methods.set(method, value);
      this.#verbs.add(template.verb);
    }
    return taken;
  }

  /** Matches a raw path (still encoded, no query). Undefined if no route has such a path. */
  match(method: string, path: string): PathMatch<T> | undefined {
    const segments = path === "/" ? [] : path.slice(1).split("/");
    const last = segments.at(-1) ?? "";
    const colon = last.lastIndexOf(":");
    if (colon >= 0) {
      const verb = percentDecode(last.slice(colon + 1));
      if (verb !== undefined && verb !== "" && this.#verbs.has(verb)) {
        const match = this.#find(method, segments.with(-1, last.slice(0, colon)), verb);
        if (match !== undefined) {
          return match;
        }
      }
    }
    return this.#find(method, segments, "");
  }

  #find(method: string, segments: readonly string[], verb: string): PathMatch<T> | undefined {
    const allow = new Set<string>();
    const value = findValue(this.#root, segments, 0, verb, method, allow);
    if (value !== undefined) {
      return { kind: "route", value, segments };
    }
    return allow.size > 0 ? { kind: "method", allow: [...allow] } : undefined;
  }
}

function createNode<T>(): Node<T> {
  return { literals: new Map(), wildcard: undefined, rest: undefined, routes: new Map() };
}

/** Depth-first in order of precedence. Visits every node at most once, because `**` has no nodes below it. */
function findValue<T>(
  node: Node<T>,
  segments: readonly string[],
  index: number,
  verb: string,
  method: string,
  allow: Set<string>,
): T | undefined {
  let value: T | undefined;
  if (index === segments.length) {
    value = pickMethod(node.routes.get(verb), method, allow);
  } else {
    const segment = segments[index]!;
    const literal = node.literals.get(percentDecode(segment) ?? segment.toUpperCase());
    value = literal && findValue(literal, segments, index + 1, verb, method, allow);
    if (value === undefined && node.wildcard !== undefined && segment !== "") {
      value = findValue(node.wildcard, segments, index + 1, verb, method, allow);
    }
  }
  return value ?? (node.rest && pickMethod(node.rest.routes.get(verb), method, allow));
}

function pickMethod<T>(methods: Map<string, T> | undefined, method: string, allow: Set<string>): T | undefined {
  if (methods === undefined) {
    return undefined;
  }
  const value = methods.get(method) ?? (method === "HEAD" ? methods.get("GET") : undefined) ?? methods.get("*");
  if (value === undefined) {
    for (const name of methods.keys()) {
      allow.add(name);
      if (name === "GET") {
        allow.add("HEAD");
      }
    }
  }
  return value;
}
