import {
  type HardwareOption,
  InventoryService,
  type PlanHardwareResponse,
  PlanHardwareResponseSchema,
} from "../../../../gen/modelscout/v1/inventory_pb.ts";
import { readPlan } from "../../../hardware/index.ts";
import { formatGb } from "../../../recommend/index.ts";
import type { CommandContext } from "../../command.ts";
import { exitCodes, UsageError } from "../../errors.ts";
import { callService, localServices } from "../../local-services.ts";
import { withInventory } from "../../resources.ts";
import { fitStyle, formatSpeed, toRestJson } from "../../terminal/format.ts";
import { type Column, renderTable } from "../../terminal/table.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { cleanText, wrapText } from "../../terminal/text.ts";
import { optionFault, readFitOptions, readNumber } from "./fit-options.ts";
import { detectHardware, overDetected } from "./this-machine.ts";

/** Runs `modelscout plan`. */
export async function runPlan(context: CommandContext): Promise<number> {
  const { args, terminal } = context;
  const { request, faults } = readFitOptions(args);
  const speed = {
    minTokensPerSecond: readNumber(args.value("min-tokens-per-second")),
    maxDevices: readNumber(args.value("max-devices")),
  };
  const read = readPlan({ ...request, ...speed });
  const violations = [...faults, ...("violations" in read ? read.violations : [])];
  if (violations.length > 0) {
    const named = violations.map(({ field, description }) => ({
      field: field.replace(/^device\./, "hardware."),
      description,
    }));
    throw new UsageError(
      "plan",
      named.map((violation) => optionFault(violation, args)),
    );
  }
  const detected = args.has("detect") ? await detectHardware() : undefined;
  for (const line of [
    ...(detected?.found ?? []).map((text) => `Found: ${text}`),
    ...(detected?.assumed ?? []).map((text) => `Assumed: ${text}`),
  ]) {
    terminal.note(cleanText(line));
  }
  const { hardware, model, variants, ...fields } = request;
  const device = detected === undefined ? hardware : overDetected(detected, hardware);
  const plan = await withInventory(context, ({ inventory }) => {
    const { planHardware } = localServices(inventory).inventory;
    return callService(InventoryService.method.planHardware, planHardware, { ...fields, ...speed, device });
  });
  terminal.print(
    args.has("json")
      ? toRestJson(PlanHardwareResponseSchema, plan)
      : renderPlan(request.modelName?.trim() ?? "", plan, terminal),
  );
  return exitCodes.done;
}

/** Renders a plan: today's device, the options, the classes, and the rules behind them. */
export function renderPlan(modelName: string, plan: PlanHardwareResponse, terminal: Terminal): string {
  const { today, options, classes, basis } = plan;
  return [
    terminal.paint("bold", cleanText(modelName)),
    ...(today === undefined ? [] : [section("Today", [today], terminal)]),
    ...(options.length === 0 ? [] : [section("Cheapest first", options, terminal)]),
    section("Classes of hardware", classes, terminal),
    basis.map((text) => terminal.paint("dim", wrapText(text, terminal.width, "- "))).join("\n"),
  ].join("\n\n");
}

function section(title: string, options: readonly HardwareOption[], terminal: Terminal): string {
  const isPriced = options.some(({ priceClass }) => priceClass !== undefined);
  const isTimed = options.some(({ estimate }) => estimate?.tokensPerSecond !== undefined);
  const columns: readonly Column[] = [
    { title: title, style: "bold" as const, shrinks: true },
    { title: "Memory", align: "right" as const },
    ...(isPriced ? [{ title: "At launch", align: "right" as const }] : []),
    { title: "As" },
    { title: "Needs", align: "right" as const },
    { title: "Fit", style: fitStyle },
    ...(isTimed ? [{ title: "Speed" }] : []),
  ];
  const rows = options.map((option) => {
    const { device, deviceCount, memoryGb, estimate, meetsSpeed } = option;
    const speed = estimate?.tokensPerSecond;
    return [
      deviceCount > 1 ? `${deviceCount} x ${device}` : device,
      deviceCount > 1 ? `${deviceCount} x ${formatGb(memoryGb)}` : formatGb(memoryGb),
      ...(isPriced ? [priceOf(option)] : []),
      estimate?.quantization ?? "",
      estimate === undefined ? "" : formatGb(estimate.memoryGb),
      estimate?.fit ?? "",
      ...(isTimed ? [speed === undefined ? "" : formatSpeed(speed) + (meetsSpeed === false ? ", too slow" : "")] : []),
    ];
  });
  return renderTable(columns, rows, terminal);
}

/** The launch price with its month, if it is known. */
function priceOf({ price }: HardwareOption): string {
  return price === undefined ? "" : `${price.amount.toLocaleString("en")} ${price.currency}, ${price.asOf}`;
}
