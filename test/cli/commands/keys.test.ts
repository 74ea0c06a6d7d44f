import { userInfo } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openAccess } from "../../../src/access/access.ts";
import type { StoreOptions } from "../../../src/store/connect-store.ts";
import { migrations } from "../../../src/store/migrations/index.ts";
import { applyMigrations } from "../../../src/store/open-store.ts";
import { databaseEnv } from "../../support/database/database-env.ts";
import { describeStore } from "../../support/database/describe-store.ts";
import { program } from "../support/run-program.ts";

const { run, home } = program();
const keyLine = /^ms_live_([0-9A-Za-z]{12})_[0-9A-Za-z]{38}\n$/;

const envOf = ({ home, databaseUrl }: StoreOptions): Record<string, string> => ({
  MODELSCOUT_HOME: home,
  ...(databaseUrl === undefined ? {} : databaseEnv(databaseUrl)),
});

describeStore("keys on the command line", ({ open, place }) => {
  it("are created beside a server, which accepts them, and refuses them once revoked", async () => {
    const at = await place();
    const access = await openAccess(await open(at), { provisioning: true, freePerDay: 10, basicPerDay: 1_000 });
    const env = envOf(at);
    const made = await run(["keys", "create", "--tier", "pro", "--owner", "acme"], { env });
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(keyLine) });
    const key = made.stdout.trim();
    const id = keyLine.exec(made.stdout)?.[1] as string;
    const where =
      at.databaseUrl === undefined ? join(at.home, "state.sqlite") : "the database of MODELSCOUT_DATABASE_URL";
    expect(made.stderr).toBe(
      `A pro key of the owner acme; its id is ${id}. It is shown only now.\nIt is stored in ${where}.\n`,
    );

    const caller = await access.authenticate({ keys: [key], address: "203.0.113.7" });
    expect(caller).toMatchObject({ tier: "pro", keyId: id });

    const revoked = await run(["keys", "revoke", id], { env });
    expect(revoked).toEqual({
      code: 0,
      stdout: expect.stringMatching(new RegExp(`^Key ${id} was revoked at 20\\S+Z\n$`)),
      stderr: "",
    });
    await expect(
      openAccess(await open(at), { provisioning: true, freePerDay: 10, basicPerDay: 1_000 }).then((other) =>
        other.authenticate({ keys: [key], address: "203.0.113.7" }).finally(() => other.close()),
      ),
    ).rejects.toMatchObject({ reason: "API_KEY_REVOKED" });
    expect((await run(["keys", "revoke", id], { env })).stdout).toBe(revoked.stdout);

    const actor = `cli:${userInfo().username}`;
    expect((await access.audit.list({ size: 10 })).items).toMatchObject([
      { actor, action: "keys.revoke", target: id, result: "unchanged" },
      { actor, action: "keys.revoke", target: id, result: "done" },
      { actor, action: "keys.create", target: id, result: "done" },
    ]);
    await access.close();
  });

  it("are listed as a table, and as JSON", async () => {
    const env = envOf(await place());
    expect(await run(["keys", "list"], { env })).toMatchObject({ code: 0, stdout: expect.stringMatching(/^No keys;/) });
    const json = async (...args: string[]) => JSON.parse((await run([...args, "--json"], { env })).stdout);
    const web = ["--tier", "basic", "--owner", "acme", "--name", "web", "--expires", "2100-01-01"];
    const { secret: key, key: record } = await json("keys", "create", ...web);
    expect(key).toMatch(/^ms_live_/);
    expect(record).toEqual({
      id: key.split("_")[2],
      tier: "basic",
      owner_id: expect.stringMatching(/^own_/),
      owner: "acme",
      name: "web",
      created_at: expect.stringMatching(/Z$/),
      expires_at: "2100-01-01T00:00:00.000Z",
    });
    const { id: free } = (await json("keys", "create", "--tier", "free")).key;
    expect((await json("keys", "revoke", free)).key).toMatchObject({
      id: free,
      revoked_at: expect.stringMatching(/Z$/),
    });

    const { stdout } = await run(["keys", "list"], { env });
    const lines = stdout.trimEnd().split("\n");
    expect(lines[0]).toMatch(/^ID +TIER +OWNER +NAME +STATE +CREATED +LAST USED$/);
    expect(lines[1]).toMatch(new RegExp(`^${free} +free +own_\\S+ +revoked 20`));
    expect(lines[2]).toMatch(new RegExp(`^${record.id} +basic +acme +web +until 2100-01-01 00:00Z +20.* never$`));
    expect(lines).toHaveLength(3);
    expect((await json("keys", "list", "--owner", "acme")).keys).toEqual([record]);
    expect((await json("keys", "list", "--tier", "free")).keys).toEqual([
      expect.objectContaining({ id: free, revoked_at: expect.any(String) }),
    ]);
    expect(stdout).not.toContain(key);
  });

  it("refuse a state that is newer than the program", async () => {
    const at = await place();
    const store = await open(at);
    await applyMigrations(store, [...migrations, { name: "future", up: async () => {} }]);
    for (const args of [["keys", "list"], ["migrate"]]) {
      const { code, stdout, stderr } = await run(args, { env: envOf(at) });
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr).toMatch(
        /^Error: The state in \S+ has schema \d+, and this version of modelscout knows schemas up to/,
      );
    }
  });
});

