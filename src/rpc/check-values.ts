import type { JsonObject } from "@bufbuild/protobuf";
import { InventoryService } from "../../gen/modelscout/v1/inventory_pb.ts";
import { RecommendationService } from "../../gen/modelscout/v1/recommendation_pb.ts";
import type { FieldViolation } from "../error.ts";
import type { CheckValues } from "../transcoding/index.ts";
import { checkPage } from "./check-page.ts";
import { checkNeed, type NeedFields } from "./validate-need.ts";

/**
 * Finds bad values in a JSON request before its handler runs, so that they are told together with unknown fields and
 * wrong types, under the names that the caller used. The handlers check the same for every protocol.
 */
export const checkValues: CheckValues = (method, json, sent) => {
  const fields = fieldReader(json);
  switch (method) {
    case RecommendationService.method.recommend:
      return needViolations(fields, "description", sent);
    case RecommendationService.method.quickRecommend:
      return needViolations(fields, "q", sent);
    case InventoryService.method.listFamilyModels:
    case InventoryService.method.listTaskModels:
      return checkPage(fields.number("page_size"), nameAsSent(sent));
    default:
      return [];
  }
};

function needViolations(fields: FieldReader, descriptionName: string, sent: ReadonlySet<string>): FieldViolation[] {
  const name = nameAsSent(sent);
  const need: NeedFields = {
    description: fields.text(descriptionName) ?? (fields.has(descriptionName) ? "of another type" : ""),
    task_type: fields.text("task_type"),
    max_size_gb: fields.number("max_size_gb"),
    hardware: fields.text("hardware"),
    license: fields.text("license"),
    top_k: fields.number("top_k"),
    languages: fields.texts("languages"),
    min_context_length: fields.number("min_context_length"),
    ignore: fields.texts("ignore"),
  };
  const checked = checkNeed(need, (field) => name(field === "description" ? descriptionName : field));
  return "violations" in checked ? checked.violations : [];
}

/** The spelling of a field that the caller used; its own name where the caller did not send it. */
function nameAsSent(sent: ReadonlySet<string>): (field: string) => string {
  return (field) => (!sent.has(field) && sent.has(camelCase(field)) ? camelCase(field) : field);
}

interface FieldReader {
  has(name: string): boolean;
  text(name: string): string | undefined;
  number(name: string): number | undefined;
  texts(name: string): string[] | undefined;
}

/** Reads fields in either spelling; a value of another type counts as absent, since that is told already. */
function fieldReader(json: JsonObject): FieldReader {
  const value = (name: string) =>
    (Object.hasOwn(json, name) ? json[name] : undefined) ??
    (Object.hasOwn(json, camelCase(name)) ? json[camelCase(name)] : undefined);
  return {
    has: (name) => value(name) !== undefined,
    text: (name) => {
      const found = value(name);
      return typeof found === "string" ? found : undefined;
    },
    number: (name) => {
      const found = value(name);
      // ProtoJSON allows numbers in strings, as query parameters are.
      const number = typeof found === "string" && found.trim() !== "" ? Number(found) : found;
      return typeof number === "number" && !Number.isNaN(number) ? number : undefined;
    },
    texts: (name) => {
      const found = value(name);
      return Array.isArray(found) ? found.filter((item) => typeof item === "string") : undefined;
    },
  };
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
