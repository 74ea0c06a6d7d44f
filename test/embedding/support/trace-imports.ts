/**
 * Loaded with --import, in each thread. Reports which thread resolves which package, on stderr or in the file that
 * TRACE_IMPORTS_TO names, because a pipe that is read too slowly blocks.
 */
import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { isMainThread } from "node:worker_threads";

const to = process.env.TRACE_IMPORTS_TO ?? 2;

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    const [, name] = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(resolved.url) ?? [];
    if (name !== undefined) {
      appendFileSync(to, `${isMainThread ? "main" : "worker"} loads ${name}\n`);
    }
    return resolved;
  },
});
