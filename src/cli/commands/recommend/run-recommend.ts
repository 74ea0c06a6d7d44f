import { type DescField, type MessageInitShape, ScalarType } from "@bufbuild/protobuf";
import {
  RecommendationService,
  RecommendRequestSchema,
  RecommendResponseSchema,
} from "../../../../gen/modelscout/v1/recommendation_pb.ts";
import type { FieldViolation } from "../../../error.ts";
import { checkNeed } from "../../../rpc/index.ts";
import type { CommandContext, ParsedArguments } from "../../command.ts";
import { exitCodes, UsageError } from "../../errors.ts";
import { callService, localServices } from "../../local-services.ts";
import { withInventory } from "../../resources.ts";
import { toRestJson } from "../../terminal/format.ts";
import { renderAnswer } from "./render-answer.ts";

type RequestedNeed = MessageInitShape<typeof RecommendRequestSchema> & { description: string };

/** Options whose name differs from their field in the API. */
const optionOf: Readonly<Record<string, string>> = {
  task_type: "task",
  languages: "language",
  min_context_length: "min-context",
};

/** The option of a field, such as `max-size-gb` of `max_size_gb`. */
function optionName({ name }: DescField): string {
  return optionOf[name] ?? name.replaceAll("_", "-");
}

/** Reads the need from the arguments of `recommend`. @throws UsageError with all faults, in the words of the API. */
export function requestedNeed(args: ParsedArguments): RequestedNeed {
  const { description: _, ...fields } = RecommendRequestSchema.field;
  const values = Object.values(fields).map((field) => [field.localName, optionValue(field, args)]);
  const need: RequestedNeed = { description: args.positionals.join(" "), ...Object.fromEntries(values) };
  const checked = checkNeed(need);
  if ("need" in checked) {
    return need;
  }
  throw new UsageError(
    "recommend",
    checked.violations.map((violation) => faultOf(violation, args)),
  );
}

function optionValue(field: DescField, args: ParsedArguments): unknown {
  const option = optionName(field);
  if (field.fieldKind === "list") {
    // `--language en,de` means the same as `--language en --language de`.
    return args.values(option).flatMap((text) => (option === "language" ? text.split(",") : text));
  }
  return isNumber(field) ? readNumber(args.value(option)) : args.value(option);
}

function isNumber({ fieldKind, scalar }: DescField): boolean {
  return fieldKind === "scalar" && scalar !== ScalarType.STRING;
}

/** Reads a number; NaN for other text, which the next check refuses. */
function readNumber(text: string | undefined): number | undefined {
  if (text === undefined) {
    return undefined;
  }
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text.trim()) ? Number(text) : Number.NaN;
}

function faultOf({ field: name, description }: FieldViolation, args: ParsedArguments): string {
  const field = RecommendRequestSchema.fields.find((each) => name.split("[")[0] === each.name);
  if (field === undefined || field === RecommendRequestSchema.field.description) {
    return `NEED: ${description}`;
  }
  const option = optionName(field);
  const text = isNumber(field) ? args.value(option) : undefined;
  // A number is repeated as it was typed: "five", not NaN.
  const typed = text && description.replace(/^is [^;]+;/, () => `is ${JSON.stringify(text)};`);
  return `--${option}: ${typed ?? description}`;
}

/** Runs `modelscout recommend`. */
export async function runRecommend(context: CommandContext): Promise<number> {
  const { args, terminal } = context;
  const need = requestedNeed(args);
  const response = await withInventory(context, ({ inventory }) =>
    callService(RecommendationService.method.recommend, localServices(inventory).recommendation.recommend, need),
  );
  terminal.print(args.has("json") ? toRestJson(RecommendResponseSchema, response) : renderAnswer(response, terminal));
  return exitCodes.done;
}
