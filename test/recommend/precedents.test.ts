import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Profile, profileOf } from "../../src/recommend/profile.ts";
import {
  createPrecedents,
  loadPrecedents,
  type PrecedentsFile,
  setLikeNeeds,
  WITHOUT_PRECEDENT,
  writePrecedentFeatures,
} from "../../src/recommend/score/learned/precedents.ts";
import { understand } from "../../src/recommend/understand/understand.ts";

const NO_CIRCUMSTANCES = [-1, -1, 0, 0, 0, 0];
const PHONE = [4, 2, 0, 0, 0, 0];
const file: PrecedentsFile = {
  models: ["owner/one", "owner/two"],
  needs: [
    { purposes: { "asr-general": 0.9 }, circumstances: NO_CIRCUMSTANCES, languages: [], grades: [3, 4 + 0] },
    { purposes: { "asr-general": 0.9 }, circumstances: PHONE, languages: [], grades: [0, 4 + 3] },
    { purposes: { "asr-general": 0.9 }, circumstances: NO_CIRCUMSTANCES, languages: ["fi"], grades: [1] },
    { purposes: { "asr-general": 0.5, sentiment: 0.5 }, circumstances: NO_CIRCUMSTANCES, languages: [], grades: [2] },
    { purposes: { sentiment: 0.9 }, circumstances: NO_CIRCUMSTANCES, languages: [], grades: [0] },
  ],
};
const precedents = createPrecedents(file);

/** A need with one purpose, in which nothing else is read. */
function speechToText(): Profile {
  const need = { description: "speech to text", filter: {}, ignore: [] };
  const profile = profileOf(need, understand(need.description), new Float32Array(128), 0);
  return { ...profile, purposes: [{ purpose: "asr-general", confidence: 0.8 }], wishes: [] };
}

describe("Precedents", () => {
  it("are the graded needs with the same purposes, less like where circumstances or languages differ", () => {
    const { needs, likeness, closeness } = precedents.likeNeeds(speechToText());
    expect([...needs]).toEqual([0, 1, 2, 3]);
    const [same = 0, onPhone = 0, finnish = 0, mixed = 0] = likeness;
    expect(same).toBeCloseTo(1);
    expect(onPhone).toBeLessThan(0.15);
    expect(finnish).toBeCloseTo(0.5);
    expect(mixed).toBeCloseTo(Math.SQRT1_2);
    expect(closeness[3]).toBeCloseTo(Math.SQRT1_2 ** 3);
  });

  it("leave out a need that is asked to be left out", () => {
    expect([...precedents.likeNeeds(speechToText(), 0).needs]).toEqual([1, 2, 3]);
  });

  it("have the grades of each model", () => {
    expect(precedents.gradesOf("owner/one")).toEqual(Uint16Array.of(3, 4, 8 + 1, 12 + 2, 16));
    expect(precedents.gradesOf("owner/two")).toEqual(Uint16Array.of(0, 4 + 3));
    expect(precedents.gradesOf("owner/three")).toBeUndefined();
  });

  it("are most worth for a model with the best grade for a need like it, and nothing for one without grades", () => {
    const profile = speechToText();
    const bundled = loadPrecedents();
    const like = { needs: Uint16Array.of(0), likeness: Float32Array.of(1), closeness: Float32Array.of(1) };
    setLikeNeeds(profile, like);
    const features = (grades: number[] | undefined) => {
      const values = new Float32Array(4);
      writePrecedentFeatures(values, 0, grades === undefined ? undefined : Uint16Array.from(grades), profile);
      return [...values];
    };
    expect(bundled.needCount).toBeGreaterThan(1_000);
    const worths = [0, 1, 2, 3].map((grade) => features([grade])[0] as number);
    expect(worths).toEqual(worths.toSorted((a, b) => a - b));
    expect(worths[3]).toBeGreaterThan(0.85);
    expect(features([3])[1]).toBeCloseTo(1);
    expect(features(undefined)).toEqual([...Float32Array.from(WITHOUT_PRECEDENT)]);
    // A grade for a need that is not like it says nothing.
    expect(features([4 + 3])).toEqual([...Float32Array.from(WITHOUT_PRECEDENT)]);
  });

  it("that are bundled name each model once, and grade models from 0 to 3", () => {
    const text = readFileSync(new URL("../../src/recommend/score/learned/precedents.json", import.meta.url), "utf8");
    const { models, needs } = JSON.parse(text) as PrecedentsFile;
    expect(new Set(models).size).toBe(models.length);
    expect(needs.length).toBeLessThan(2 ** 14);
    for (const { grades, circumstances, purposes } of needs) {
      expect(new Set(grades.map((grade) => grade >> 2)).size).toBe(grades.length);
      expect(Math.max(0, ...grades) >> 2).toBeLessThan(models.length);
      expect(circumstances).toHaveLength(NO_CIRCUMSTANCES.length);
      expect(Math.max(0, ...Object.values(purposes))).toBeLessThanOrEqual(1);
    }
  });
});
