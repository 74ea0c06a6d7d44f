import { RecommendationService, RecommendResponseSchema } from "../../gen/modelscout/v1/recommendation_pb.ts";
import { callService } from "./call-service.ts";
import type { CommandContext } from "./command.ts";
import { exitCodes } from "./exit-codes.ts";
import { localServices } from "./local-services.ts";
import { readNeed } from "./need-options.ts";
import { renderAnswer } from "./render-answer.ts";
import { toRestJson } from "./to-rest-json.ts";
import { withInventory } from "./with-inventory.ts";

/** Does `modelscout recommend`. */
export async function runRecommend(context: CommandContext): Promise<number> {
  const { args, terminal } = context;
  const need = readNeed(args);
  const response = await withInventory(context, (inventory) =>
    callService(RecommendationService.method.recommend, localServices(inventory).recommendation.recommend, {
      description: need.description,
      taskType: need.task_type,
      maxSizeGb: need.max_size_gb,
      hardware: need.hardware,
      license: need.license,
      topK: need.top_k,
      languages: [...(need.languages ?? [])],
      minContextLength: need.min_context_length,
      ignore: [...(need.ignore ?? [])],
    }),
  );
  terminal.print(args.has("json") ? toRestJson(RecommendResponseSchema, response) : renderAnswer(response, terminal));
  return exitCodes.done;
}
