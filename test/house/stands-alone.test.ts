import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");

it("No test, benchmark or script names a path outside of the repository", () => {
  const outside: string[] = [];
  let literals = 0;
  for (const folder of ["test", "bench", "eval", "scripts", "torture", "training", "clients"]) {
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })) {
      if (!/\.(?:[cm]?[jt]s|py)$/.test(name) || name.includes("node_modules")) {
        continue;
      }
      const file = join(root, folder, name);
      for (const [, path = ""] of readFileSync(file, "utf8").matchAll(/["'`]((?:\.\.\/)+[^"'`$\s]*)["'`]/g)) {
        literals += 1;
        if (!`${resolve(dirname(file), path)}${sep}`.startsWith(`${root}${sep}`)) {
          outside.push(`${relative(root, file)}: ${path}`);
        }
      }
    }
  }
  expect(literals).toBeGreaterThan(500);
  expect(outside).toEqual([]);
});
