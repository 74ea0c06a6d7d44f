import { describe, expect, it } from "vitest";
import { readCsv } from "../../src/evaluations/forms/csv.ts";
import { readOpenAsrMultilingual, readOpenAsrShort } from "../../src/evaluations/forms/open-asr.ts";
import { type PlacedBoard, placeModels } from "../../src/evaluations/forms/place-models.ts";
import { readGiftEval, readModelsDev, readMteb, readRoboflow } from "../../src/evaluations/forms/reduced.ts";
import {
  readBfcl,
  readEuroEval,
  readOpenClip,
  readTimm,
  readTimmSpeeds,
  readVectara,
} from "../../src/evaluations/forms/table-boards.ts";

const options = { asOf: "2026-01-02" };
const measured = { as_of: "2026-01-02", evidence: "measured" };

const figuresOf = ({ figures }: PlacedBoard) => Object.fromEntries(figures);

describe("Places on a board", () => {
  it("are counted among all systems, with equal values on one place, and the best of a system's lines", () => {
    const lines = [
      { system: "a/slow", model: "a/slow", value: 30 },
      { system: "Closed", value: 10 },
      { system: "a/good", model: "a/good", value: 25 },
      { system: "a/good", model: "a/good", value: 20 },
      { system: "a/as-good", model: "a/as-good", value: 20 },
    ];
    const { of, figures } = placeModels("vectara-hhem", lines, options);
    expect(of).toBe(4);
    expect(Object.fromEntries(figures)).toEqual({
      "a/good": { value: 20, place: 2, of: 4, ...measured },
      "a/as-good": { value: 20, place: 2, of: 4, ...measured },
      "a/slow": { value: 30, place: 4, of: 4, ...measured },
    });
    expect([...placeModels("bfcl-v4", lines, options).figures.values()].map(({ place }) => place)).toEqual([1, 2, 3]);
  });

  it("prefer what was measured to what is claimed, however good the claim", () => {
    const lines = [
      { system: "a/b", model: "a/b", value: 90, evidence: "claimed" as const },
      { system: "a/b", model: "a/b", value: 50 },
    ];
    expect(figuresOf(placeModels("swe-bench-verified", lines, { ...options, isWhole: false }))).toEqual({
      "a/b": { value: 50, ...measured },
    });
  });

  it("are refused where ids differ in letter case alone, or a value is impossible", () => {
    const cases = [
      { system: "x", model: "Acme/One", value: 1 },
      { system: "y", model: "acme/one", value: 2 },
    ];
    expect(() => placeModels("bfcl-v4", cases, options)).toThrow(
      "has Acme/One and acme/one, which differ in letter case alone",
    );
    expect(() => placeModels("bfcl-v4", [{ system: "x", value: 101 }], options)).toThrow(
      "has 101 for x, which is outside 0 to 100 (bfcl-v4: overall accuracy in %)",
    );
    expect(() => placeModels("bfcl-v9", [], options)).toThrow("is read as bfcl-v9, which is not a known board");
  });
});

describe("The form of a CSV file", () => {
  it("is read with quotes, doubled quotes, commas in cells and both line ends", () => {
    expect(readCsv('a,"b ""x"", y"\r\n1,"2,5"\n\n"line\nbreak",\n', ["a"])).toEqual([
      { a: "1", 'b "x", y': "2,5" },
      { a: "line\nbreak", 'b "x", y': "" },
    ]);
  });

  it.each([
    ["", 'has no column "model", "top1"; its columns are []'],
    ["model,accuracy\na,1", 'has no column "top1"; its columns are ["model","accuracy"]'],
    ["model,top1\n", "has no rows"],
    ["model,top1\na,1,2", "has 3 cells in row 1, and 2 in its first line"],
    ['model,top1\na,b"c', "is not valid CSV at character 13"],
    ["model,top1\na,fast", 'has "fast" where top1 must be a number'],
  ])("is refused: %j", (text, message) => {
    expect(() => readTimm("timm-imagenet", text, options)).toThrow(message);
  });
});

