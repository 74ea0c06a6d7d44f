import { expect, it } from "vitest";
import { RecommendationService } from "../../gen/modelscout/v1/recommendation_pb.ts";
import { loadCatalogue } from "../../src/catalogue/index.ts";
import { grpcJsClient } from "../support/clients/grpc-js.ts";
import { startApp } from "../support/service/start-app.ts";

// The memory of an ordinary computer holds it, and its card says that it needs a graphics card.
const name = "BAAI/bge-reranker-v2-gemma";
const description = "put search results into the right order with a reranker";
const { url } = await startApp({
  records: [{ name, task_types: ["text-ranking"], license: "apache-2.0", parameters: 2_506_172_416 }],
});
const client = grpcJsClient(url);
const recommend = async (more: object = {}) => {
  const request = { description, explain: true, ...more };
  const { results } = await client.call(RecommendationService.method.recommend, request);
  const found = results[0];
  expect(found?.model?.name).toBe(name);
  return { sizing: found?.sizing, reasons: found?.reasons.join("\n"), tradeoffs: found?.tradeoffs.join("\n") };
};

it("sizes a model that needs a graphics card, by its catalogue card, for one", async () => {
  expect(loadCatalogue().cardOf(name.toLowerCase(), {})?.weaknesses).toContain("GPU needed");
  const { sizing, reasons } = await recommend();
  expect(sizing).toMatchObject({ hardware: "gpu-8gb", fit: "fits" });
  expect(reasons).toContain("runs on an 8 GB graphics card");
});

it("does not say without more that such a model runs on a computer without a graphics card", async () => {
  const { sizing, reasons, tradeoffs } = await recommend({ hardware: "cpu" });
  expect(sizing).toMatchObject({ hardware: "cpu", fit: "fits" });
  expect(reasons).not.toContain("runs on");
  expect(tradeoffs).toMatch(
    /^The memory of an ordinary computer without a graphics card holds it \(about [\d.]+ GB as \S+\), but it needs a graphics card, as the catalogue judges\.$/m,
  );
});
