import { existsSync, readFileSync } from "node:fs";
import type { DescService } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, it } from "vitest";
import type { Case } from "./conformance/case.ts";
import { runCase } from "./conformance/run-case.ts";
import { buildRegistry } from "./support/build-registry.ts";

const SHARED = new URL("../../../shared/transcoding/", import.meta.url).pathname;
const CASES = process.env.TRANSCODING_CASES ?? `${SHARED}cases.json`;
const SCHEMA = `${SHARED}conformance.proto`;
const LEVELS = ["must", "should", "may"] as const;
/** Shares of the cases that have to pass. */
const REQUIRED: Readonly<Record<string, number>> = { must: 1, should: 0.9, may: 0 };

const present = existsSync(CASES) && existsSync(SCHEMA);
if (!present) {
  console.warn(`\n*** TRANSCODING CONFORMANCE NOT TESTED: ${CASES} or ${SCHEMA} is not there ***\n`);
}

describe.skipIf(!present)("transcoding cases", () => {
  const cases = present ? (JSON.parse(readFileSync(CASES, "utf8")) as { cases: Case[] }).cases : [];
  const failures = new Map<Case, string>();
  let service: DescService;

  beforeAll(() => {
    service = buildRegistry(SCHEMA).getService("conformance.v1.Conformance")!;
  }, 60_000);

  const passed = (level: string) => cases.filter((each) => each.level === level && !failures.has(each)).length;
  const total = (level: string) => cases.filter((each) => each.level === level).length;

  it("run", async () => {
    for (const each of cases) {
      try {
        await runCase(each, service);
      } catch (error) {
        failures.set(each, error instanceof Error ? error.message : String(error));
      }
    }
  }, 300_000);

  for (const level of LEVELS) {
    it(`${level}: enough pass`, ({ skip }) => {
      if (total(level) === 0) {
        skip();
      }
      const share = passed(level) / total(level);
      if (share < REQUIRED[level]!) {
        throw new Error(`${passed(level)} of ${total(level)} pass`);
      }
    });
  }

  afterAll(() => {
    for (const [each, message] of failures) {
      console.log(`${each.level} ${each.id} ${each.group}: ${each.title}\n  ${message.replaceAll("\n", "\n  ")}`);
    }
    console.log(LEVELS.map((level) => `${level} ${passed(level)}/${total(level)}`).join(" "));
  });
});
