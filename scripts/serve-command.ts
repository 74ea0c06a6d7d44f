import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));

/**
 * Arguments of Node that start the service. A small young generation saves some 90 MB. V8 otherwise lets the heap grow
 * to twice what is in use before it collects; a quarter more saves some 60 MB. Below 48 MB, which the first needs reach, it
 * need not collect: that saves a tenth of the processor time of a start. V8 also learns which objects live long, and then
 * makes them where only a collection of the whole heap finds them: candidates of a need, which live for
 * milliseconds. Without that, such a collection comes after 450 recommendations instead of 170.
 */
export const serveArgs: readonly string[] = [
  "--max-semi-space-size=4",
  "--heap-growing-percent=25",
  "--initial-old-space-size=48",
  "--no-allocation-site-pretenuring",
  main,
  "serve",
];

/**
 * Environment variables that the service starts with unless they are set. `MALLOC_…` is for glibc on Linux: two arenas
 * for all threads, and memory that is free at the end of the heap returns to the system from 128 KiB on. Otherwise glibc
 * raises that bound by itself, and keeps what a burst has used. With `NODE_COMPILE_CACHE`, Node keeps compiled code from
 * the first file on; `main.ts` can ask for this only when Node has already loaded its compiler of TypeScript.
 */
export const serveEnvironment: Readonly<Record<string, string>> = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL("../node_modules/.cache/modelscout", import.meta.url)),
  MALLOC_ARENA_MAX: "2",
  MALLOC_TRIM_THRESHOLD_: "131072",
};
