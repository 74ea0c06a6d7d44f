import { describe, expect, it } from "vitest";
import { type AppliedCard, type Card, cardProblems } from "../../src/catalogue/card.ts";
import { createCatalogue } from "../../src/catalogue/catalogue.ts";
import {
  checkCatalogue,
  choiceIn,
  choiceOf,
  circumstances,
  fileOf,
  gradeAt,
  gradeOf,
  loadCatalogue,
  placeIn,
  placeOfPurpose,
  placesOf,
  purposeGradesOf,
  purposes,
  SERVES,
  servingIn,
  servingOf,
  shippedChoices,
  shippedFiles,
} from "../../src/catalogue/index.ts";
import { impliedPurposes } from "../../src/catalogue/purpose.ts";
import { knownWords } from "../../src/cli/commands/catalogue/run-catalogue.ts";
import { starterRecords } from "../../src/sources/starter.ts";

const whole: Card = {
  name: "acme/reader-2",
  purposes: { handwriting: 3, "ocr-documents": 2 },
  readiness: "finetuned",
  standing: 4,
  description: "Reads letters written by hand. Needs a graphics card.",
  strengths: ["old scripts"],
  weaknesses: ["slow without a graphics card"],
  not_for: "printed pages",
  needs: [
    "old letters of my grandmother as text",
    "read our handwritten delivery notes",
    "type up a diary of 1890",
    "names from parish registers",
    "notes on the margins of a score",
  ],
};
/** Needs of which the first are given. */
const needsLike = (...first: string[]) => [...first, ...(whole.needs ?? [])].slice(0, 5);
const problemsOf = (changes: object): string[] => cardProblems(JSON.stringify({ ...whole, ...changes }), knownWords);

describe("The shipped catalogue", () => {
  it("has no problem", () => {
    const { entries, problems } = checkCatalogue(shippedFiles(), knownWords, { choices: shippedChoices() });
    expect(problems).toEqual([]);
    expect(entries).toBe(loadCatalogue().size);
    expect(entries).toBeGreaterThan(3_000);
  });

  it("agrees with the facts of the starter catalogue on licences and sizes", async () => {
    const catalogue = loadCatalogue();
    const differing: string[] = [];
    for await (const { name, license, parameters } of starterRecords()) {
      const key = name.toLowerCase();
      const stated = catalogue.licenseOf(key);
      const counted = catalogue.cardOf(key)?.parameters;
      // Ranking reads the count of the card first, filters and answers that of the source.
      const isOff = counted !== undefined && parameters !== undefined && Math.abs(counted / parameters - 1) > 0.05;
      if ((stated !== undefined && stated !== license) || isOff) {
        differing.push(name);
      }
    }
    expect(differing).toEqual([]);
  });

  it("serves four of five purposes", () => {
    const catalogue = loadCatalogue();
    const lists = (id: string) => (key: string) => gradeOf(catalogue.cardOf(key), id) >= 2;
    const served = [...purposes().keys()].filter((id) => catalogue.modelsFor(id).some(lists(id)));
    expect(served.length / purposes().size).toBeGreaterThan(0.8);
  });

  it("files each entry under the part of the field of its first purpose", () => {
    for (const { name, text } of shippedFiles()) {
      for (const line of text.trimEnd().split("\n")) {
        const card = JSON.parse(line) as Card;
        expect({ name: card.name, file: fileOf(card) }).toEqual({ name: card.name, file: name });
      }
    }
  });
});

const LICENCE_PROBLEM = "license: the licence Acme licence is not known; write other if it has no id";
const TRANSLATES_PROBLEM = "translates: de-qqq names a language that is not known";

