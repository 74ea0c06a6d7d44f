import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const about: { version: string; commit?: string } = JSON.parse(
  readFileSync(new URL("../package.json", import.meta.url), "utf8"),
);

/** The program's version, as package.json has it. */
export const version: string = about.version;

/**
 * The commit that the program was built from, 40 hexadecimal digits: as the package or the image says
 * (MODELSCOUT_COMMIT), else that of the clone that it runs in; undefined if none of them says.
 */
export const commit: string | undefined =
  about.commit ?? (process.env.MODELSCOUT_COMMIT?.trim() || commitOfClone(new URL("..", import.meta.url)));

/** The commit that is checked out in a clone or a work tree of git; undefined if the folder is neither. */
export function commitOfClone(folder: URL): string | undefined {
  try {
    const gitFolder = gitFolderOf(resolve(fileURLToPath(folder), ".git"));
    const head = read(resolve(gitFolder, "HEAD"));
    const branch = /^ref: (.+)$/.exec(head)?.[1];
    const found = branch === undefined ? head : commitOfBranch(gitFolder, branch);
    return /^[0-9a-f]{40}$/.test(found ?? "") ? found : undefined;
  } catch {
    // No clone, or one in a form that git invented later: the commit is only for information.
    return undefined;
  }
}

/** In a work tree, .git is a file that names the folder. */
function gitFolderOf(path: string): string {
  try {
    const named = /^gitdir: (.+)$/.exec(read(path))?.[1] as string;
    return resolve(dirname(path), named);
  } catch {
    return path;
  }
}

function commitOfBranch(gitFolder: string, branch: string): string | undefined {
  // A work tree has its own HEAD, and the branches of the clone.
  const common = resolve(gitFolder, readOr(resolve(gitFolder, "commondir"), "."));
  const loose = readOr(resolve(common, branch), "");
  const packed = () =>
    readOr(resolve(common, "packed-refs"), "")
      .split("\n")
      .find((line) => line.endsWith(` ${branch}`));
  return loose || packed()?.slice(0, 40);
}

function read(path: string): string {
  return readFileSync(path, "utf8").trim();
}

function readOr(path: string, otherwise: string): string {
  try {
    return read(path);
  } catch {
    return otherwise;
  }
}
