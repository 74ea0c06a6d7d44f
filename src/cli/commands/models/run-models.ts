import { create } from "@bufbuild/protobuf";
import {
  CompareModelsRequestSchema,
  CompareModelsResponseSchema,
  InventoryService,
  ListFamiliesResponseSchema,
  ListFamilyModelsResponseSchema,
  ListTaskModelsResponseSchema,
  ListTasksResponseSchema,
} from "../../../../gen/modelscout/v1/inventory_pb.ts";
import { ModelEntrySchema, type ModelSummary } from "../../../../gen/modelscout/v1/model_pb.ts";
import { checkComparison } from "../../../rpc/index.ts";
import type { CommandContext, ParsedArguments } from "../../command.ts";
import { exitCodes, UsageError } from "../../errors.ts";
import { callService, localServices } from "../../local-services.ts";
import { allPages, withInventory } from "../../resources.ts";
import { toRestJson } from "../../terminal/format.ts";
import { renderTable } from "../../terminal/table.ts";
import { optionFault, readHardwareOptions, readNumber } from "../fit/fit-options.ts";
import { renderComparison, renderEntry, renderModels } from "./render-models.ts";

const { method } = InventoryService;

/** Runs `modelscout models families`. */
export async function runFamilies(context: CommandContext): Promise<number> {
  const response = await withService(context, (service) => callService(method.listFamilies, service.listFamilies, {}));
  return print(context, toRestJson(ListFamiliesResponseSchema, response), () =>
    renderTable(
      [
        { title: "Family", style: "bold" },
        { title: "Models", align: "right" },
      ],
      response.families.map(({ family, count }) => [family, String(count)]),
      context.terminal,
    ),
  );
}

/** Runs `modelscout models tasks`. */
export async function runTasks(context: CommandContext): Promise<number> {
  const response = await withService(context, (service) => callService(method.listTasks, service.listTasks, {}));
  return print(context, toRestJson(ListTasksResponseSchema, response), () =>
    renderTable(
      [{ title: "Task", style: "bold" }, { title: "Type" }, { title: "Models", align: "right" }],
      response.tasks.map(({ task, taskType, count }) => [task, taskType, String(count)]),
      context.terminal,
    ),
  );
}

/** Runs `modelscout models family NAME`. */
export async function runFamily(context: CommandContext): Promise<number> {
  const family = nameOf(context.args);
  const limit = readLimit("models family", context.args);
  const response = await withService(context, (service) =>
    collectPages(limit, (page) => callService(method.listFamilyModels, service.listFamilyModels, { family, ...page })),
  );
  return print(context, toRestJson(ListFamilyModelsResponseSchema, response), () =>
    renderModels(response, context.terminal),
  );
}

/** Runs `modelscout models task NAME`. */
export async function runTask(context: CommandContext): Promise<number> {
  const task = nameOf(context.args);
  const limit = readLimit("models task", context.args);
  const response = await withService(context, (service) =>
    collectPages(limit, (page) => callService(method.listTaskModels, service.listTaskModels, { task, ...page })),
  );
  return print(context, toRestJson(ListTaskModelsResponseSchema, response), () =>
    renderModels(response, context.terminal),
  );
}

/** Runs `modelscout models show NAME`. */
export async function runShow(context: CommandContext): Promise<number> {
  const modelName = nameOf(context.args);
  const entry = await withService(context, (service) => callService(method.getModel, service.getModel, { modelName }));
  return print(context, toRestJson(ModelEntrySchema, entry), () => renderEntry(entry, context.terminal));
}

/** Runs `modelscout models compare NAMES`. */
export async function runCompare(context: CommandContext): Promise<number> {
  const { args } = context;
  const request = create(CompareModelsRequestSchema, {
    names: [...args.positionals],
    device: readHardwareOptions(args),
    contextLength: readNumber(args.value("context")),
  });
  const checked = checkComparison(request);
  if ("violations" in checked) {
    const faults = checked.violations.map(({ field, description }) => {
      const option = field.replace(/^device\./, "hardware.").replace(/^names/, "NAMES");
      return optionFault({ field: option, description: description.replace("hardware or device", "hardware") }, args);
    });
    throw new UsageError("models compare", faults);
  }
  const comparison = await withService(context, (service) =>
    callService(method.compareModels, service.compareModels, request),
  );
  return print(context, toRestJson(CompareModelsResponseSchema, comparison), () =>
    renderComparison(comparison, context.terminal),
  );
}

type Service = ReturnType<typeof localServices>["inventory"];

function withService<T>(context: CommandContext, use: (service: Service) => Promise<T>): Promise<T> {
  return withInventory(context, ({ inventory }) => use(localServices(inventory).inventory));
}

function print({ args, terminal }: CommandContext, json: string, text: () => string): number {
  terminal.print(args.has("json") ? json : text());
  return exitCodes.done;
}

function nameOf({ positionals }: ParsedArguments): string {
  return positionals[0] ?? "";
}

const DEFAULT_LIMIT = 50;

function readLimit(command: string, args: ParsedArguments): number {
  const text = args.value("limit");
  if (text === undefined) {
    return DEFAULT_LIMIT;
  }
  if (/^\d{1,9}$/.test(text) && Number(text) > 0) {
    return Number(text);
  }
  throw new UsageError(command, [`--limit: is ${JSON.stringify(text)}; must be a whole number, at least 1`]);
}

/** Reads pages until there are `limit` models; returns the last page with the models of all pages. */
async function collectPages<Page extends { models: ModelSummary[]; nextPageToken: string }>(
  limit: number,
  readPage: (page: { pageSize: number; pageToken: string }) => Promise<Page>,
): Promise<Page> {
  let last: Page | undefined;
  const { items: models } = await allPages<ModelSummary, string>(async ({ size: pageSize, after: pageToken = "" }) => {
    last = await readPage({ pageSize, pageToken });
    return { items: last.models, next: last.nextPageToken || undefined };
  }, limit);
  return { ...(last as Page), models };
}
