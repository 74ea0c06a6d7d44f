import { readFileSync } from "node:fs";
import type { DescService } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fixturePath } from "../../support/fixtures.ts";
import { buildRegistry } from "./support/build-registry.ts";
import type { Case } from "./support/conformance/case.ts";
import { inapplicability, runCase } from "./support/conformance/run-case.ts";
import { type Form, forms } from "./support/serve-transcoder.ts";

const FILE = process.env.TRANSCODING_CASES ?? fixturePath("transcoding/cases.json");
const LEVELS = ["must", "should", "may"] as const;
/** The share of cases of the level "should" that must pass. */
const REQUIRED_OF_SHOULD = 0.9;

const { cases } = JSON.parse(readFileSync(FILE, "utf8")) as { cases: Case[] };
const of = (level: (typeof LEVELS)[number]) => cases.filter((each) => each.level === level);

let service: DescService;

beforeAll(() => {
  service = buildRegistry(fixturePath("transcoding/conformance.proto")).getService("conformance.v1.Conformance")!;
}, 60_000);

it("The file has cases with unique identifiers", () => {
  expect(cases.length).toBeGreaterThan(0);
  expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
});

describe.each(forms)("As a %s", (form: Form) => {
  const passed = new Set<string>();
  const failed = new Map<string, string>();
  const inapplicable = new Map<string, string>();

  /** Runs a case and records the result for the summary. @returns the differences, if any. */
  async function outcomeOf(each: Case): Promise<string | undefined> {
    const setting = { service, form };
    const reason = inapplicability(each, setting);
    if (reason !== undefined) {
      inapplicable.set(each.id, reason);
      return undefined;
    }
    try {
      await runCase(each, setting);
      passed.add(each.id);
      return undefined;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      failed.set(each.id, message);
      return message;
    }
  }

  describe("every case of the level must passes", () => {
    for (const each of of("must")) {
      it(`${each.id} ${each.group}: ${each.title}`, async () => {
        expect(await outcomeOf(each)).toBeUndefined();
      });
    }
  });

  it("nine of ten cases of the level should pass", { timeout: 300_000 }, async ({ skip }) => {
    const should = of("should");
    skip(should.length === 0, "the file has no case of this level");
    const differences: string[] = [];
    for (const each of should) {
      const difference = await outcomeOf(each);
      if (difference !== undefined) {
        differences.push(`${each.id} ${each.group}: ${each.title}\n  ${difference}`);
      }
    }
    const applicable = should.filter(({ id }) => !inapplicable.has(id));
    const permitted = (1 - REQUIRED_OF_SHOULD) * applicable.length;
    expect(differences.length, differences.join("\n")).toBeLessThanOrEqual(permitted);
  });

  it("each case of the level may runs, whether it passes or not", { timeout: 300_000 }, async ({ skip }) => {
    const may = of("may");
    skip(may.length === 0, "the file has no case of this level");
    for (const each of may) {
      await outcomeOf(each);
    }
    expect(may.filter(({ id }) => passed.has(id) || failed.has(id) || inapplicable.has(id))).toEqual(may);
  });

  afterAll(() => {
    for (const each of cases) {
      const message = failed.get(each.id);
      if (message !== undefined && each.level !== "must") {
        console.log(`${each.level} ${each.id} ${each.group}: ${each.title}\n  ${message.replaceAll("\n", "\n  ")}`);
      }
    }
    // Of the cases that ran: `-t` may leave out some.
    const counts = LEVELS.map((level) => {
      const passing = of(level).filter(({ id }) => passed.has(id)).length;
      return `${level} ${passing}/${passing + of(level).filter(({ id }) => failed.has(id)).length}`;
    });
    const reasons = new Map<string, string[]>();
    for (const [id, reason] of inapplicable) {
      reasons.set(reason, [...(reasons.get(reason) ?? []), id]);
    }
    const left = [...reasons].map(([reason, ids]) => `${ids.length} do not apply (${reason}): ${ids.join(" ")}`);
    console.log([`${form}: ${counts.join(" ")}`, ...left].join("\n  "));
  });
});
