import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cardText } from "../../src/sources/record/card-text.ts";

describe("The text of a model card", () => {
  it("has no front matter, markup, pictures, code or addresses", () => {
    const { text, summary } = cardText(
      [
        "---\nlicense: mit\ntags: [a]\n---",
        '<div align="center"><img src="logo.png"></div>',
        "[![badge](https://b)](https://c)",
        "# Model Card for Scribe",
        "<!-- a comment\nover lines -->",
        "This model card tells about the model Scribe, in several words.",
        "> **Scribe** is a *small* model that [transcribes](https://x) meetings &amp; calls. It runs on a CPU.",
        "| size | error |\n|---|---|\n| 1 | 2 |",
        "```python\nprint('no text')\n```",
        "<svg><path d='no text'/></svg>",
        "- a list",
      ].join("\n\n"),
    );
    expect(summary).toBe("Scribe is a *small* model that transcribes meetings & calls. It runs on a CPU.");
    expect(text).toContain("Model Card for Scribe");
    expect(text).toContain("- a list");
    for (const gone of ["license", "logo", "badge", "comment", "no text", "https", "---", "<"]) {
      expect(text).not.toContain(gone);
    }
  });

  it("has no summary if it has no sentence", () => {
    for (const text of ["", "# Title", "- one\n- two", "short.", "---\nlicense: mit\n---\n", "| a | b |\n| c. | d |"]) {
      expect(cardText(text).summary).toBeUndefined();
    }
  });

  it("has a summary of whole sentences where the first paragraph is long", () => {
    const summary = cardText(`${"A sentence about the model and what it is for. ".repeat(40)}`).summary as string;
    expect(summary.length).toBeLessThanOrEqual(600);
    expect(summary).toMatch(/is for\.$/);
    expect(cardText(`Words: ${"word ".repeat(400)}`).summary).toMatch(/word…$/);
  });

  it("is bounded and well formed for any input", () => {
    const pieces = [
      "<svg",
      "<!--",
      "```\n",
      "![",
      "](",
      "[",
      "**",
      "|",
      " ",
      "\n",
      "---\n",
      "<a",
      ">",
      "\ud83e",
      "&amp",
      "word. ",
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 60 }), fc.nat({ max: 300 }), (parts, times) => {
        const { text, summary } = cardText(parts.join("").repeat(times + 1));
        expect(text.length).toBeLessThanOrEqual(20_000);
        expect(text.isWellFormed()).toBe(true);
        expect((summary ?? "").length).toBeLessThanOrEqual(601);
      }),
      { numRuns: 100 },
    );
  });

  it.each(["<svg", "<!--", "![", "[", "**", "```\n", " ", "|", "- ", "[a]("])(
    "comes from the first 160,000 characters only, so that the cost of a card of %j does not grow with its length",
    (piece) => {
      const read = piece.repeat(160_000 / piece.length);
      const said = "A sentence about the model and what it is for, at the very end.";
      const { text, summary } = cardText(read);
      expect(cardText(`${read}\n\n${said}`)).toEqual({ text, summary });
      expect(cardText(piece.repeat(1_000_000 / piece.length)).text).toBe(text);
    },
  );
});
