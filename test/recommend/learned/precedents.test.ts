import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { loadStaticEncoder } from "../../../src/embedding/index.ts";
import { type Profile, profileOf } from "../../../src/recommend/profile.ts";
import {
  createPrecedents,
  loadPrecedents,
  type PrecedentsFile,
  packGrades,
  packVectors,
  precedentFeatureNames,
  replacePrecedents,
  setLikeNeeds,
  WITHOUT_PRECEDENT,
  writePrecedentFeatures,
} from "../../../src/recommend/score/learned/precedents.ts";
import { understand } from "../../../src/recommend/understand/understand.ts";

const NO_CIRCUMSTANCES = [-1, -1, 0, 0, 0, 0];
const PHONE = [4, 2, 0, 0, 0, 0];
/** The texts of the needs below. The last one has other purposes, as if they were misread. */
const texts = [
  "speech to text",
  "speech to text on a phone",
  "speech to text in Finnish",
  "transcribe calls and rate their mood",
  "read the mood of reviews",
  "text from speech",
];
const file: PrecedentsFile = {
  models: ["owner/one", "owner/two"],
  needs: [
    { purposes: { "asr-general": 0.9 }, circumstances: NO_CIRCUMSTANCES, languages: [], graded: 2 },
    { purposes: { "asr-general": 0.9 }, circumstances: PHONE, languages: [], graded: 2 },
    { purposes: { "asr-general": 0.9 }, circumstances: NO_CIRCUMSTANCES, languages: ["fi"], graded: 1 },
    { purposes: { "asr-general": 0.5, sentiment: 0.5 }, circumstances: NO_CIRCUMSTANCES, languages: [], graded: 1 },
    { purposes: { sentiment: 0.9 }, circumstances: NO_CIRCUMSTANCES, languages: [], graded: 1 },
    { purposes: { sentiment: 0.9 }, circumstances: NO_CIRCUMSTANCES, languages: [], unserved: true, graded: 1 },
  ],
  grades: packGrades([3, 4 + 0, 0, 4 + 3, 1, 2, 0, 0]),
  vectors: packVectors(texts.map((text) => loadStaticEncoder().encodeOne(text))),
};
const precedents = createPrecedents(file);
const bundled = loadPrecedents();

/** A need with one purpose, in which nothing else is read. */
function speechToText(): Profile {
  const need = { description: "speech to text", filter: {}, ignore: [] };
  const profile = profileOf(need, understand(need.description), new Float32Array(128), 0);
  return { ...profile, purposes: [{ purpose: "asr-general", confidence: 0.8 }], wishes: [] };
}

describe("Precedents", () => {
  it("are the graded needs with the same purposes, less like where circumstances or languages differ", () => {
    const { needs, likeness, closeness } = precedents.likeNeeds(speechToText());
    expect([...needs].filter((_, at) => likeness[at] !== 0)).toEqual([0, 1, 2, 3]);
    const [same = 0, onPhone = 0, finnish = 0, mixed = 0] = likeness;
    expect(same).toBeCloseTo(1);
    expect(onPhone).toBeLessThan(0.15);
    expect(finnish).toBeCloseTo(0.5);
    expect(mixed).toBeCloseTo(Math.SQRT1_2);
    expect(closeness[3]).toBeCloseTo(Math.SQRT1_2 ** 3);
  });

  it("are also those with the same words, because purposes may be misread", () => {
    const { needs, likeness, nearness, unserved } = precedents.likeNeeds(speechToText());
    const misread = needs.indexOf(5);
    expect(likeness[misread]).toBe(0);
    expect(nearness[misread]).toBeGreaterThan(0.2);
    expect(nearness[0]).toBeCloseTo(1, 1);
    expect(nearness[3]).toBeLessThan(nearness[0] as number);
    expect(unserved).toBeGreaterThan(precedents.likeNeeds(speechToText(), 5).unserved);
  });

  it("leave out a need that is asked to be left out", () => {
    const all = [...precedents.likeNeeds(speechToText()).needs];
    expect([...precedents.likeNeeds(speechToText(), 0).needs]).toEqual(all.filter((need) => need !== 0));
  });

  it("have the grades of each need", () => {
    const { grades, starts } = precedents;
    expect(grades.subarray(starts[1], starts[2])).toEqual(Uint16Array.of(0, 4 + 3));
    expect([...starts]).toEqual([0, 2, 4, 5, 6, 7, 8]);
    expect(precedents.placeOf("owner/two")).toBe(1);
    expect(precedents.placeOf("owner/three")).toBeUndefined();
  });

  it("are most worth for a model with the best grade for a need like it, and nothing for one without grades", () => {
    const features = (model: number | undefined, need: number, likeness: number) => {
      const one = Float32Array.of(likeness);
      const profile = speechToText();
      setLikeNeeds(profile, {
        needs: Uint16Array.of(need),
        likeness: one,
        closeness: one,
        nearness: one,
        unserved: WITHOUT_PRECEDENT.at(-1)!,
      });
      const values = new Float32Array(precedentFeatureNames.length);
      writePrecedentFeatures(values, 0, model, profile);
      return [...values];
    };
    replacePrecedents(precedents);
    try {
      // Owner/one has the grades 0, 1, 2 and 3 for these needs.
      const worths = [1, 2, 3, 0].map((need) => features(0, need, 1)[0] as number);
      expect(worths).toEqual(worths.toSorted((a, b) => a - b));
      expect(worths[3]).toBeGreaterThan(0.85);
      expect(features(0, 0, 1)[1]).toBeCloseTo(1);
      expect(features(undefined, 0, 1)).toEqual([...Float32Array.from(WITHOUT_PRECEDENT)]);
      // A grade for a need that is not like it says nothing, and nothing is left of the need before.
      expect(features(1, 2, 1)).toEqual([...Float32Array.from(WITHOUT_PRECEDENT)]);
    } finally {
      replacePrecedents(bundled);
    }
  });

  it("that are bundled name each model once, and grade models from 0 to 3", () => {
    const text = readFileSync(new URL("../../../src/recommend/score/learned/precedents.json", import.meta.url), "utf8");
    const { models, needs, grades: packed, vectors } = JSON.parse(text) as PrecedentsFile;
    expect(Buffer.from(vectors, "base64")).toHaveLength(needs.length * loadStaticEncoder().dimensions);
    expect(new Set(models).size).toBe(models.length);
    expect(needs.length).toBeLessThan(2 ** 14);
    const { grades, starts } = createPrecedents({ models, needs, grades: packed, vectors });
    expect(starts.at(-1)).toBe(grades.length);
    for (const [place, { circumstances, purposes }] of needs.entries()) {
      const own = grades.subarray(starts[place], starts[place + 1]);
      expect(new Set(own.map((grade) => grade >> 2)).size).toBe(own.length);
      expect(Math.max(0, ...own) >> 2).toBeLessThan(models.length);
      expect(circumstances).toHaveLength(NO_CIRCUMSTANCES.length);
      expect(Math.max(0, ...Object.values(purposes))).toBeLessThanOrEqual(1);
    }
  });
});
