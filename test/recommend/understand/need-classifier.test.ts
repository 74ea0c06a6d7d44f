import { readdirSync, readFileSync, statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { purposes } from "../../../src/catalogue/index.ts";
import { loadVocabulary, readStaticFile } from "../../../src/embedding/index.ts";
import { parseStaticFile, staticFileBytes } from "../../../src/embedding/static/static-file.ts";
import { isTaskType, knownLabels } from "../../../src/inventory/facts/task-types.ts";
import {
  createNeedClassifier,
  loadNeedClassifier,
  type TaskGuess,
} from "../../../src/recommend/understand/need-classifier.ts";
import { createPurposeBayes, loadPurposeBayes } from "../../../src/recommend/understand/purpose-bayes.ts";
import { wordFeaturesOf } from "../../../src/recommend/understand/text-features.ts";
import { doubleNeeds, goldenNeeds } from "./support/golden-needs.ts";

const training = new URL("../../../training/", import.meta.url);
const labelOf = ({ task, taskType }: TaskGuess): string => (taskType === "code" ? "code" : task);

describe("The correction of purposes by words", () => {
  /** Two purposes; "fox" is said of the first, "hen" of the second. */
  const file = staticFileBytes(
    { id: "bayes-test", purposes: ["a", "b"], scale: 0.01, exponents: { shares: 0.5, words: 1 } },
    {
      hashes: Uint32Array.from([featuresOf("fox").stem, featuresOf("hen").stem]).sort(),
      starts: Uint32Array.of(0, 1, 2),
      places: featuresOf("fox").stem < featuresOf("hen").stem ? Uint16Array.of(0, 1) : Uint16Array.of(1, 0),
      gains: Uint8Array.of(200, 200),
      biases: Float32Array.of(-1, -1),
    },
  );
  const bayes = createPurposeBayes(parseStaticFile(file));
  const correct = (numbers: number[], ...words: string[]) => {
    const shares = Float32Array.from(numbers);
    bayes.correct(shares, words.map(featuresOf));
    return [...shares];
  };

  it("raises the purpose of which a word is said, by the factor that the file has, and keeps the sum", () => {
    const [first = 0, second = 0] = correct([0.2, 0.3], "fox");
    expect(first + second).toBeCloseTo(0.5, 5);
    expect(first / second).toBeCloseTo((0.2 / 0.3) ** 0.5 * Math.exp(2), 2);
    const both = correct([0.2, 0.3], "fox", "hen");
    expect(both[0]! / both[1]!).toBeCloseTo((0.2 / 0.3) ** 0.5, 3);
  });

  it("changes nothing if no word is known, and finds no purpose where all shares are zero", () => {
    expect(correct([0.25, 0.5], "cow")).toEqual([0.25, 0.5]);
    expect(correct([0.25, 0.5])).toEqual([0.25, 0.5]);
    expect(correct([0, 0], "fox")).toEqual([0, 0]);
  });

  it("is for the purposes of the classifier, and refused for others", () => {
    expect([...loadPurposeBayes().purposes]).toEqual([...purposes().keys()].sort());
    const url = new URL("../../../src/recommend/understand/need-classifier.bin", import.meta.url);
    expect(() => createNeedClassifier(readStaticFile(url), loadVocabulary(), bayes)).toThrow("bayes-test");
  });

  it("leaves the tasks as the network reads them", () => {
    const url = new URL("../../../src/recommend/understand/need-classifier.bin", import.meta.url);
    const network = createNeedClassifier(readStaticFile(url), loadVocabulary());
    expect(network.classify("detect people").byTask).toEqual(loadNeedClassifier().classify("detect people").byTask);
  });
});

function featuresOf(word: string) {
  return wordFeaturesOf(word, 1);
}

describe("The classifier of needs", () => {
  const classifier = loadNeedClassifier();

  it("names the right task first for at least 85 % of needs that it was not trained on", () => {
    const missed = goldenNeeds
      .map(([label, need]) => ({ label, need, guess: labelOf(classifier.classify(need).byTask.tasks[0]!) }))
      .filter(({ label, guess }) => label !== guess);
    expect(goldenNeeds.length).toBeGreaterThanOrEqual(60);
    expect(missed.length / goldenNeeds.length, JSON.stringify(missed, null, 2)).toBeLessThanOrEqual(0.15);
  });

  it("was not trained on the needs of this test", () => {
    const files = ["needs/", "needs/extra/", "purposes/"].flatMap((folder) =>
      readdirSync(new URL(folder, training))
        .filter((name) => /\.(?:txt|tsv)$/.test(name))
        .map((name) => readFileSync(new URL(folder + name, training), "utf8")),
    );
    const lines = files.flatMap((text) => text.toLowerCase().split("\n"));
    // A line of training/purposes has a label and a tab before the need.
    const trained = new Set(lines.map((line) => line.slice(line.indexOf("\t") + 1).trim()));
    const needs = [...goldenNeeds.map(([, need]) => need), ...doubleNeeds.map(([, , need]) => need)];
    expect(needs.filter((need) => trained.has(need.toLowerCase()))).toEqual([]);
  });

  it.each(doubleNeeds)("finds both %s and %s in one need", (first, second, need) => {
    const { tasks: guesses } = classifier.classify(need).byTask;
    expect(guesses.slice(0, 2).map(({ task }) => task)).toEqual(expect.arrayContaining([first, second]));
    for (const { confidence } of guesses.slice(0, 2)) {
      expect(confidence).toBeGreaterThan(0.2);
    }
    const inOrder = guesses.filter(({ part }) => part !== undefined).sort((a, b) => a.part! - b.part!);
    expect(inOrder.map(({ task }) => task)).toEqual([first, second]);
  });

  it("reads the purposes of both needs, too", () => {
    const { purposes } = classifier.classify("remove noise from recordings, then transcribe the interviews").byPurpose;
    const shareOf = (begin: string) =>
      purposes.filter(({ purpose }) => purpose.startsWith(begin)).reduce((sum, { confidence }) => sum + confidence, 0);
    expect(shareOf("speech-enhancement")).toBeGreaterThan(0.2);
    expect(shareOf("asr-")).toBeGreaterThan(0.2);
  });

  it("does not split one need that contains a list", () => {
    for (const [task, need] of [
      ["text-to-image", "paintings of castles and dragons and knights from a prompt"],
      ["translation", "translate emails and letters from French to German and Italian"],
      ["object-detection", "boxes around cars and trucks and people in street pictures"],
    ] as const) {
      const [first] = classifier.classify(need).byTask.tasks;
      expect(first?.part).toBeUndefined();
      expect(first?.task, need).toBe(task);
      expect(first?.confidence, need).toBeGreaterThan(0.5);
    }
  });

  it("classifies programming as text generation of the type code", () => {
    const [first] = classifier.classify("generate Python unit tests for my code").byTask.tasks;
    expect(first).toMatchObject({ task: "text-generation", taskType: "code" });
  });

  it("returns every task once, most likely first, with confidences that add up to one", () => {
    for (const need of ["translate a letter", "", "hello"]) {
      const { tasks: guesses, none } = classifier.classify(need).byTask;
      expect(guesses).toHaveLength(classifier.tasks.length);
      expect(new Set(guesses.map(labelOf)).size).toBe(guesses.length);
      const confidences = guesses.map(({ confidence }) => confidence);
      expect(confidences).toEqual(confidences.toSorted((a, b) => b - a));
      expect(confidences.reduce((sum, value) => sum + value, none)).toBeCloseTo(1, 4);
    }
  });

  it("knows only the hub's labels and other, and at least 50 of them", () => {
    expect(classifier.tasks.length).toBeGreaterThanOrEqual(50);
    for (const { task, taskType } of classifier.tasks) {
      expect([...knownLabels, "other"]).toContain(task);
      expect(isTaskType(taskType)).toBe(true);
    }
  });

  it("returns the same every time, whatever came before", () => {
    const need = "read street names off photographs and map them";
    const before = classifier.classify(need);
    for (const [, other] of goldenNeeds) {
      classifier.classify(other);
    }
    expect(classifier.classify(need)).toEqual(before);
  });

  it.each([
    ["nothing", ""],
    ["white space", " \n\t "],
    ["punctuation", "?!… --- ;;;"],
    ["emoji", "🤖🎨👩‍👩‍👧‍👦"],
    ["NUL and control characters", "\u0000\u0001\u001f"],
    ["half a surrogate pair", "\ud83d"],
    ["letters of no known word", "qzxv wqpt zzkx"],
    ["another script", "画像を生成したい"],
    ["one endless word", "a".repeat(100_000)],
    ["very much text", "translate this sentence please. ".repeat(10_000)],
    ["only connectives", "and then and also and and then"],
    ["words of JavaScript's own objects", "constructor __proto__ toString hasOwnProperty"],
  ])("survives %s", (_, text) => {
    const { byTask, byPurpose } = classifier.classify(text);
    expect(byTask.tasks).toHaveLength(classifier.tasks.length);
    for (const [guesses, none] of [
      [byTask.tasks, byTask.none],
      [byPurpose.purposes, byPurpose.none],
    ] as const) {
      const shares = [none, ...guesses.map(({ confidence }) => confidence)];
      expect(Math.min(...shares)).toBeGreaterThanOrEqual(0);
      expect(shares.reduce((sum, share) => sum + share)).toBeCloseTo(1, 4);
    }
  });

  it("is not certain of a text without meaning", () => {
    expect(classifier.classify("").byTask.tasks[0]?.confidence).toBeLessThan(0.3);
  });

  it("stays small", () => {
    const file = new URL("../../../src/recommend/understand/need-classifier.bin", import.meta.url);
    expect(statSync(file).size).toBeLessThanOrEqual(8 * 2 ** 20);
  });
});