describe("An entry", () => {
  it.each<[string, object]>([
    ["that is whole", {}],
    ["with licence and languages that are known", { license: "MIT License", languages: { de: 3, yue: 2, mul: 1 } }],
    ["with a licence of its own", { license: "other" }],
    ["of an adapter that judges", { readiness: "adapter", purposes: { "llm-judge": 2, "email-writing": 1 } }],
    [
      "of test weights that say little",
      { readiness: "test", needs: undefined, strengths: undefined, not_for: undefined },
    ],
    ["of a translator", { translates: ["en-*", "grc-en"] }],
    [
      "with needs that share some words",
      { needs: needsLike("read old cheques", "read old cheques aloud to my mother") },
    ],
  ])("%s has no problem", (_, changes) => {
    expect(problemsOf(changes)).toEqual([]);
  });

  it.each<[string, object, string]>([
    ["with an unknown purpose", { purposes: { handriting: 3 } }, "purposes.handriting: there is no such purpose"],
    ["without a purpose", { purposes: {} }, "purposes: must name a purpose"],
    ["with another grade", { purposes: { handwriting: 4 } }, "purposes.handwriting: Invalid input"],
    ["with a standing outside 0 to 5", { standing: 6 }, "standing: Too big: expected number to be <=5"],
    ["without an owner in its name", { name: "reader" }, "name: must be owner/model"],
    ["with an unknown field", { strenghts: ["reads"] }, 'it: Unrecognized key: "strenghts"'],
    [
      "of a base model that is ready to chat",
      { readiness: "base", purposes: { "general-assistant": 3 } },
      "purposes.general-assistant: a model of readiness base is not ready for this: general assistant: chat, questions, everyday help",
    ],
    [
      "of a component that talks well",
      { readiness: "component", purposes: { "email-writing": 2 } },
      "purposes.email-writing: a model of readiness component is not ready for this: emails and letters",
    ],
    ["with a licence that nobody knows", { license: "Acme licence" }, LICENCE_PROBLEM],
    ["with an unknown language", { languages: { en: 3, qqq: 2 } }, "languages.qqq: there is no such language"],
    ["with a long code of a language", { languages: { eng: 3 } }, "languages.eng: there is no such language"],
    ["with an unknown direction", { translates: ["*-de", "de-qqq"] }, TRANSLATES_PROBLEM],
    ["with a need without letters", { needs: needsLike("read my letters", "2 + 2") }, "needs.1: has no letters"],
    [
      "with two needs that are nearly equal",
      { needs: needsLike("read old handwritten letters", "sort my post", "read my old handwritten letters!") },
      "needs.2: says nearly the same as needs.0",
    ],
    [
      "with more active parameters than parameters",
      { parameters: 1e9, active_parameters: 2e9 },
      "active_parameters: must be at most parameters",
    ],
    ["that replaces itself", { superseded_by: "ACME/Reader-2" }, "superseded_by: a model cannot replace itself"],
    ["with four needs", { needs: whole.needs?.slice(1) }, "needs: name at least 5 needs that it answers best"],
    ["without strengths", { strengths: undefined }, "strengths: name at least one"],
    ["without weaknesses", { weaknesses: undefined }, "weaknesses: name at least one"],
    ["that is for everything", { not_for: undefined }, "not_for: say what people may wrongly choose it for"],
  ])("%s is refused", (_, changes, problem) => {
    expect(problemsOf(changes)).toEqual([problem]);
  });

  it("that is no JSON is refused", () => {
    expect(cardProblems("{", knownWords)).toEqual(["it is not JSON"]);
  });
});

