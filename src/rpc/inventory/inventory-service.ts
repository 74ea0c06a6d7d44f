import { create } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import {
  type EstimateHardwareRequest,
  InventoryService,
  ListFamiliesResponseSchema,
  ListTasksResponseSchema,
} from "../../../gen/modelscout/v1/inventory_pb.ts";
import { type FieldViolation, invalidRequest, notFound } from "../../error.ts";
import { type Estimate, type EstimateRequest, type EstimateResult, estimateRequest } from "../../hardware/index.ts";
import {
  type Inventory,
  type Model,
  type ModelPage,
  modelFigures,
  type PagePosition,
  taskTypeOf,
  variantsToRun,
} from "../../inventory/index.ts";
import { pageSizeOf, pageSizeViolations } from "../call/page.ts";
import type { Ready } from "../call/ready.ts";
import { valueCheck, violationsOf } from "../call/value-check.ts";
import { entryMessage, estimateMessage, summaryMessage } from "./model-messages.ts";

/** Answers InventoryService: checks messages, calls the domain and forms the answers. */
export function inventoryService(inventory: Pick<Ready<Inventory>, "get">): ServiceImpl<typeof InventoryService> {
  return {
    async listFamilies() {
      const { families } = await inventory.get().facetCounts();
      const rows = [...families].map(([family, count]) => ({ family, count })).sort(byCount((row) => row.family));
      return create(ListFamiliesResponseSchema, { total: rows.length, families: rows });
    },

    async listTasks() {
      const { labels, types } = await inventory.get().facetCounts();
      const rows = [...labels].map(([task, count]) => ({ task, taskType: taskTypeOf(task) as string, count }));
      const code = types.get("code");
      if (code !== undefined) {
        rows.push({ task: "text-generation", taskType: "code", count: code });
      }
      rows.sort(byCount((row) => `${row.task} ${row.taskType}`));
      return create(ListTasksResponseSchema, { total: rows.length, tasks: rows });
    },

    async listFamilyModels({ family, pageSize, pageToken }) {
      const page = pageOf({ field: "family", name: family, pageSize, pageToken });
      const found = await inventory.get().familyPage(family, page.size, page.after);
      if (found === undefined) {
        throw notFound("FAMILY_NOT_FOUND", family, await inventory.get().nearestFamilies(family));
      }
      return { family: family.toLowerCase(), ...pageMessage(page.scope, found) };
    },

    async listTaskModels({ task, pageSize, pageToken }) {
      const page = pageOf({ field: "task", name: task, pageSize, pageToken });
      const found = await inventory.get().taskPage(task, page.size, page.after);
      if (found === undefined) {
        throw notFound("TASK_NOT_FOUND", task, await inventory.get().nearestTasks(task));
      }
      return { task: task.toLowerCase(), ...pageMessage(page.scope, found) };
    },

    async getModel({ modelName }) {
      if (modelName.trim() === "") {
        throw invalidRequest([{ field: "model_name", description: "is required: owner/model" }]);
      }
      const model = await inventory.get().getWithRepackagings(modelName);
      if (model === undefined) {
        throw notFound("MODEL_NOT_FOUND", modelName, await inventory.get().nearestModels(modelName));
      }
      return entryMessage(model, Date.now());
    },

    async estimateHardware(request: EstimateHardwareRequest) {
      const { hardware, estimate } = await estimateForRequest(inventory.get(), request);
      return estimateMessage(hardware, estimate);
    },
  };
}

/** Sorts by count, the largest first, and equal counts by name. */
function byCount<T extends { count: number }>(name: (row: T) => string): (a: T, b: T) => number {
  return (a, b) => b.count - a.count || (name(a) < name(b) ? -1 : 1);
}

function pageMessage(scope: string, page: ModelPage) {
  return {
    total: page.total,
    models: page.models.map((model) => summaryMessage(model)),
    nextPageToken: page.next === undefined ? "" : writePageToken(scope, page.next),
  };
}

const { listFamilyModels, listTaskModels, estimateHardware } = InventoryService.method;

/** The checks of InventoryService's requests in JSON, before the handler. */
export const inventoryChecks = [
  valueCheck(listFamilyModels, (request) =>
    violationsOf(checkPage({ field: "family", name: request.family, ...request })),
  ),
  valueCheck(listTaskModels, (request) => violationsOf(checkPage({ field: "task", name: request.task, ...request }))),
  valueCheck(estimateHardware, (request) => violationsOf(checkEstimate(request))),
];

/** Facts of the model that the request does not have. */
type KnownModel = Pick<EstimateRequest, "model" | "variants">;

