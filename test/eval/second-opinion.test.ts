import { expect, it } from "vitest";
import { needs, withSecondOpinion } from "../../eval/suite/needs.ts";
import { textNeeds } from "../../eval/suite/needs-text.ts";

const DUTCH = "translate Dutch emails to English";
const PLAIN = "something to chat with on my laptop, no graphics card, under 2 GB please";

it("the suite has the labels and names that a second reviewer added, beside its own", () => {
  const before = textNeeds.find(({ need }) => need === DUTCH);
  const after = needs.find(({ need }) => need === DUTCH);
  expect(before?.also).toBeUndefined();
  expect(after).toEqual({ ...before, also: ["text-generation", "image-text-to-text"] });
  expect(needs.find(({ need }) => need === PLAIN)).toEqual(textNeeds.find(({ need }) => need === PLAIN));
});

it("a need that is served after all is no longer expected to score low", () => {
  const routes = needs.find(({ need }) => need.startsWith("plan the shortest routes for 200"));
  expect(routes?.unserved).toBeUndefined();
  expect(routes?.models).toContain("ai4co/routefinder*");
});

it("an opinion about a need that the suite lacks is an error", () => {
  expect(() => withSecondOpinion(textNeeds)).toThrow("needs that the suite lacks");
});