it("A key that is created in a folder without a state warns that no server knows it", async () => {
  const env = { MODELSCOUT_HOME: join(home, "elsewhere") };
  const first = await run(["keys", "create", "--tier", "pro"], { env });
  expect(first.stderr).toContain(`It is stored in ${join(home, "elsewhere", "state.sqlite")}.\n`);
  expect(first.stderr).toContain("Warning: this state is new.");
  expect((await run(["keys", "create", "--tier", "pro"], { env })).stderr).not.toContain("Warning");
});

describeStore("migrate", ({ place }) => {
  it("creates a missing schema, and finds nothing to do the second time", async () => {
    const at = await place();
    const env = envOf(at);
    const names = migrations.map(({ name }) => name);
    const where = at.databaseUrl?.replace(/\/\/.*@/, "//") ?? join(at.home, "state.sqlite");
    expect(await run(["migrate"], { env })).toEqual({
      code: 0,
      stdout: `The state in ${where} was updated from schema 0 to ${names.length}; applied: ${names.join(", ")}\n`,
      stderr: "",
    });
    expect((await run(["migrate"], { env })).stdout).toContain("there was nothing to do");
    const { stdout } = await run(["migrate", "--json"], { env });
    expect(JSON.parse(stdout)).toEqual({ place: where, from: names.length, to: names.length, applied: [] });
  });
});

describe("wrong usage of keys", () => {
  it.each([
    [["create"], "--tier: is missing; must be one of free, basic, pro"],
    [["create", "--tier", "gold"], '--tier: is "gold"; must be one of free, basic, pro'],
    [["create", "--tier", "pro", "--expires", "soon"], '--expires: is "soon"; must be a duration such as'],
    [["create", "--tier", "pro", "--expires", "2020-01-01"], '--expires: is "2020-01-01"; is not in the future'],
    [["create", "--tier", "pro", "--name", " "], "--name: must have 1 to 100 characters"],
    [["create", "--tier", "pro", "--owner", "own_x"], "--owner: is own_x; there is no owner with that id"],
    [["list", "--tier", "gold"], '--tier: is "gold"'],
    [["revoke"], "ID: is missing"],
    [["revoke", "nonsense"], "ID: must be the 12 characters after ms_live_"],
    [["revoke", `ms_live_${"a".repeat(12)}_${"b".repeat(38)}`], "ID: must be the 12 characters after ms_live_"],
  ])("%j says what is wrong", async (args, message) => {
    const { code, stdout, stderr } = await run(["keys", ...args]);
    expect(stderr).toContain(message);
    expect(stderr).toContain(`See: modelscout keys ${args[0]} --help`);
    expect(stderr).not.toContain("b".repeat(38));
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  });

  it("reports all faults at once", async () => {
    const { stderr } = await run(["keys", "create", "--tier", "gold", "--expires", "soon"]);
    expect(stderr).toContain("--tier: ");
    expect(stderr).toContain("--expires: ");
  });

  it("is not reported for an unknown key", async () => {
    const { code, stderr } = await run(["keys", "revoke", "abcabcabcabc"]);
    expect(stderr).toBe('Error: There is no key "abcabcabcabc"\n');
    expect(code).toBe(1);
  });

  it("of the environment is reported without the database's password", async () => {
    const { code, stderr } = await run(["keys", "list"], {
      env: { MODELSCOUT_DATABASE_URL: "mysql://user:s3cret@host/db?password=s3cret2", MODELSCOUT_FREE_PER_DAY: "-1" },
    });
    expect(stderr).toContain('MODELSCOUT_DATABASE_URL="mysql://user:***@host/db?password=***": must be a URL such as');
    expect(stderr).toContain('MODELSCOUT_FREE_PER_DAY="-1": must be a whole number from 0 to 1000000000');
    expect(code).toBe(1);
    for (const value of ["user:s3cret@host", "s3cret", "mysql:user:s3cret@host"]) {
      const refused = await run(["keys", "list"], { env: { MODELSCOUT_DATABASE_URL: value } });
      expect(refused.stderr).toContain('MODELSCOUT_DATABASE_URL="***": must be');
    }
  });

  it("of the database is reported with its place", async () => {
    const { code, stderr } = await run(["keys", "list"], {
      env: databaseEnv("postgres://user:s3cret@127.0.0.1:1/state"),
    });
    expect(stderr).toBe(
      "Error: The state in postgres://127.0.0.1:1/state cannot be opened: connect ECONNREFUSED 127.0.0.1:1. Check that the database is running there, or set MODELSCOUT_DATABASE_URL to another one\n",
    );
    expect(code).toBe(1);
  });
});

it("keys create says when keys are ignored", async () => {
  const env = { MODELSCOUT_PROVISIONING: "off", MODELSCOUT_HOME: join(home, "off") };
  const { code, stdout, stderr } = await run(["keys", "create", "--tier", "pro"], { env });
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(keyLine) });
  expect(stderr).toContain("MODELSCOUT_PROVISIONING is off here");
});
