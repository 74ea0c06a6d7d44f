import type { UniversalHandler } from "@connectrpc/connect/protocol";
import type { Binding } from "./binding.ts";
import { compileBindings } from "./compile-bindings.ts";
import type { ResolvedOptions } from "./options.ts";
import { PathMatcher } from "./path-matcher.ts";
import { createRoute, type Route } from "./route.ts";

/** The routes of a transcoder. */
export interface Routes {
  readonly matcher: PathMatcher<Route>;
  /** All HTTP methods that routes have, `*` apart. */
  readonly httpMethods: ReadonlySet<string>;
}

/**
 * Prepares the routes of all handlers whose method has an HTTP rule. Throws an Error that names the RPCs for rules
 * that cannot be bound, and for two rules with the same method and paths.
 */
export function createRoutes(handlers: readonly UniversalHandler[], options: ResolvedOptions): Routes {
  const matcher = new PathMatcher<Route>();
  const httpMethods = new Set<string>();
  for (const handler of handlers) {
    const rule = options.httpRule(handler.method);
    for (const binding of rule === undefined ? [] : compileBindings(handler.method, rule, options)) {
      const taken = matcher.add(binding.httpMethod, binding.template, createRoute(binding, handler, options));
      if (taken !== undefined) {
        throw new Error(`${rpcName(taken.binding)} and ${rpcName(binding)} are bound to the same HTTP method and path`);
      }
      if (binding.httpMethod !== "*") {
        httpMethods.add(binding.httpMethod);
      }
    }
  }
  return { matcher, httpMethods };
}

function rpcName({ method }: Binding): string {
  return `${method.parent.typeName}.${method.name}`;
}
