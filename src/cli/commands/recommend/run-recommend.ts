import { type DescField, type MessageInitShape, ScalarType } from "@bufbuild/protobuf";
import {
  RecommendationService,
  RecommendRequestSchema,
  RecommendResponseSchema,
} from "../../../../gen/modelscout/v1/recommendation_pb.ts";
import type { FieldViolation } from "../../../error.ts";
import type { HardwareFields } from "../../../hardware/index.ts";
import type { ReadingOutcome } from "../../../recommend/index.ts";
import { checkNeed } from "../../../rpc/index.ts";
import type { CommandContext, ParsedArguments } from "../../command.ts";
import { exitCodes, UsageError } from "../../errors.ts";
import { callService, localServices } from "../../local-services.ts";
import { withInventory } from "../../resources.ts";
import { toRestJson } from "../../terminal/format.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { cleanText } from "../../terminal/text.ts";
import { optionFault, readHardwareOptions, readNumber } from "../fit/fit-options.ts";
import { detectHardware, overDetected } from "../fit/this-machine.ts";
import { renderAnswer } from "./render-answer.ts";

type RequestedNeed = MessageInitShape<typeof RecommendRequestSchema> & { description: string };

/** Options whose name differs from their field in the API. */
const optionOf: Readonly<Record<string, string>> = {
  task_type: "task",
  languages: "language",
  capabilities: "capability",
  min_context_length: "min-context",
};

/** The option of a field, such as `max-size-gb` of `max_size_gb`. */
function optionName({ name }: DescField): string {
  return optionOf[name] ?? name.replaceAll("_", "-");
}

/** Reads the need from the arguments of `recommend`. @throws UsageError with all faults, in the words of the API. */
export function requestedNeed(args: ParsedArguments, device: HardwareFields | undefined): RequestedNeed {
  const { description: _, device: __, ...fields } = RecommendRequestSchema.field;
  const values = Object.values(fields).map((field) => [field.localName, optionValue(field, args)]);
  const need: RequestedNeed = { description: args.positionals.join(" "), ...Object.fromEntries(values), device };
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
    return args.values(option).flatMap((text) => (option === "ignore" ? text : text.split(",")));
  }
  if (field.scalar === ScalarType.BOOL) {
    return args.has(option) || undefined;
  }
  return isNumber(field) ? readNumber(args.value(option)) : args.value(option);
}

function isNumber({ fieldKind, scalar }: DescField): boolean {
  return fieldKind === "scalar" && scalar !== ScalarType.STRING;
}

function faultOf({ field: name, description }: FieldViolation, args: ParsedArguments): string {
  if (name.startsWith("device")) {
    return optionFault({ field: name.replace("device", "hardware"), description }, args);
  }
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

/** Why the built-in reading of a need was taken, by the outcome of the language model's. */
const builtInReasons: Readonly<Partial<Record<ReadingOutcome, string>>> = {
  unsure: "The language model was not sure what is needed",
  invalid: "The language model's answer was not valid",
  timeout: "The language model did not answer in time (MODELSCOUT_LLM_TIMEOUT_MS)",
  error: "The language model could not be asked (MODELSCOUT_LLM_URL, MODELSCOUT_LLM_MODEL, MODELSCOUT_LLM_KEY)",
};

function noteBuiltIn(outcome: ReadingOutcome, terminal: Terminal): void {
  const reason = builtInReasons[outcome];
  if (reason !== undefined) {
    terminal.note(`${terminal.paintNote("yellow", "Warning:")} ${reason}; the need was read by the built-in rules`);
  }
}

/** Runs `modelscout recommend`. */
export async function runRecommend(context: CommandContext): Promise<number> {
  const { args, terminal } = context;
  // A machine is probed only for a need that is right otherwise.
  const given = readHardwareOptions(args);
  let need = requestedNeed(args, given ?? (args.has("detect") ? { cpuName: "this machine" } : undefined));
  const detected = args.has("detect") ? await detectHardware() : undefined;
  if (detected !== undefined) {
    need = requestedNeed(args, overDetected(detected, given));
    for (const line of [
      ...detected.found.map((text) => `Found: ${text}`),
      ...detected.assumed.map((text) => `Assumed: ${text}`),
    ]) {
      terminal.note(cleanText(line));
    }
  }
  const response = await withInventory(context, async ({ inventory }, config) => {
    const { openNeedReader } = await import("../../../app/index.ts");
    const readNeed = await openNeedReader(config, { onDone: (outcome) => noteBuiltIn(outcome, terminal) });
    const { recommend } = localServices(inventory, readNeed).recommendation;
    return callService(RecommendationService.method.recommend, recommend, need);
  });
  terminal.print(args.has("json") ? toRestJson(RecommendResponseSchema, response) : renderAnswer(response, terminal));
  return exitCodes.done;
}
