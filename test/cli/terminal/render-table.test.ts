import { describe, expect, it } from "vitest";
import { renderTable } from "../../../src/cli/terminal/table.ts";
import { displayWidth } from "../../../src/cli/terminal/text.ts";
import { fakeTerminal } from "../support/fake-terminal.ts";

const columns = [
  { title: "Model", style: "bold", shrinks: true },
  { title: "Size", align: "right" },
  { title: "Fit", style: (cell: string) => (cell === "fits" ? ("green" as const) : undefined) },
] as const;
const rows = [
  ["openai/whisper-large-v3-turbo-with-a-long-name", "1.6 GB", "fits"],
  ["a/模型", "12 GB", "tight"],
];

describe("tables", () => {
  it("are aligned and uncut in a pipe", () => {
    expect(renderTable(columns, rows, fakeTerminal())).toBe(
      [
        "MODEL                                             SIZE  FIT",
        "openai/whisper-large-v3-turbo-with-a-long-name  1.6 GB  fits",
        "a/模型                                           12 GB  tight",
      ].join("\n"),
    );
  });

  it("are cut to the terminal's width in columns that may shrink", () => {
    const lines = renderTable(columns, rows, fakeTerminal({ width: 40 })).split("\n");
    expect(lines[1]).toBe("openai/whisper-large-v3-…  1.6 GB  fits");
    expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(40);
  });

  it("become paragraphs on a terminal that is too narrow for them, without breaking a word", () => {
    expect(renderTable(columns, rows, fakeTerminal({ width: 26 }))).toBe(
      [
        "openai/whisper-large-v3-turbo-with-a-long-name",
        "  size 1.6 GB, fit fits",
        "a/模型",
        "  size 12 GB, fit tight",
      ].join("\n"),
    );
    const marked = [{ title: "" }, { title: "Form" }, { title: "Memory" }, { title: "" }];
    expect(renderTable(marked, [["*", "Q4_K_M", "███", "5 GB"]], fakeTerminal({ width: 12 }))).toBe(
      "* Q4_K_M\n  memory ███ 5 GB",
    );
  });

  it("style cells without counting the style as width", () => {
    const lines = renderTable(columns, rows, fakeTerminal({ width: 200, styled: true })).split("\n");
    expect(lines[2]).toMatch(/^<bold:a\/模型> {43}12 GB {2}tight$/);
    expect(lines[1]).toMatch(/<green:fits>$/);
  });

  it("show control characters harmlessly and missing cells as empty", () => {
    expect(renderTable([{ title: "A" }, { title: "B" }], [["x\u001b[2J\ny"]], fakeTerminal())).toBe(
      "A       B\nx[2J y",
    );
  });

  it("have a header even without rows", () => {
    expect(renderTable([{ title: "A" }], [], fakeTerminal())).toBe("A");
  });
});
