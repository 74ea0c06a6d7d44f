import { describe, expect, it } from "vitest";
import { renderScore } from "../../../src/cli/commands/recommend/render-answer.ts";
import {
  fitStyle,
  formatBytes,
  formatDuration,
  formatFit,
  formatSpeed,
  shortCount,
} from "../../../src/cli/terminal/format.ts";
import { cleanText, cutToWidth, displayWidth, unbroken, wrapText } from "../../../src/cli/terminal/text.ts";
import { fakeTerminal } from "../support/fake-terminal.ts";

describe("formatted numbers", () => {
  it.each([
    [0, "0"],
    [512, "512"],
    [999, "999"],
    [999.9, "1k"],
    [131_072, "131k"],
    [244e6, "244M"],
    [999_950_000, "1B"],
    [7_620_000_000, "7.62B"],
    [1.04e12, "1.04T"],
  ])("counts %d as %s", (count, text) => expect(shortCount(count)).toBe(text));

  it.each([
    [0, "0 bytes"],
    [999, "999 bytes"],
    [1_000, "1 kB"],
    [5_650_000, "5.65 MB"],
    [3.2e12, "3.2 TB"],
  ])("writes %d bytes as %s", (bytes, text) => expect(formatBytes(bytes)).toBe(text));

  it.each([
    [0, "0.0 s"],
    [400, "0.4 s"],
    [9_940, "9.9 s"],
    [9_960, "10 s"],
    [59_600, "1 min 0 s"],
    [200_000, "3 min 20 s"],
    [7_500_000, "2 h 5 min"],
  ])("writes %d ms as %s", (ms, text) => expect(formatDuration(ms)).toBe(text));

  it("writes a range of speed, as one number if both ends are equal", () => {
    expect(formatSpeed({ low: 11.7, high: 20.2 })).toBe("12 to 20 tokens/s");
    expect(formatSpeed({ low: 0.812, high: 1.46 })).toBe("0.81 to 1.5 tokens/s");
    expect(formatSpeed({ low: 30.1, high: 30.2 })).toBe("30 tokens/s");
  });

  it.each([
    ["fits", "fits on cpu", "green"],
    ["tight", "tight on cpu", "yellow"],
    ["offload", "partly on cpu, the rest in system memory", "yellow"],
    ["too-large", "too large for cpu", "red"],
  ])("says %s in words and colour", (fit, text, style) => {
    expect(formatFit(fit, "cpu")).toBe(text);
    expect(fitStyle(fit)).toBe(style);
  });

  it("shows a score as a bar on a terminal and as a number in a pipe", () => {
    expect(renderScore(0.724, fakeTerminal({ width: 80 }))).toBe("███████░░░ 0.72");
    expect(renderScore(0.9955, fakeTerminal())).toBe("score 0.99");
    expect(renderScore(1.2, fakeTerminal({ width: 80 }))).toBe("██████████ 1.20");
    expect(renderScore(0.724, fakeTerminal())).toBe("score 0.72");
  });
});

describe("text from others", () => {
  it("loses characters that move the cursor, colour the screen or change the writing direction", () => {
    expect(cleanText("a\u001b[31mred\u0007\u009b2J\nb\tc\u202egnp\u2066")).toBe("a[31mred2J b cgnp");
  });

  it("is measured in columns", () => {
    expect(displayWidth("model")).toBe(5);
    expect(displayWidth("模型")).toBe(4);
    expect(displayWidth("é")).toBe(1);
    expect(displayWidth("e\u0301")).toBe(1);
    expect(displayWidth("👩‍💻!")).toBe(3);
    // A variation selector makes them wide; a table of ranges would miss that.
    expect(displayWidth("☀️")).toBe(2);
    expect(displayWidth("1️⃣")).toBe(2);
  });

  it("is cut to columns, never in the middle of a character", () => {
    expect(cutToWidth("whisper", 7)).toBe("whisper");
    expect(cutToWidth("whisper", 4)).toBe("whi…");
    expect(cutToWidth("模型模型", 4)).toBe("模…");
  });
});

describe("wrapped text", () => {
  it("respects the width and is indented behind its mark", () => {
    expect(wrapText("one two three four five six", 24, "  + ")).toBe("  + one two three four\n    five six");
  });

  it("stays on one line in a pipe", () => {
    expect(wrapText("one\ntwo  three ".repeat(50), undefined).split("\n")).toHaveLength(1);
  });

  it("leaves room for a different first mark, and does not break unbroken text", () => {
    expect(wrapText("one two three four five six", 28, "Others: ", "  ")).toBe(
      "Others: one two three four\n  five six",
    );
    expect(wrapText(`one two three four ${unbroken("12 to 20 tokens/s")}`, 25)).toBe(
      "one two three four\n12 to 20 tokens/s",
    );
  });

  it("lets a long word exceed the width", () => {
    expect(wrapText(`a ${"x".repeat(40)} b`, 30)).toBe(`a\n${"x".repeat(40)}\nb`);
  });
});
