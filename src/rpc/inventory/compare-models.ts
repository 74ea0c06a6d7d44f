import { create } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import {
  type ComparedBoard,
  ComparedBoardSchema,
  type ComparedEstimate,
  type CompareModelsRequest,
  type CompareModelsResponse,
  CompareModelsResponseSchema,
  type ModelDifference,
} from "../../../gen/modelscout/v1/inventory_pb.ts";
import type { Evaluation, ModelEntry } from "../../../gen/modelscout/v1/model_pb.ts";
import { type FieldViolation, namesNotFound } from "../../error.ts";
import { type Device, estimateOf, hardwareClasses, isHardwareClass, readRequest } from "../../hardware/index.ts";
import { type Inventory, type Model, modelFigures, variantsToRun } from "../../inventory/index.ts";
import { didYouMean } from "../../text/index.ts";
import { entryMessage, estimateMessage, hardwareFields } from "./model-messages.ts";

/** The least and the most models of a comparison. */
export const comparedModels = { least: 2, most: 8 } as const;

/** What a comparison asks for. */
export interface Comparison {
  names: readonly string[];
  /** Where the models would run; absent if the request has no hardware. */
  device?: Device;
  contextLength?: number;
}

/** The comparison that a valid request asks for; else all violations at once. */
export function checkComparison(request: CompareModelsRequest): Comparison | { violations: FieldViolation[] } {
  const { contextLength } = request;
  const names = request.names.map((name) => name.trim());
  const violations = checkNames(names);
  const className = request.hardware?.trim() || undefined;
  if (className !== undefined && !isHardwareClass(className)) {
    const classes = Object.keys(hardwareClasses);
    const description = `is ${JSON.stringify(className)}; must be one of ${classes.join(", ")}${didYouMean(className, classes)}`;
    violations.push({ field: "hardware", description });
  }
  if (className !== undefined && request.device !== undefined) {
    violations.push({ field: "hardware", description: "cannot be combined with device; leave out one of them" });
  }
  const isPlaced = className !== undefined || request.device !== undefined;
  if (contextLength !== undefined && !isPlaced) {
    violations.push({
      field: "context_length",
      description: "needs hardware or device, because it changes only estimates",
    });
  }
  const read = readRequest({ hardware: hardwareFields(request.device), contextLength }, "device");
  if ("violations" in read) {
    return { violations: [...violations, ...read.violations] };
  }
  if (violations.length > 0) {
    return { violations };
  }
  const device = className !== undefined && isHardwareClass(className) ? hardwareClasses[className] : read.device;
  return { names, ...(isPlaced && { device }), contextLength };
}

function checkNames(names: readonly string[]): FieldViolation[] {
  const { least, most } = comparedModels;
  const violations: FieldViolation[] = [];
  if (names.length < least || names.length > most) {
    const entries = `${names.length} ${names.length === 1 ? "entry" : "entries"}`;
    const description = `has ${entries}; must have ${least} to ${most} names, each as owner/model`;
    violations.push({ field: "names", description });
  }
  const keys = names.map((name) => name.toLowerCase());
  for (const [at, key] of keys.entries()) {
    const first = keys.indexOf(key);
    if (key === "") {
      violations.push({ field: `names[${at}]`, description: "is empty; must be owner/model" });
    } else if (first < at) {
      const description = `is the same model as names[${first}]; name each model once`;
      violations.push({ field: `names[${at}]`, description });
    }
  }
  return violations;
}

/** Compares models. `now` in milliseconds since 1970. @throws ServiceError MODEL_NOT_FOUND that lists every missing name */
export async function compareModels(
  inventory: Pick<Inventory, "getWithRepackagings" | "nearestModels">,
  { names, device, contextLength }: Comparison,
  now: number,
): Promise<CompareModelsResponse> {
  const found = await Promise.all(names.map((name) => inventory.getWithRepackagings(name)));
  const missing = names.flatMap((name, at) => (found[at] === undefined ? [{ field: `names[${at}]`, name }] : []));
  const [first, ...others] = await Promise.all(
    missing.map(async (each) => ({ ...each, nearest: await inventory.nearestModels(each.name) })),
  );
  if (first !== undefined) {
    throw namesNotFound("MODEL_NOT_FOUND", [first, ...others]);
  }
  const models = found as Model[];
  const entries = models.map((model) => entryMessage(model, now));
  return create(CompareModelsResponseSchema, {
    models: entries,
    differences: differencesOf(entries),
    boards: boardsOf(entries),
    estimates: device === undefined ? [] : models.map((model) => estimateOn(device, model, contextLength)),
  });
}

