/** Loaded with --import, in each thread: tells on stderr which thread resolves which package. */
import { writeSync } from "node:fs";
import { registerHooks } from "node:module";
import { isMainThread } from "node:worker_threads";

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    const [, name] = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(resolved.url) ?? [];
    if (name !== undefined) writeSync(2, `${isMainThread ? "main" : "worker"} loads ${name}\n`);
    return resolved;
  },
});