describe("The boards' own forms", () => {
  it("Open ASR: errors and speeds; services are counted and not joined", () => {
    const text = [
      "model,Avg. WER,RTFx,License",
      "acme/best,5.42,524.88,Open",
      "acme-cloud/scribe,5.47,-1,Proprietary",
      "ultravox/fixie-ai-ultravox-v0_6-llama-3_1-8b,8.52,6.22,Open",
    ].join("\n");
    const [errors, speeds] = readOpenAsrShort(text, options) as [PlacedBoard, PlacedBoard];
    expect(figuresOf(errors)).toEqual({
      "acme/best": { value: 5.42, place: 1, of: 3, ...measured },
      "fixie-ai/ultravox-v0_6-llama-3_1-8b": { value: 8.52, place: 3, of: 3, ...measured },
    });
    expect(figuresOf(speeds)["acme/best"]).toEqual({ value: 524.88, place: 1, of: 2, ...measured });
  });

  it("Open ASR: a board for each language, without the models that lack one of its data sets", () => {
    const columns = "de_a,de_b,fr_a,it_a,es_a,pt_a";
    const text = `model,RTFx,${columns},Avg\nacme/one,1,2,5,1,1,1,1,1.5\nacme/two,1,,4,2,2,2,2,2\n`;
    const boards = Object.fromEntries(readOpenAsrMultilingual(text, options).map((board) => [board.board, board]));
    expect(figuresOf(boards["open-asr-de"] as PlacedBoard)).toEqual({
      "acme/one": { value: 3.5, place: 1, of: 1, ...measured },
    });
    expect(boards["open-asr-fr"]?.of).toBe(2);
    expect(() => readOpenAsrMultilingual("model,RTFx,Avg\na/b,1,2", options)).toThrow("has no columns de_…");
  });

  it("EuroEval: links, ways of running, revisions", () => {
    const text = [
      "model,rank",
      "\"<a href='https://hf.co/acme/one'>acme/one#thinking (zero-shot, val)</a>\",1.50",
      "<a href='https://hf.co/acme/one'>acme/one#no-thinking</a>,1.20",
      "<a href='https://hf.co/acme/one'>acme/one@refs/pr/6</a>,1.10",
      "<a href='https://example.com/closed'>closed/best (val)</a>,1.00",
      "plain-encoder,3.00",
    ].join("\n");
    const board = readEuroEval("euroeval-danish-nlu", text, options);
    expect(figuresOf(board)).toEqual({ "acme/one": { value: 1.2, place: 3, of: 4, ...measured } });
  });

  it("BFCL: the better of function calling and prompting, by link or by alias", () => {
    const text = [
      "Overall Acc,Model,Model Link",
      "48.71%,Qwen3-32B (FC),https://huggingface.co/Qwen/Qwen3-32B",
      "46.78%,Qwen3-32B (Prompt),https://huggingface.co/Qwen/Qwen3-32B",
      "30.43%,Gemma-3-12b-it (Prompt),https://blog.google/technology/developers/gemma-3/",
      "47.68%,Nanbeige3.5-Pro-Thinking (FC),https://huggingface.co/Nanbeige",
      "37.15%,Mistral-small-2506 (FC),https://docs.mistral.ai/",
      "32.38%,Mistral-Small-2506 (Prompt),https://docs.mistral.ai/",
    ].join("\n");
    expect(figuresOf(readBfcl(text, options))).toEqual({
      "Qwen/Qwen3-32B": { value: 48.71, place: 1, of: 4, ...measured },
      "mistralai/Mistral-Small-3.2-24B-Instruct-2506": { value: 37.15, place: 3, of: 4, ...measured },
      "google/gemma-3-12b-it": { value: 30.43, place: 4, of: 4, ...measured },
    });
  });

  it("Vectara: the table of a README and its day", () => {
    const text = [
      "Last updated on March 10, 2026",
      "|Model|Hallucination Rate|Answer Rate|",
      "|----|----:|----:|",
      "|qwen/qwen3-8b|4.8 %|99.9 %|",
      "|zai-org/glm-4p7|11.7 %|99.8 %|",
      "",
      "|Other|Table|",
    ].join("\n");
    expect(figuresOf(readVectara(text, options))).toEqual({
      "qwen/qwen3-8b": { value: 4.8, place: 1, of: 2, as_of: "2026-03-10", evidence: "measured" },
      "zai-org/GLM-4.7": { value: 11.7, place: 2, of: 2, as_of: "2026-03-10", evidence: "measured" },
    });
    expect(() => readVectara("# Moved", options)).toThrow("has no table that begins with the columns Model and");
  });

  it("timm: accuracies by weights, speeds by architecture", () => {
    const accuracy = 'model,img_size,top1,param_count\nvit_tiny.a,224,70.1,"1,013.01"\nvit_tiny.a,384,72.5,5\n';
    expect(figuresOf(readTimm("timm-imagenet", accuracy, options))).toEqual({
      "timm/vit_tiny.a": { value: 72.5, place: 1, of: 1, ...measured },
    });
    const speed = "model,infer_samples_per_sec\nresnet18,160.5\nvit_tiny,1000\n";
    const known = ["timm/vit_tiny.a", "timm/vit_tiny.b", "acme/vit_tiny.c"];
    expect(figuresOf(readTimmSpeeds("timm-infer-cpu", speed, { ...options, known }))).toEqual({
      "timm/vit_tiny.a": { value: 1_000, place: 1, of: 2, ...measured },
      "timm/vit_tiny.b": { value: 1_000, place: 1, of: 2, ...measured },
    });
  });

  it("OpenCLIP: weights by alias, shares as percentages", () => {
    const text = "name,pretrained,Average perf. on 38 datasets\nViT-B-32,openai,0.5245\nViT-X,unknown,0.9\n";
    const figure = { value: 52.45, place: 2, of: 2, ...measured };
    expect(figuresOf(readOpenClip("openclip-zero-shot", text, options))).toEqual({
      "openai/clip-vit-base-patch32": figure,
      "timm/vit_base_patch32_clip_224.openai": figure,
    });
  });

  it("MTEB: means over the tasks of a group, for models that have them all", () => {
    const text = [
      '{"name": "acme/code", "max_tokens": Infinity, "scores": {"AppsRetrieval": 0.5, "CodeSearchNetRetrieval": 0.7, "CosQA": 0.3}}',
      '{"name": "acme/half", "scores": {"AppsRetrieval": 0.9, "GermanQuAD-Retrieval": 0.95}}',
    ].join("\n");
    const boards = Object.fromEntries(readMteb(text, options).map((board) => [board.board, figuresOf(board)]));
    expect(boards["mteb-code"]).toEqual({ "acme/code": { value: 50, place: 1, of: 1, ...measured } });
    expect(boards["mteb-german-retrieval"]).toMatchObject({ "acme/half": { value: 95 } });
    expect(boards["mteb-eng-v2"]).toEqual({});
    expect(() => readMteb('{"name": "acme/one"}', options)).toThrow("does not have the expected form, at scores:");
    expect(() => readMteb("<html>", options)).toThrow("is not valid JSON");
  });

  it("GIFT-Eval: never by the id of another size", () => {
    const text = JSON.stringify([
      { model: "moirai_small", hugging_face: "Salesforce/moirai-1.1-R-large", mase_geometric_mean: 1.32 },
      { model: "Moirai_large", hugging_face: "Salesforce/moirai-1.1-R-large", mase_geometric_mean: 1.22 },
      { model: "naive", hugging_face: null, mase_geometric_mean: 1.775 },
    ]);
    expect(figuresOf(readGiftEval(text, options))).toEqual({
      "Salesforce/moirai-1.1-R-large": { value: 1.22, place: 1, of: 3, ...measured },
      "Salesforce/moirai-1.1-R-small": { value: 1.32, place: 2, of: 3, ...measured },
    });
  });

  it("Roboflow: each detector with its own day", () => {
    const text = JSON.stringify([
      { model: "RT-DETRv1 r50vd", map50_95: 0.53049, date: "2025-06-26T13:22:36.001748+00:00" },
      { model: "yolo11x", map50_95: 0.5353, date: "2025-06-27T13:22:36.001748+00:00" },
    ]);
    expect(figuresOf(readRoboflow(text, options))).toEqual({
      "PekingU/rtdetr_r50vd": { value: 53.05, place: 2, of: 2, as_of: "2025-06-26", evidence: "measured" },
    });
  });

  it("models.dev: what makers publish of their own is a claim, and there are no places", () => {
    const row = { id: "acme/one", hugging_face: "acme/One", name: "SWE-Bench Verified", date: null };
    const text = JSON.stringify([
      { ...row, score: 70, source: "https://huggingface.co/acme/One" },
      { ...row, score: 40, name: "Aider Polyglot", source: "https://aider.chat/docs/", date: "2025-05-08" },
      { ...row, score: 99, name: "Our Own Bench", source: "https://acme.example/" },
      { ...row, id: "mistral/codestral-latest", score: 11, name: "Aider Polyglot", source: "https://aider.chat/docs/" },
    ]);
    const boards = Object.fromEntries(readModelsDev(text, options).map((board) => [board.board, figuresOf(board)]));
    expect(boards["swe-bench-verified"]).toEqual({
      "acme/One": { value: 70, as_of: "2026-01-02", evidence: "claimed", url: "https://huggingface.co/acme/One" },
    });
    expect(boards["aider-polyglot"]).toEqual({
      "acme/One": { value: 40, as_of: "2025-05-08", evidence: "measured", url: "https://aider.chat/docs/" },
    });
  });
});
