import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import type { Ignore } from "@balena/dockerignore";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { serveArgs } from "../../../scripts/serve-command.ts";
import { readConfig } from "../../../src/config/config.ts";
import { selfSignedCertificate } from "../../server/listener/support/self-signed-certificate.ts";
import { isUnreachable, runAsUser } from "../../support/packages.ts";
import { freePort } from "../../support/servers/free-port.ts";

// Its types declare a default export that it does not have.
const dockerignore = createRequire(import.meta.url)("@balena/dockerignore") as () => Ignore;

const root = resolve(import.meta.dirname, "../../..");
const read = (name: string) => readFileSync(join(root, name), "utf8");
const project = JSON.parse(read("package.json")) as {
  devDependencies: Record<string, string>;
};

/** The instructions of a Dockerfile, with continued lines joined. */
const instructions = read("Dockerfile")
  .replace(/^#.*\n/gm, "")
  .replace(/\\\n\s*/g, "")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => {
    const [, name = "", rest = ""] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    return { name, rest };
  });
const lastStage = instructions.findLastIndex(({ name }) => name === "FROM");
const all = (name: string) => instructions.filter((each) => each.name === name).map(({ rest }) => rest);
/** The files that an instruction COPY copies, and their place. */
const copied = (rest: string) => {
  const words = rest.split(/\s+/);
  return { sources: words.slice(0, -1), target: words.at(-1) as string };
};
/** The files copied from the project, and their places in the last stage. */
const copies = instructions
  .slice(lastStage)
  .filter(({ name, rest }) => name === "COPY" && !rest.startsWith("--from"))
  .map(({ rest }) => copied(rest));
const environment = Object.fromEntries(
  all("ENV").flatMap((rest) =>
    [...rest.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name as string, value as string]),
  ),
);
const command = JSON.parse(all("CMD")[0] as string) as string[];
const healthCheck = JSON.parse(/CMD (\[.*\])$/.exec(all("HEALTHCHECK")[0] as string)?.[1] as string) as string[];

describe("The Dockerfile", () => {
  it("uses the Node that the project pins, on Debian slim", () => {
    for (const from of all("FROM")) {
      expect(from).toMatch(
        new RegExp(`^node:${project.devDependencies.node?.replaceAll(".", "\\.")}-\\w+-slim(?: AS \\w+)?$`),
      );
    }
  });

  it("copies files that exist and that .dockerignore includes", () => {
    const ignored = dockerignore().add(read(".dockerignore"));
    const sources = all("COPY")
      .filter((rest) => !rest.startsWith("--from"))
      .flatMap((rest) => rest.split(/\s+/).slice(0, -1));
    expect(sources.length).toBeGreaterThan(6);
    for (const source of sources) {
      expect(existsSync(join(root, source)), source).toBe(true);
      expect(ignored.ignores(source), source).toBe(false);
    }
    for (const kept of ["scripts/start.js", "node_modules", ".git", "test", ".env", ".modelscout", "web/src"]) {
      expect(ignored.ignores(kept), kept).toBe(true);
    }
  });

  it("sets variables that the program knows, to values that it accepts", () => {
    expect(unknownVariables(environment)).toEqual([]);
    const { config } = readConfig(environment);
    expect(config).toMatchObject({ host: "0.0.0.0", home: all("VOLUME")[0], port: Number(all("EXPOSE")[0]) });
  });

  it("starts the same command as npm start, as a user who is not root", () => {
    expect(command).toEqual(["node", ...serveArgs.map((arg) => (isAbsolute(arg) ? relative(root, arg) : arg))]);
    expect(all("USER")).toEqual(["1000:1000"]);
  });
});