/** Estimates for a right request; else all violations at once, by the contract's names of the fields. */
function checkEstimate(request: EstimateHardwareRequest, known: KnownModel = {}): EstimateResult {
  const fields = fieldsOf(request);
  const modelName = fields.modelName?.trim() || undefined;
  const result = estimateRequest({ ...fields, ...known, modelName });
  if (modelName !== undefined || fields.parameters !== undefined) {
    return result;
  }
  const missing: FieldViolation = {
    field: "model_name",
    description: "is required where parameters is absent: owner/model",
  };
  return { violations: [missing, ...("violations" in result ? result.violations : [])] };
}

/**
 * Estimates how a model runs, by name, by figures or both.
 *
 * @throws ServiceError INVALID_REQUEST for invalid fields, or if the model's size is unknown and not given;
 * MODEL_NOT_FOUND if the name is not known and no figures are given.
 */
async function estimateForRequest(
  inventory: Inventory,
  request: EstimateHardwareRequest,
): Promise<{ hardware: string; estimate: Estimate }> {
  const name = request.modelName?.trim() ?? "";
  const model = name === "" ? undefined : await inventory.find(name);
  const known = model && { model: modelFigures(model), variants: variantsToRun(model) };
  const result = checkEstimate(request, known);
  if ("violations" in result) {
    throw invalidRequest(result.violations);
  }
  if ("unknownModel" in result) {
    throw model === undefined
      ? notFound("MODEL_NOT_FOUND", name, await inventory.nearestModels(name))
      : invalidRequest([sizeMissing(model)]);
  }
  return result;
}

/** What a request lacks for a model of the inventory whose size is unknown. */
export function sizeMissing({ name }: Pick<Model, "name">): FieldViolation {
  return { field: "parameters", description: `is required: the inventory does not know how large ${name} is` };
}

/** The fields of the contract alone: messages have others, which would count as sent. */
function fieldsOf(request: EstimateHardwareRequest): Omit<EstimateRequest, "model" | "variants"> {
  const { modelName, parameters, activeParameters, quantization, engine, contextLength, promptTokens } = request;
  const { hardware } = request;
  return {
    modelName,
    parameters,
    activeParameters,
    quantization,
    engine,
    contextLength,
    promptTokens,
    hardware: hardware && {
      class: hardware.class,
      gpuName: hardware.gpuName,
      gpuCount: hardware.gpuCount,
      cpuName: hardware.cpuName,
      memoryGb: hardware.memoryGb,
      memoryBandwidthGbS: hardware.memoryBandwidthGbS,
      systemMemoryGb: hardware.systemMemoryGb,
    },
  };
}

/** A position in a list as an opaque token. It holds for the list of `scope` only. */
export function writePageToken(scope: string, position: PagePosition): string {
  return Buffer.from(JSON.stringify([scope, position.downloads, position.key])).toString("base64url");
}

/** The position in a token; undefined if the token is not of this list. */
export function readPageToken(scope: string, token: string): PagePosition | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(token, "base64url").toString("utf8"));
    if (!Array.isArray(value) || value[0] !== scope) {
      return undefined;
    }
    const [, downloads, key] = value;
    if (Number.isSafeInteger(downloads) && downloads >= 0 && typeof key === "string") {
      return { downloads, key };
    }
  } catch {
    // Not one of ours, as any other text.
  }
  return undefined;
}

/** A request for a page of a list of models. Absent fields are undefined. */
export interface PageFields {
  /** The field that names the list. */
  field: "family" | "task";
  /** Its value. */
  name: string;
  pageSize?: number;
  pageToken?: string;
}

/** A page to be read. */
export interface CheckedPage {
  /** The list; a page token holds for one list only. */
  scope: string;
  size: number;
  /** The page begins after it. */
  after: PagePosition | undefined;
}

/** The page that is asked for. @throws ServiceError INVALID_REQUEST with all violations at once. */
export function pageOf(fields: PageFields): CheckedPage {
  const result = checkPage(fields);
  if ("violations" in result) {
    throw invalidRequest(result.violations);
  }
  return result.page;
}

/** As pageOf, with the violations as a value. */
export function checkPage({
  field,
  name,
  pageSize,
  pageToken,
}: PageFields): { page: CheckedPage } | { violations: FieldViolation[] } {
  const violations: FieldViolation[] = [];
  if (name.trim() === "") {
    violations.push({ field, description: "is required" });
  }
  violations.push(...pageSizeViolations(pageSize));
  const scope = `${field}:${name.toLowerCase()}`;
  const hasToken = pageToken !== undefined && pageToken !== "";
  const after = hasToken ? readPageToken(scope, pageToken) : undefined;
  if (hasToken && after === undefined) {
    violations.push({ field: "page_token", description: "is not a next_page_token of this list" });
  }
  return violations.length > 0 ? { violations } : { page: { scope, size: pageSizeOf(pageSize), after } };
}