describe("Entries", () => {
  it("of one model twice, and a successor that nobody knows, are found with file and line", () => {
    const again = { ...whole, name: "Acme/Reader-2", superseded_by: "acme/reader-3" };
    const text = `${JSON.stringify(whole)}\n\n${JSON.stringify(again)}\n`;
    expect(checkCatalogue([{ name: "new.jsonl", text }], knownWords)).toEqual({
      entries: 2,
      problems: [
        { at: "new.jsonl:3", name: "Acme/Reader-2", problem: "it already has an entry at new.jsonl:1" },
        { at: "new.jsonl:3", name: "Acme/Reader-2", problem: "superseded_by: acme/reader-3 is not in the catalogue" },
      ],
    });
    const alone = [{ name: "new.jsonl", text: JSON.stringify(again) }];
    expect(checkCatalogue(alone, knownWords, { others: ["acme/reader-3"] }).problems).toEqual([]);
  });

  it("whose successor shares no purpose with them, or has a lower standing, are found", () => {
    const old = { ...whole, name: "acme/reader-1", superseded_by: "ACME/Reader-2" };
    const problemsWith = (changes: object) =>
      checkCatalogue(
        [{ name: "new.jsonl", text: `${JSON.stringify(old)}\n${JSON.stringify({ ...whole, ...changes })}` }],
        knownWords,
      ).problems;
    expect(problemsWith({})).toEqual([]);
    expect(problemsWith({ purposes: { "formula-recognition": 3 }, standing: 3 })).toEqual([
      { at: "new.jsonl:1", name: old.name, problem: "superseded_by: acme/reader-2 shares no purpose with it" },
      { at: "new.jsonl:1", name: old.name, problem: "superseded_by: acme/reader-2 has a lower standing" },
    ]);
  });

  it("of a repackaging without needs need the entry of the model whose weights it has", () => {
    const packed = { ...whole, name: "pack/reader-2-GGUF", weights_of: "acme/Reader-2", needs: undefined };
    const files = [{ name: "new.jsonl", text: JSON.stringify(packed) }];
    expect(checkCatalogue(files, knownWords).problems).toEqual([
      {
        at: "new.jsonl:1",
        name: "pack/reader-2-GGUF",
        problem: "needs: acme/Reader-2 is not in the catalogue, so name needs of its own",
      },
    ]);
    expect(checkCatalogue(files, knownWords, { others: ["acme/reader-2"] }).problems).toEqual([]);
    const own = [{ name: "new.jsonl", text: JSON.stringify({ ...packed, needs: whole.needs }) }];
    expect(checkCatalogue(own, knownWords).problems).toEqual([]);
  });

  it("of a repackaging take what they do not say from the model whose weights it has", () => {
    const packed: Card = {
      name: "pack/reader-2-GGUF",
      purposes: {},
      readiness: "finetuned",
      weights_of: "acme/reader-2",
      format: "gguf",
      standing: 3,
    };
    const catalogue = createCatalogue([whole, packed]);
    expect(catalogue.cardOf("pack/reader-2-gguf")).toEqual({
      ...whole,
      ...packed,
      purposes: whole.purposes,
      inherited_from: whole.name,
      inherited_as: "weights",
    });
    // A model that no entry describes has the card of the model that it repackages.
    expect(catalogue.cardOf("other/reader-2-awq", { weightsOf: "acme/Reader-2" })).toMatchObject({
      inherited_from: whole.name,
      standing: 4,
    });
    expect(catalogue.cardOf("other/unknown")).toBeUndefined();
    expect(catalogue.modelsFor("handwriting")).toEqual(["acme/reader-2", "pack/reader-2-gguf"]);
  });
});