describe("The steps of the build", () => {
  const folder = mkdtempSync(join(tmpdir(), "modelscout-build-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("of the last stage are shell commands, which are not run here because they change the system", () => {
    for (const { name, rest } of instructions.slice(lastStage)) {
      const { status, stderr } = spawnSync("sh", ["-n", "-c", name === "RUN" ? rest : ":"], { encoding: "utf8" });
      expect({ status, stderr }, rest).toEqual({ status: 0, stderr: "" });
    }
  });

  it("install what other encoders need, for this platform only, if that is asked for", async ({ skip }) => {
    const app = join(folder, "app");
    const offline = await runFirstStage(app, { ENCODERS: "transformers" });
    skip(offline !== undefined, offline);
    const code = "import('@huggingface/transformers').then(({ AutoModel }) => console.log(typeof AutoModel))";
    expect(await runAsUser(process.execPath, ["-e", code], app)).toMatchObject({ code: 0, stdout: "function\n" });
    const runtimes = join(app, "node_modules/onnxruntime-node/bin");
    const platforms = readdirSync(runtimes).flatMap((name) => readdirSync(join(runtimes, name)));
    expect(platforms).toEqual([process.platform]);
    expect(existsSync(join(app, "node_modules/vitest"))).toBe(false);
  }, 600_000);
});

describe("The content of the image", async () => {
  const folder = mkdtempSync(join(tmpdir(), "modelscout-image-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const app = join(folder, "app");
  const offline = await runFirstStage(join(folder, "dependencies"), { ENCODERS: "bundled" });
  if (offline === undefined) {
    mkdirSync(app);
    renameSync(join(folder, "dependencies/node_modules"), join(app, "node_modules"));
    rmSync(join(folder, "dependencies"), { recursive: true });
  } else {
    linkPackages(app);
  }
  for (const each of copies) {
    copy(each, app);
  }
  const before = filesOf(app);
  const port = await freePort();
  const env = {
    PATH: process.env.PATH,
    ...environment,
    HOST: "127.0.0.1",
    PORT: String(port),
    MODELSCOUT_HOME: join(folder, "home"),
  };
  const health = async (more: Record<string, string> = {}) => {
    const [, ...args] = healthCheck;
    const child = spawn(process.execPath, args, { env: { ...env, ...more }, stdio: "ignore" });
    const [code] = await once(child, "exit");
    return code as number;
  };
  /** Starts its command, and waits until its health check succeeds. */
  async function startHealthy(more: Record<string, string> = {}) {
    const [, ...args] = command;
    const service = spawn(process.execPath, args, { cwd: app, env: { ...env, ...more }, stdio: "ignore" });
    const ended = once(service, "exit");
    onTestFinished(() => void service.kill("SIGKILL"));
    await expect.poll(() => health(more), { timeout: 240_000, interval: 500 }).toBe(0);
    return { service, ended };
  }

  it("serves calls and pages, is healthy, stops on request, and writes only into its home", async () => {
    expect(await health()).toBe(1);
    const { service, ended } = await startHealthy();
    const url = `http://127.0.0.1:${port}`;
    for (const path of ["/models/recommend?q=transcribe+meetings", "/", "/docs", "/openapi.json", "/metrics"]) {
      expect((await fetch(`${url}${path}`)).status, path).toBe(200);
    }
    service.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
    expect(await health()).toBe(1);
    expect(filesOf(app)).toEqual(before);
    expect(readdirSync(folder).sort()).toEqual(["app", "home"]);
  }, 300_000);

  it("is healthy over TLS too", async () => {
    const files = mkdtempSync(join(tmpdir(), "modelscout-tls-"));
    onTestFinished(() => rmSync(files, { recursive: true, force: true }));
    const { cert, key } = selfSignedCertificate();
    writeFileSync(join(files, "cert.pem"), cert);
    writeFileSync(join(files, "key.pem"), key);
    const tls = {
      MODELSCOUT_TLS_CERT: join(files, "cert.pem"),
      MODELSCOUT_TLS_KEY: join(files, "key.pem"),
      MODELSCOUT_HOME: join(files, "home"),
      MODELSCOUT_STARTER: "off",
    };
    const { service, ended } = await startHealthy(tls);
    expect(await health()).toBe(1);
    service.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  }, 300_000);
});

describe("compose.yaml", () => {
  interface Service {
    build?: string;
    image?: string;
    environment: Record<string, string>;
    volumes: string[];
    read_only?: boolean;
    stop_grace_period?: string;
    ports?: string[];
  }
  const compose = parse(read("compose.yaml")) as {
    services: { modelscout: Service; postgres: Service };
    volumes: Record<string, null>;
  };
  const { modelscout, postgres } = compose.services;
  /** Values as compose fills them in. */
  const filled = Object.fromEntries(
    Object.entries(modelscout.environment).map(([name, value]) => [
      name,
      value.replace(/\$\{\w+(?::\?[^}]*)?\}/g, "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"),
    ]),
  );

  it("sets variables that the program knows, to values that it accepts", () => {
    expect(unknownVariables(filled)).toEqual([]);
    const { config } = readConfig({ ...environment, ...filled });
    const { hostname, username, pathname } = new URL(config.databaseUrl as string);
    expect([hostname, username, pathname]).toEqual([
      "postgres",
      postgres.environment.POSTGRES_USER,
      `/${postgres.environment.POSTGRES_DB}`,
    ]);
    expect(Number.parseInt(modelscout.stop_grace_period as string, 10) * 1_000).toBeGreaterThan(config.drainMs);
  });

  it("requires its secrets and contains none", () => {
    for (const secret of [modelscout.environment.MODELSCOUT_SECRET_KEY, postgres.environment.POSTGRES_PASSWORD]) {
      expect(secret).toMatch(/^\$\{\w+:\?[^}]+\}$/);
    }
  });

  it("writes only to its volumes, the program's at the place of the image's state", () => {
    expect(modelscout.read_only).toBe(true);
    expect(modelscout.volumes).toEqual([`home:${environment.MODELSCOUT_HOME}`]);
    const named = [...modelscout.volumes, ...postgres.volumes].map((volume) => volume.split(":")[0]);
    expect(Object.keys(compose.volumes).sort()).toEqual(named.sort());
  });
});

