import { describe, expect, it } from "vitest";
import { loadCatalogue, type PurposeGrades, purposeGradesOf } from "../../../src/catalogue/index.ts";
import { loadStaticEncoder, parseStaticFile } from "../../../src/embedding/index.ts";
import { type Profile, profileOf } from "../../../src/recommend/profile.ts";
import {
  type AffinityFacts,
  affinityOf,
  createAffinity,
  createInputWriter,
  inputCountOf,
  keysByAffinity,
  loadAffinity,
  setAffinity,
  WITHOUT_AFFINITY,
} from "../../../src/recommend/score/learned/affinity.ts";
import { stemFeaturesOf } from "../../../src/recommend/understand/text-features.ts";
import { understand } from "../../../src/recommend/understand/understand.ts";
import { type AffinityExamples, trainAffinity } from "../../../training/ranking/train-affinity.ts";

/** A need with one purpose, in which nothing else is read. */
function needFor(purpose: string, description: string): Profile {
  const profile = profileOf({ description, filter: {}, ignore: [] }, understand(description), new Float32Array(128), 0);
  return { ...profile, purposes: [{ purpose, confidence: 0.9 }], tasks: [], wishes: [] };
}

const transcribe = ["speech to text", "transcribe my interviews", "write down what is said"].map((text) =>
  needFor("asr-general", text),
);
const rate = ["mood of reviews", "are customers happy", "positive or negative"].map((text) =>
  needFor("sentiment", text),
);
const profiles = [...transcribe, ...rate];

const inputs = {
  purposes: ["asr-general", "sentiment"],
  tasks: ["automatic-speech-recognition"],
  languages: ["fi"],
  dimensions: loadStaticEncoder().dimensions,
};
const write = createInputWriter(inputs);
const features = profiles.map(({ text }) => stemFeaturesOf(text));
const hashes = [...new Set(features.flatMap((found) => [...found]))];

/** Two graded models for each purpose, of which one is good, and a copy that was only drawn. */
const examples: AffinityExamples = {
  inputs,
  needs: profiles.map((profile) => {
    const values = new Float32Array(inputCountOf(inputs));
    write(values, profile);
    return { places: Uint16Array.from(values.keys()), values };
  }),
  words: {
    hashes: Uint32Array.from(hashes),
    rarities: new Float32Array(hashes.length).fill(1),
    ofNeeds: features.map((found) => Uint16Array.from(found, (hash) => hashes.indexOf(hash))),
  },
  compared: profiles.map((_, need) => ({
    models: Uint16Array.of(0, 1, 2, 3),
    worths: Float32Array.from(need < transcribe.length ? [1, 0.15, 0, 0] : [0, 0, 1, 0.15]),
  })),
  keys: ["speech/good", "speech/poor", "mood/good", "mood/poor", "someone/drawn-copy"],
  cards: [0, 0, 1, 1, 0].map((purpose) => ({ purposes: Uint16Array.of(purpose), weights: Float32Array.of(1) })),
};
const everyNeed = [...profiles.keys()];
// Few needs, so each is learned from many times.
const many = Array.from({ length: 60 }, () => everyNeed).flat();
const bytes = trainAffinity(examples, many, 1);
const affinity = createAffinity(parseStaticFile(bytes));

/** What a card says that lists one purpose. */
function cardFor(purpose: string): PurposeGrades {
  return purposeGradesOf({ name: "x/new", purposes: { [purpose]: 3 } } as never);
}

/** A graded model, with the card that the examples have of it. */
function graded(key: string): AffinityFacts {
  return model(key, { grades: cardFor(key.startsWith("speech") ? "asr-general" : "sentiment") });
}

function model(key: string, more: Partial<AffinityFacts> = {}): AffinityFacts {
  return { key, copyOf: undefined, grades: new Uint32Array(0), isListed: true, ...more };
}

