import type { Example } from "../../openapi/index.ts";

/** Bodies of requests that the service answers with its starter catalogue, by method as `package.Service/Method`. */
export const requestExamples: Readonly<Record<string, Readonly<Record<string, Example>>>> = {
  "modelscout.v1.RecommendationService/Recommend": {
    words: {
      summary: "A need in words",
      value: { description: "transcribe long meetings on a laptop without a GPU" },
    },
    limits: {
      summary: "A need with limits that every result meets",
      value: {
        description: "generate product photos for our shop",
        hardware: "gpu-24gb",
        license: "commercial",
        max_size_gb: 30,
        top_k: 3,
      },
    },
  },
  "modelscout.v1.RecommendationService/BatchRecommend": {
    needs: {
      summary: "Two needs",
      value: {
        requests: [{ description: "translate emails to German", top_k: 2 }, { description: "count cars in photos" }],
      },
    },
  },
  "modelscout.v1.BatchService/CreateBatch": {
    needs: {
      summary: "Two needs, answered in the background",
      value: {
        name: "emails and cars",
        requests: [{ description: "translate emails to German", top_k: 2 }, { description: "count cars in photos" }],
      },
    },
  },
  "modelscout.v1.BatchService/CancelBatch": { all: { summary: "Only the id in the path", value: {} } },
  "modelscout.v1.InterestService/CreateInterest": {
    licence: {
      summary: "Wait for models with a permissive licence",
      value: { name: "support bot", description: "a chatbot for customers, in German", license: "permissive" },
    },
  },
  "modelscout.v1.InterestService/UpdateInterest": {
    score: {
      summary: "Only better matches",
      value: { name: "support bot", description: "a chatbot for customers, in German", min_score: 0.8 },
    },
  },
  "modelscout.v1.InterestService/PreviewInterest": {
    unsaved: {
      summary: "What an interest that is not saved yet would match",
      value: { name: "cars", description: "count cars in photos" },
    },
  },
  "modelscout.v1.WebhookService/CreateWebhook": {
    matches: {
      summary: "Only events about matches",
      value: { url: "https://hooks.example.com/models", event_types: ["model.matched"] },
    },
  },
  "modelscout.v1.WebhookService/UpdateWebhook": {
    pause: { summary: "Disable a webhook", value: { url: "https://hooks.example.com/models", state: "disabled" } },
  },
  "modelscout.v1.WebhookService/RotateSecret": { all: { summary: "Only the id in the path", value: {} } },
  "modelscout.v1.WebhookService/TestWebhook": { all: { summary: "Only the id in the path", value: {} } },
  "modelscout.v1.WebhookService/Redeliver": { all: { summary: "Only the ids in the path", value: {} } },
  "modelscout.v1.InventoryService/EstimateHardware": {
    name: {
      summary: "A model by name on a card by name",
      value: { model_name: "Qwen/Qwen3-8B", quantization: "Q4_K_M", hardware: { gpu_name: "RTX 3060" } },
    },
    cache: {
      summary: "A long context with a cache of 8 bits",
      value: {
        model_name: "Qwen/Qwen3-8B",
        context_length: 32_768,
        cache_type: "q8_0",
        hardware: { class: "gpu-8gb" },
      },
    },
    figures: {
      summary: "A model and a machine by their figures",
      value: {
        parameters: 13e9,
        quantization: "Q5_K_M",
        context_length: 16_384,
        hardware: { memory_gb: 16, memory_bandwidth_gb_s: 448, system_memory_gb: 64 },
      },
    },
  },
  "modelscout.v1.InventoryService/PlanHardware": {
    speed: {
      summary: "Hardware that runs a model with a long context at 20 tokens a second, compared with today's card",
      value: {
        model_name: "Qwen/Qwen3-32B",
        context_length: 32_768,
        cache_type: "q8_0",
        min_tokens_per_second: 20,
        device: { gpu_name: "RTX 3060", system_memory_gb: 64 },
      },
    },
  },
};
