import { RecommendationService, RecommendResponseSchema } from "../../../../gen/modelscout/v1/recommendation_pb.ts";
import type { FieldViolation } from "../../../error.ts";
import { checkNeed, type NeedFields } from "../../../rpc/index.ts";
import type { CommandContext, ParsedArguments } from "../../command.ts";
import { exitCodes, UsageError } from "../../errors.ts";
import { callService, localServices } from "../../local-services.ts";
import { withInventory } from "../../resources.ts";
import { toRestJson } from "../../terminal/format.ts";
import { renderAnswer } from "./render-answer.ts";

/** What the API calls a field, the command line calls so. */
const optionOf: Readonly<Record<keyof NeedFields, string>> = {
  description: "NEED",
  task_type: "--task",
  max_size_gb: "--max-size-gb",
  hardware: "--hardware",
  license: "--license",
  top_k: "--top-k",
  languages: "--language",
  min_context_length: "--min-context",
  ignore: "--ignore",
};

/**
 * The need that the arguments of `recommend` tell.
 *
 * @throws UsageError with all faults, worded as the API words them.
 */
export function readNeed(args: ParsedArguments): NeedFields {
  const typed = {
    max_size_gb: args.value("max-size-gb"),
    top_k: args.value("top-k"),
    min_context_length: args.value("min-context"),
  };
  const fields: NeedFields = {
    description: args.positionals.join(" "),
    task_type: args.value("task"),
    hardware: args.value("hardware"),
    license: args.value("license"),
    languages: args.values("language").flatMap((codes) => codes.split(",")),
    ignore: args.values("ignore"),
    max_size_gb: readNumber(typed.max_size_gb),
    top_k: readNumber(typed.top_k),
    min_context_length: readNumber(typed.min_context_length),
  };
  const checked = checkNeed(fields);
  if ("need" in checked) {
    return fields;
  }
  throw new UsageError(
    "recommend",
    checked.violations.map((violation) => faultOf(violation, typed)),
  );
}

/** NaN for what is no number: the check that follows says what would be one. */
function readNumber(text: string | undefined): number | undefined {
  if (text === undefined) {
    return undefined;
  }
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text.trim()) ? Number(text) : Number.NaN;
}

function faultOf({ field, description }: FieldViolation, typed: Readonly<Record<string, string | undefined>>): string {
  const option = optionOf[field as keyof NeedFields] ?? field;
  const text = typed[field];
  // A number is told as it was typed: "five" rather than NaN.
  const told =
    text === undefined ? description : description.replace(/^is [^;]+;/, () => `is ${JSON.stringify(text)};`);
  return `${option}: ${told}`;
}

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
