import type { Need } from "../src/recommend/need.ts";
import { validateNeed } from "../src/rpc/recommendation/need.ts";
import type { BenchNeed } from "./needs.ts";

/** A need as the product's own parts take it. */
export function domainNeed(need: BenchNeed): Need {
  return validateNeed({
    description: need.description,
    task_type: need.taskType,
    max_size_gb: need.maxSizeGb,
    hardware: need.hardware,
    license: need.license,
    top_k: need.topK,
    languages: need.languages,
    min_context_length: need.minContextLength,
  });
}
