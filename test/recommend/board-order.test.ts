import { describe, expect, it } from "vitest";
import { rankCorrelation } from "../../eval/boards/rank-correlation.ts";
import { runBoards } from "../../eval/boards/run-boards.ts";
import { openTestInventory } from "../support/service/open-test-inventory.ts";

const { inventory } = await openTestInventory();

describe("The rank correlation", () => {
  it("is 1 for the same order, −1 for the opposite one, and shares ranks among equal values", () => {
    expect(rankCorrelation([1, 2, 30], [5, 6, 7])).toBe(1);
    expect(rankCorrelation([1, 2, 30], [7, 6, 5])).toBe(-1);
    expect(rankCorrelation([1, 1, 2, 2], [1, 1, 2, 2])).toBe(1);
    expect(rankCorrelation([1, 2, 3, 4], [1, 1, 2, 2])).toBeCloseTo(2 / Math.sqrt(5));
    expect(rankCorrelation([1, 1], [1, 2])).toBeNaN();
  });
});

describe("On the starter catalogue", () => {
  it("models are ordered as leaderboards order them where quality decides, and in part where they are not known", async () => {
    const reports = await runBoards(inventory);
    expect(reports.length).toBeGreaterThanOrEqual(20);
    expect(reports.filter(({ quality }) => quality >= 0.6).length).toBeGreaterThanOrEqual(20);
    const leftOut = reports.reduce((sum, report) => sum + report.qualityLeftOut, 0) / reports.length;
    expect(leftOut).toBeGreaterThanOrEqual(0.25);
  });
});
