import { createHash } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import {
  InventoryService,
  ListFamiliesResponseSchema,
  ListTasksResponseSchema,
  type SearchModelsRequest,
} from "../../../gen/modelscout/v1/inventory_pb.ts";
import { type FieldViolation, invalidRequest, notFound } from "../../error.ts";
import {
  type Inventory,
  type ListOrder,
  listColumns,
  type ModelPage,
  type ModelQuery,
  taskTypeOf,
} from "../../inventory/index.ts";
import { didYouMean } from "../../text/index.ts";
import { type CheckedPage, checkModelPage, modelPageToken, type RowPageFields } from "../call/page.ts";
import type { Ready } from "../call/ready.ts";
import { valid, valueCheck, violationsOf } from "../call/value-check.ts";
import { checkNeed } from "../recommendation/need.ts";
import { checkComparison, compareModels } from "./compare-models.ts";
import { checkEstimate, checkPlan, estimateForRequest, planForRequest } from "./hardware-requests.ts";
import { entryMessage, summaryMessage } from "./model-messages.ts";

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

    async listFamilyModels({ family, ...fields }) {
      const { page } = valid(checkPage("family", family, fields));
      const found = await inventory.get().familyPage(family, page.size, page.after);
      if (found === undefined) {
        throw notFound("FAMILY_NOT_FOUND", family, await inventory.get().nearestFamilies(family));
      }
      return { family: family.toLowerCase(), ...pageMessage(page.scope, found) };
    },

    async listTaskModels({ task, ...fields }) {
      const { page } = valid(checkPage("task", task, fields));
      const found = await inventory.get().taskPage(task, page.size, page.after);
      if (found === undefined) {
        throw notFound("TASK_NOT_FOUND", task, await inventory.get().nearestTasks(task));
      }
      return { task: task.toLowerCase(), ...pageMessage(page.scope, found) };
    },

    async searchModels(request) {
      const { query, order, page } = valid(checkSearch(request));
      const { family, task } = query;
      if (family !== undefined && !(await inventory.get().hasFamily(family))) {
        throw notFound("FAMILY_NOT_FOUND", family, await inventory.get().nearestFamilies(family));
      }
      if (task !== undefined && !(await inventory.get().hasTask(task))) {
        throw notFound("TASK_NOT_FOUND", task, await inventory.get().nearestTasks(task));
      }
      return pageMessage(page.scope, await inventory.get().searchPage(query, order, page.size, page.after));
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

    compareModels: (request) => compareModels(inventory.get(), valid(checkComparison(request)), Date.now()),

    estimateHardware: (request) => estimateForRequest(inventory.get(), request),

    planHardware: (request) => planForRequest(inventory.get(), request),
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
    nextPageToken: modelPageToken(scope, page.next),
  };
}

const {
  listFamilyModels,
  listTaskModels,
  searchModels,
  compareModels: compare,
  estimateHardware,
  planHardware,
} = InventoryService.method;

/** The checks of InventoryService's requests in JSON, before the handler. */
export const inventoryChecks = [
  valueCheck(listFamilyModels, (request) => violationsOf(checkPage("family", request.family, request))),
  valueCheck(listTaskModels, (request) => violationsOf(checkPage("task", request.task, request))),
  valueCheck(searchModels, (request) => violationsOf(checkSearch(request))),
  valueCheck(compare, (request) => violationsOf(checkComparison(request))),
  valueCheck(estimateHardware, (request) => violationsOf(checkEstimate(request))),
  valueCheck(planHardware, (request) => violationsOf(checkPlan(request))),
];

/** The page of a family's or a task's models, or all violations. `field` names the list, and `name` is its value. */
function checkPage(
  field: "family" | "task",
  name: string,
  fields: Partial<RowPageFields>,
): ReturnType<typeof checkModelPage> {
  const missing = name.trim() === "" ? [{ field, description: "is required" }] : [];
  return checkModelPage(`${field}:${name.toLowerCase()}`, fields, missing);
}

/** A search for models, and the page that is asked for. */
interface CheckedSearch {
  query: ModelQuery;
  /** Absent: the best matching names first; if the search has no words, the most downloaded models first. */
  order: ListOrder | undefined;
  page: CheckedPage;
}

/** The search that a valid request asks for; else all violations at once. */
function checkSearch(request: SearchModelsRequest): CheckedSearch | { violations: FieldViolation[] } {
  const { q = "", family, task, orderBy, pageSize, pageToken, $typeName, $unknown, ...filterFields } = request;
  const order = orderBy === undefined || orderBy.trim() === "" ? undefined : readOrder(orderBy);
  const orderViolations = order !== undefined && "violations" in order ? order.violations : [];
  // The filters are the same as those of a need, so they are checked as a need with any description.
  const checked = checkNeed({ ...filterFields, description: "any" });
  const violations = [...("violations" in checked ? checked.violations : []), ...orderViolations];
  const words = q.split(/\s+/).filter(Boolean);
  const scope = createHash("sha256")
    .update(JSON.stringify([words, family, task, filterFields, order]))
    .digest("base64url");
  const result = checkModelPage(scope, { pageSize, pageToken }, violations);
  if ("violations" in result || "violations" in checked || (order !== undefined && "violations" in order)) {
    return "violations" in result ? result : { violations };
  }
  const { filter } = checked.need;
  return { query: { words, family: family || undefined, task: task || undefined, filter }, order, page: result.page };
}

/** Reads an `order_by` of AIP-132 with one field. */
function readOrder(text: string): ListOrder | { violations: FieldViolation[] } {
  const [by = "", direction = "asc", ...rest] = text.trim().split(/\s+/);
  const known = listColumns.find((column) => column === by);
  if (known !== undefined && rest.length === 0 && (direction === "asc" || direction === "desc")) {
    return { by: known, isDescending: direction === "desc" };
  }
  const shown = JSON.stringify(text.slice(0, 60));
  const description = `is ${shown}; must be one of ${listColumns.join(", ")}, followed by " desc" to list the largest first${didYouMean(by, listColumns)}`;
  return { violations: [{ field: "order_by", description }] };
}
