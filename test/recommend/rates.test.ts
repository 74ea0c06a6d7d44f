import { describe, expect, it } from "vitest";
import { RecommendationService } from "../../gen/modelscout/v1/recommendation_pb.ts";
import { grpcJsClient } from "../support/clients/grpc-js.ts";
import { startApp } from "../support/service/start-app.ts";

const { url } = await startApp();
const client = grpcJsClient(url);

async function answer(description: string) {
  const { results } = await client.call(RecommendationService.method.recommend, { description, topK: 20 });
  return results.map(({ model, sizing, reasons, tradeoffs }) => ({
    name: model?.name ?? "",
    throughput: sizing?.throughput,
    said: [...reasons, ...tradeoffs].filter((sentence) => sentence.includes("it is estimated to ")),
  }));
}

describe("a rate in the need, on a named device", () => {
  it("judges frames a second", async () => {
    const results = (await answer("detect people in camera images at 30 fps on an RTX 3060")).filter(
      ({ throughput }) => throughput?.unit === "image",
    );
    expect(results.length).toBeGreaterThan(3);
    for (const { name, throughput, said } of results) {
      const end =
        (throughput?.likely ?? 0) >= 30
          ? "; you asked for 30 a second."
          : ", and so is likely too slow for 30 a second.";
      expect(
        said.map((sentence) => sentence.endsWith(end)),
        name,
      ).toEqual([true]);
    }
  });

  it("judges a wait by models that read one image at a time, not by batches", async () => {
    const results = (await answer("tell defects in photos with latency under 20 ms on an RTX 3060")).filter(
      ({ throughput }) => throughput?.unit === "image",
    );
    expect(results.length).toBeGreaterThan(3);
    const batched = results.filter(({ throughput }) => throughput?.item.endsWith("in batches"));
    expect(batched.length).toBeGreaterThan(0);
    expect(batched.flatMap(({ said }) => said)).toEqual([]);
  });

  it("says how long a picture takes", async () => {
    const results = (await answer("generate 2 images per second with Stable Diffusion on an RTX 4090")).filter(
      ({ throughput }) => throughput?.unit === "picture",
    );
    const said = results.flatMap(({ said }) => said);
    expect(said.length).toBeGreaterThan(0);
    expect(said.filter((sentence) => !/it is estimated to take .* each \(picture/.test(sentence))).toEqual([]);
  });

  it("judges texts a night", async () => {
    const results = (await answer("embed 2 million lines a night on a CPU for search")).filter(
      ({ throughput }) => throughput?.unit === "text",
    );
    expect(results.length).toBeGreaterThan(3);
    for (const { name, throughput, said } of results) {
      const isEnough = (throughput?.likely ?? 0) >= 2e6 / 28_800;
      expect(
        said.some((sentence) => sentence.includes("likely too slow for 69 a second")),
        name,
      ).toBe(!isEnough);
    }
  });

  it("judges real time by the seconds of audio", async () => {
    const results = (await answer("live captions in real time on an RTX 3060")).filter(
      ({ throughput }) => throughput?.unit === "audio_second",
    );
    expect(results.length).toBeGreaterThan(0);
    expect(results.every(({ said }) => said.every((sentence) => sentence.includes("times real time")))).toBe(true);
  });
});

it("does not judge a rate without a named device", async () => {
  const results = await answer("detect people in camera images at 30 fps");
  expect(results.flatMap(({ said }) => said)).toEqual([]);
});