describe("Affinities that are learned from graded needs", () => {
  it("are higher for the models that graders called good for such needs", () => {
    const need = needFor("asr-general", "subtitles for a lecture");
    const order = examples.keys
      .slice(0, 4)
      .toSorted((a, b) => affinity.of(graded(b), need) - affinity.of(graded(a), need));
    expect(order.slice(0, 2)).toEqual(["speech/good", "speech/poor"]);
    const other = needFor("sentiment", "do they like it");
    expect(affinity.of(graded("mood/good"), other)).toBeGreaterThan(affinity.of(graded("speech/good"), other));
  });

  it("know words of the graded needs, whatever purposes are read", () => {
    const texts = ["write down what my interviews said", "are the reviews happy or negative"];
    const [speech, mood] = texts.map((text) => ({ ...needFor("asr-general", text), purposes: [] }));
    const lead = (need: Profile) => affinity.of(graded("speech/good"), need) - affinity.of(graded("mood/good"), need);
    expect(lead(speech as Profile)).toBeGreaterThan(lead(mood as Profile));
    const inOtherWords = { ...(speech as Profile), text: "" };
    expect(lead(inOtherWords)).toBeLessThan(lead(speech as Profile));
  });

  it("know a model that nobody graded by the purposes in its card", () => {
    const [forSpeech, forMood] = [cardFor("asr-general"), cardFor("sentiment")];
    const need = needFor("asr-general", "speech to text");
    expect(affinity.of(model("x/speech", { grades: forSpeech }), need)).toBeGreaterThan(
      affinity.of(model("x/mood", { grades: forMood }), need),
    );
  });

  it("give a copy the vector of its original, and a model without a card of its own none", () => {
    const [need] = profiles as [Profile];
    const copy = model("someone/copy", { copyOf: "speech/good" });
    expect(affinity.of(copy, need)).toBe(affinity.of(model("speech/good"), need));
    const drawn = model("someone/drawn-copy", { copyOf: "speech/good" });
    expect(affinity.of(drawn, need)).toBe(affinity.of(model("speech/good"), need));
    expect(affinity.of(model("speech/good", { isListed: false }), need)).toBe(WITHOUT_AFFINITY);
  });

  it("order the catalogue's models, highest first", () => {
    const need = needFor("asr-general", "speech to text");
    const facts = [...loadCatalogue().names()].map((key) => {
      const card = loadCatalogue().statedOf(key);
      return model(key, { copyOf: card?.weights_of?.toLowerCase(), grades: purposeGradesOf(card) });
    });
    const of = new Map(facts.map((each) => [each.key, loadAffinity().of(each, need)]));
    const most = [...of.values()].sort((a, b) => b - a);
    const keys = keysByAffinity(need);
    const ordered = [...keys];
    expect(new Set(ordered).size).toBe(of.size);
    for (const [place, key] of ordered.entries()) {
      expect(of.get(key)).toBeCloseTo(most[place] as number, 4);
    }
    expect([...keys]).toEqual(ordered);
  });

  it("are the same for the same examples, to the byte", () => {
    expect(trainAffinity(examples, many, 1).equals(bytes)).toBe(true);
    expect(trainAffinity(examples, many, 2).equals(bytes)).toBe(false);
  });

  it("refuse a file that was trained with other inputs", () => {
    const file = parseStaticFile(bytes);
    const facts = { ...file.facts, inputs: { ...inputs, languages: [] } };
    expect(() => createAffinity({ ...file, facts })).toThrow("inputs");
  });

  it("can be set for one need, as training does for those that were learned without it", () => {
    const need = needFor("asr-general", "speech to text");
    const bundled = affinityOf(model("speech/good"), need);
    expect(bundled).toBe(loadAffinity().of(model("speech/good"), need));
    setAffinity(need, affinity);
    expect(affinityOf(model("speech/good"), need)).toBe(affinity.of(model("speech/good"), need));
    expect(affinityOf(model("speech/good"), need)).not.toBe(bundled);
  });
});

describe("The inputs of a need", () => {
  it("are its purposes, tasks, languages, text and circumstances, each in its place", () => {
    const profile = profileOf(
      { description: "transcribe Finnish speech on a phone", filter: {}, ignore: [] },
      understand("transcribe Finnish speech on a phone"),
      new Float32Array(128),
      0,
    );
    const values = new Float32Array(inputCountOf(inputs));
    write(values, { ...profile, purposes: [{ purpose: "sentiment", confidence: 0.25 }], purposeNone: 0.04 });
    expect([...values.slice(0, 2)]).toEqual([0, 1.5]);
    expect(values[2]).toBeCloseTo(0.6);
    expect(values[3]).toBeGreaterThan(1);
    // Finnish is known, and no other language is asked for.
    expect([...values.slice(4, 6)]).toEqual([1, 0]);
    expect(values[6]).toBeCloseTo(5 * (profile.plainVector[0] as number));
    expect(values.subarray(6 + inputs.dimensions).some((value) => value !== 0)).toBe(true);
  });
});