/** Copies files of the project as COPY does. */
function copy({ sources, target }: ReturnType<typeof copied>, app: string): void {
  for (const source of sources) {
    const place = target.endsWith("/") ? join(app, target, basename(source)) : join(app, target);
    mkdirSync(dirname(place), { recursive: true });
    cpSync(join(root, source), place, { recursive: true });
  }
}

/**
 * Runs the instructions of the first stage one after another in a new folder, with the user's npm and its cache.
 *
 * @returns why that cannot be done here, if the registry cannot be reached; otherwise undefined.
 */
async function runFirstStage(app: string, buildArguments: Record<string, string>): Promise<string | undefined> {
  mkdirSync(app, { recursive: true });
  for (const { name, rest } of instructions.slice(0, lastStage)) {
    if (name === "COPY") {
      copy(copied(rest), app);
    } else if (name === "RUN") {
      const env = { ...buildArguments, npm_config_prefer_offline: "true" };
      const { code, stderr } = await runAsUser("sh", ["-c", rest], app, env);
      if (code !== 0 && isUnreachable(stderr)) {
        return "the packages of the image need the npm registry, which cannot be reached";
      }
      expect(code, `${rest}\n${stderr}`).toBe(0);
    }
  }
  return undefined;
}

/** Links the packages of production, where the registry cannot be reached. */
function linkPackages(app: string): void {
  const { packages } = JSON.parse(read("package-lock.json")) as { packages: Record<string, { dev?: boolean }> };
  for (const [path, { dev }] of Object.entries(packages)) {
    const isOnTop = /^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path);
    if (!isOnTop || dev === true || !existsSync(join(root, path))) {
      continue;
    }
    mkdirSync(dirname(join(app, path)), { recursive: true });
    symlinkSync(join(root, path), join(app, path));
  }
}

/** Variables of modelscout that the program does not know. */
function unknownVariables(env: Record<string, string>): string[] {
  return readConfig(env).warnings.filter((warning) => warning.includes("is not a variable"));
}

/** Paths of all files, without those of packages. */
function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => !path.startsWith("node_modules"))
    .sort();
}
