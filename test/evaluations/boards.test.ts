import { describe, expect, it } from "vitest";
import { boardProblem, boards, forbiddenBoards, openLicenses } from "../../src/evaluations/registry.ts";
import { isLanguageCode, taskTypeOf } from "../../src/inventory/index.ts";

describe("The registry of boards", () => {
  it("has each id once, in the form of an id, and none that is forbidden", () => {
    const ids = boards.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z0-9]+(?:[-.][a-z0-9]+)*$/.test(id))).toEqual([]);
    expect(ids.filter((id) => forbiddenBoards.has(id))).toEqual([]);
  });

  it.each(boards.map((board) => [board.id, board] as const))("describes %s whole", (_, board) => {
    expect(openLicenses, "a licence that allows redistribution with attribution").toContain(board.license);
    expect(board.attribution).not.toBe("");
    expect(new URL(board.url).protocol).toBe("https:");
    expect(board.range[0]).toBeLessThan(board.range[1]);
    expect(board.words.split("{}"), "one place for the number").toHaveLength(2);
    expect(board.tasks.length).toBeGreaterThan(0);
    expect(board.tasks.filter((task) => taskTypeOf(task) === "other" && task !== "time-series-forecasting")).toEqual(
      [],
    );
    expect(board.purposes.length).toBeGreaterThan(0);
    expect(board.languages.filter((code) => !isLanguageCode(code))).toEqual([]);
    expect(board.aspect === "speed", "a speed names its device").toBe(board.device !== undefined);
  });

  it("says why the figures of other boards cannot be kept", () => {
    expect(boardProblem("bfcl-v4")).toBeUndefined();
    expect(boardProblem("bfcl-v5")).toBe("is not a known board; did you mean bfcl-v4?");
    expect(boardProblem("Artificial-Analysis")).toBe(
      "must not be kept: its terms forbid products that help to select models. Leave it out",
    );
    for (const id of ["livebench", "open-llm-leaderboard-v2"]) {
      expect(boardProblem(id)).toMatch(/licence/);
    }
  });
});