function estimateOn(device: Device, model: Model, contextLength: number | undefined): ComparedEstimate {
  const options = { contextLength, withBasis: true };
  const estimate = estimateOf({ variants: variantsToRun(model) }, modelFigures(model), device, options);
  return {
    $typeName: "modelscout.v1.ComparedEstimate",
    modelName: model.name,
    estimate: estimate && estimateMessage(device.name, estimate),
  };
}

type Value = string | number | boolean | readonly string[] | undefined;

/** The compared facts, in the order of an answer, without texts that always differ, such as descriptions. */
const comparedFacts: Readonly<Record<string, (entry: ModelEntry) => Value>> = {
  family: ({ family }) => family,
  series: ({ series }) => series,
  task_types: ({ taskTypes }) => taskTypes,
  parameters: ({ parameters }) => parameters,
  active_parameters: ({ activeParameters }) => activeParameters,
  size_gb: ({ sizeGb }) => sizeGb,
  context_length: ({ contextLength }) => contextLength,
  languages: ({ languages }) => languages,
  capabilities: ({ capabilities }) => capabilities,
  license: ({ license }) => license,
  "license_terms.class": ({ licenseTerms }) => licenseTerms?.class,
  "license_terms.commercial_use": ({ licenseTerms }) => licenseTerms?.commercialUse,
  gated: ({ gated }) => gated,
  released_at: ({ releasedAt }) => releasedAt,
  updated_at: ({ updatedAt }) => updatedAt && timestampDate(updatedAt).toISOString(),
  downloads: ({ downloads }) => downloads,
  likes: ({ likes }) => likes,
  library: ({ library }) => library,
  base_model: ({ baseModel }) => baseModel,
  variants: ({ variants }) => [...new Set(variants.map(({ quantization }) => quantization))],
  source: ({ source }) => source,
};

function differencesOf(entries: readonly ModelEntry[]): ModelDifference[] {
  return Object.entries(comparedFacts).flatMap(([field, read]) => {
    const all = entries.map(read);
    // Sources list the same languages or capabilities in different orders.
    const distinct = new Set(all.map((value) => inText(typeof value === "object" ? [...value].sort() : value)));
    const values = all.map(inText);
    return distinct.size === 1 ? [] : [{ $typeName: "modelscout.v1.ModelDifference", field, values }];
  });
}

function inText(value: Value): string {
  return typeof value === "object" ? value.join(", ") : String(value ?? "");
}

/** The boards with figures of at least two models, in the order in which entries list them. */
function boardsOf(entries: readonly ModelEntry[]): ComparedBoard[] {
  const ids = new Set(entries.flatMap(({ evaluations }) => evaluations.map(({ board }) => board)));
  return [...ids].flatMap((id) => {
    const figures = entries.map(({ evaluations }) => evaluations.find(({ board }) => board === id));
    const known = figures.filter((figure) => figure !== undefined);
    const [facts] = known;
    if (facts === undefined || known.length < 2) {
      return [];
    }
    const { boardName: name, metric, higherIsBetter } = facts;
    const best = bestValue(known);
    return [
      create(ComparedBoardSchema, {
        id,
        name,
        metric,
        higherIsBetter,
        figures: figures.map((figure) => ({
          value: figure?.value,
          place: figure?.place,
          best: figure !== undefined && figure.evidence !== "claimed" && figure.value === best,
          evidence: figure?.evidence ?? "",
        })),
      }),
    ];
  });
}

/** The best value, without values that only the authors claim; undefined if fewer than two values are left. */
function bestValue(figures: readonly Evaluation[]): number | undefined {
  const values = figures.filter(({ evidence }) => evidence !== "claimed").map(({ value }) => value);
  if (values.length < 2) {
    return undefined;
  }
  return figures[0]?.higherIsBetter ? Math.max(...values) : Math.min(...values);
}