describe("Choices", () => {
  it("compare the models of nearly every purpose", () => {
    const compared = shippedChoices().trimEnd().split("\n").length;
    expect(compared / purposes().size).toBeGreaterThan(0.95);
  });

  it("are those of the file, also for a copy in another format, and for no other purpose", () => {
    const [first, poor] = ["first", "poor"].map((choice) => {
      const line = shippedChoices()
        .split("\n")
        .find((each) => each.includes('"purpose":"general-assistant"'));
      return JSON.parse(line ?? "{}")[choice][0] as string;
    }) as [string, string];
    const catalogue = loadCatalogue();
    expect(choiceOf(catalogue.cardOf(first.toLowerCase()), "general-assistant")).toBe(3);
    expect(choiceOf(catalogue.cardOf(poor.toLowerCase()), "general-assistant")).toBe(0);
    const copy = catalogue.cardOf("acme/copy-gguf", { weightsOf: first });
    expect(choiceOf(copy, "general-assistant")).toBe(3);
    expect(choiceOf(catalogue.cardOf("acme/tuned", { base: first }), "general-assistant")).toBeUndefined();
    expect(choiceOf(catalogue.cardOf(first.toLowerCase()), "handwriting")).toBeUndefined();
    expect(choiceOf(undefined, "general-assistant")).toBeUndefined();
    const [best = ""] = catalogue.modelsFor("general-assistant");
    expect(choiceOf(catalogue.cardOf(best), "general-assistant")).toBe(3);
  });

  it("name the best models of a purpose under circumstances, at most eight in each list, also for copies", () => {
    const line = shippedChoices()
      .split("\n")
      .find((each) => each.includes('"purpose":"general-assistant"'));
    const lists = JSON.parse(line ?? "{}") as Record<string, string[]>;
    const catalogue = loadCatalogue();
    for (const circumstance of circumstances) {
      const list = lists[circumstance] ?? [];
      expect(list.length).toBeGreaterThan(2);
      for (const [at, name] of list.entries()) {
        expect(placesOf(catalogue.cardOf(name.toLowerCase()), "general-assistant")[circumstance]).toBe(at + 1);
        const copy = catalogue.cardOf("acme/copy-gguf", { weightsOf: name });
        expect(placesOf(copy, "general-assistant")[circumstance]).toBe(at + 1);
        const grade = gradeAt(purposeGradesOf(copy), placeOfPurpose("general-assistant"));
        expect(placeIn(grade, circumstances.indexOf(circumstance))).toBe(at + 1);
        expect(servingIn(grade)).toBe(servingOf(copy as AppliedCard, "general-assistant"));
        expect(choiceIn(grade)).toBe(choiceOf(copy, "general-assistant"));
      }
      expect(placesOf(catalogue.cardOf("acme/tuned", { base: list[0] }), "general-assistant")).toEqual({});
    }
  });

  it("with an unknown purpose or model, a model twice or without the grade are found with file and line", () => {
    const files = [
      { name: "new.jsonl", text: JSON.stringify({ ...whole, purposes: { handwriting: 3, "formula-recognition": 1 } }) },
    ];
    const problemsOfChoices = (...lines: object[]) =>
      checkCatalogue(files, knownWords, { choices: lines.map((line) => JSON.stringify(line)).join("\n") }).problems.map(
        ({ at, problem }) => `${at} ${problem}`,
      );
    const good = { purpose: "handwriting", first: ["Acme/Reader-2"] };
    expect(problemsOfChoices(good)).toEqual([]);
    expect(problemsOfChoices(good, good)).toEqual(["choices.jsonl:2 the purpose handwriting has a line already"]);
    expect(problemsOfChoices({ purpose: "handriting", first: ["acme/reader-2"] })).toContain(
      "choices.jsonl:1 there is no purpose handriting",
    );
    expect(problemsOfChoices({ ...good, good: ["acme/reader-9"], poor: ["Acme/Reader-2"] })).toEqual([
      "choices.jsonl:1 handwriting: the catalogue has no entry for acme/reader-9",
      "choices.jsonl:1 handwriting: Acme/Reader-2 has two places",
    ]);
    expect(problemsOfChoices({ purpose: "formula-recognition", first: ["acme/reader-2"] })).toEqual([
      "choices.jsonl:1 formula-recognition: the entry of acme/reader-2 does not have the grade 2 or 3 for this purpose",
    ]);
    expect(problemsOfChoices({ purpose: "handwriting", beast: ["acme/reader-2"] })[0]).toContain("Unrecognized key");
    expect(problemsOfChoices({ ...good, small: ["acme/reader-2"], fast: ["acme/reader-2"] })).toEqual([]);
    expect(problemsOfChoices({ ...good, small: ["acme/reader-2", "Acme/Reader-2"], best: ["acme/reader-9"] })).toEqual([
      "choices.jsonl:1 handwriting: Acme/Reader-2 has two places",
      "choices.jsonl:1 handwriting: the catalogue has no entry for acme/reader-9",
    ]);
    expect(problemsOfChoices({ ...good, small: Array(9).fill("acme/reader-2") })[0]).toContain("small");
  });
});

describe("What a card implies", () => {
  it("serves, with less worth than what the card lists, and comes behind it", () => {
    const chat: Card = { ...whole, name: "acme/talker", purposes: { "general-assistant": 3 }, readiness: "instruct" };
    const writer: Card = { ...chat, name: "acme/writer", purposes: { "email-writing": 2 } };
    const catalogue = createCatalogue([chat, writer]);
    expect(catalogue.modelsFor("email-writing")).toEqual(["acme/writer", "acme/talker"]);
    expect(servingOf(chat, "email-writing")).toBeGreaterThanOrEqual(SERVES);
    expect(servingOf(chat, "email-writing")).toBeLessThan(servingOf(writer, "email-writing"));
    expect(servingOf(chat, "depth-monocular")).toBe(0);
  });

  it("is less where the card only lists that the model does it well, and names known purposes only", () => {
    const chat: Card = { ...whole, purposes: { "general-assistant": 2 } };
    expect(servingOf(chat, "email-writing")).toBeLessThan(SERVES);
    for (const id of purposes().keys()) {
      for (const [implied, grade] of Object.entries(impliedPurposes({ [id]: 3 }))) {
        expect({ implied, known: purposes().has(implied) }).toEqual({ implied, known: true });
        expect([1, 2, 3, "train"]).toContain(grade);
      }
    }
  });

  it("and what is ready instead of training are known purposes", () => {
    for (const { id, ready } of purposes().values()) {
      expect({ id, known: ready === undefined || purposes().has(ready) }).toEqual({ id, known: true });
    }
  });
});

describe("A model without a card", () => {
  const talker = (name: string, more: Partial<Card> = {}): Card => ({
    name,
    purposes: { "general-assistant": 3, "code-assistant": 2 },
    readiness: "instruct",
    standing: 5,
    description: "Talks.",
    strengths: ["talks"],
    needs: ["talk to me", "talk with us"],
    ...more,
  });
  const catalogue = createCatalogue([
    talker("acme/Bard2-8B-Instruct", { standing: 3, superseded_by: "acme/Bard3-9B-Instruct" }),
    talker("acme/Bard3-9B-Instruct"),
    talker("acme/Bard3-70B-Instruct"),
    talker("acme/Bard3-9B-Base", { readiness: "base", purposes: { "base-for-finetuning-llm": 3 } }),
    talker("acme/Bard3-VL-8B-Instruct", { purposes: { "image-chat": 3 } }),
  ]);

  it.each([
    ["acme/bard4-9b-instruct", "acme/Bard3-9B-Instruct"],
    ["acme/bard4-9b", "acme/Bard3-9B-Instruct"],
    ["acme/bard4-9b-base", "acme/Bard3-9B-Base"],
    ["acme/bard4-vl-7b", "acme/Bard3-VL-8B-Instruct"],
    ["acme/bard4-100b", "acme/Bard3-70B-Instruct"],
  ])("has, as %s, what holds for %s of its line, and says so", (key, kin) => {
    expect(catalogue.cardOf(key)).toMatchObject({ name: key, inherited_from: kin, inherited_as: "line", standing: 4 });
    expect(catalogue.cardOf(key)).not.toHaveProperty("strengths");
  });

  it.each(["other/bard4-9b", "acme/bard4-coder-9b", "acme/bard4-1b"])("has none of another line or size: %s", (key) => {
    expect(catalogue.cardOf(key)).toBeUndefined();
  });

  it("has, with less weight, what the model does that it was trained from", () => {
    expect(catalogue.cardOf("tuner/sonnets", { base: "acme/Bard3-9B-Instruct" })).toMatchObject({
      purposes: { "general-assistant": 2, "code-assistant": 1 },
      standing: 3,
      inherited_from: "acme/Bard3-9B-Instruct",
      inherited_as: "base",
    });
  });
});
