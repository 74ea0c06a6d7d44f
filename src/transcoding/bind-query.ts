import type { DescOneof, JsonObject } from "@bufbuild/protobuf";
import type { Binding } from "./binding.ts";
import { checkLimits } from "./check-limits.ts";
import { cutMiddle } from "./cut-text.ts";
import type { FieldProblem } from "./field-problem.ts";
import { Mismatch } from "./mismatch.ts";
import { type QueryField, QueryFields } from "./query-fields.ts";
import { queryParameters } from "./query-parameters.ts";
import { setJsonField } from "./set-json-field.ts";

/** Options of queryBinder(). */
export interface QueryBinderOptions {
  /** Whether parameters that name no field are ignored. */
  readonly ignoreUnknown: boolean;
  readonly finiteNumbersOnly: boolean;
}

/** Sets the fields of a request, in JSON form, from a query string without "?". Adds what is wrong to `problems`. */
export type QueryBinder = (query: string, request: JsonObject, problems: FieldProblem[]) => void;

/** Compiles the query binder of a binding. */
export function queryBinder(binding: Binding, options: QueryBinderOptions): QueryBinder {
  const queryFields = new QueryFields(binding, options.finiteNumbersOnly);
  const boundOneofs = new Map<string, string>();
  for (const { fields, fieldPath } of binding.variables) {
    const oneof = fields.at(-1)?.oneof;
    if (oneof !== undefined) {
      boundOneofs.set(oneofKey(fieldPath, oneof), fieldPath);
    }
  }

  return (query, request, problems) => {
    const seen = new Map<string, string>();
    const oneofs = new Map(boundOneofs);
    const maxProblems = problems.length + checkLimits.problemsNoted;
    for (const { key, value, raw } of queryParameters(query)) {
      if (problems.length >= maxProblems) {
        return;
      }
      const field = cutMiddle(key ?? raw, checkLimits.violationCharacters);
      const refuse = (problem: Omit<FieldProblem, "location" | "field">) => {
        problems.push({ location: "query", field, ...problem });
      };
      if (key === undefined || value === undefined) {
        refuse({ kind: "syntax", expected: "percent-encoded UTF-8" });
        continue;
      }
      const target = queryFields.find(key);
      if (!("read" in target)) {
        const ignored = options.ignoreUnknown && (target.kind === "unknown" || target.kind === "bound");
        if (!ignored) {
          refuse(target);
        }
        continue;
      }
      const conflict = findConflict(target, key, seen, oneofs);
      if (conflict !== undefined) {
        refuse(conflict);
        continue;
      }
      const json = target.read(value);
      if (json instanceof Mismatch) {
        const { expected, allowed } = json;
        refuse(allowed === undefined ? { kind: "value", expected } : { kind: "value", expected, allowed });
      } else {
        setJsonField(request, target.fields, json, target.entry);
      }
    }
  };
}

/** Notes that a parameter sets a field; returns what forbids it: the field, or another of its oneof, is set before. */
function findConflict(
  target: QueryField,
  key: string,
  seen: Map<string, string>,
  oneofs: Map<string, string>,
): Omit<FieldProblem, "location" | "field"> | undefined {
  const field = target.fields.at(-1)!;
  if (field.fieldKind === "list") {
    return undefined;
  }
  const before = seen.get(target.path);
  if (before !== undefined) {
    return before === key ? { kind: "duplicate" } : { kind: "duplicate", other: before };
  }
  seen.set(target.path, key);
  // A message in a oneof is chosen by setting any field inside it.
  let path = "";
  for (const step of target.fields) {
    path = path === "" ? step.name : `${path}.${step.name}`;
    if (step.oneof !== undefined) {
      const oneof = oneofKey(path, step.oneof);
      const other = oneofs.get(oneof);
      if (other !== undefined && other !== path) {
        return { kind: "conflict", other };
      }
      oneofs.set(oneof, path);
    }
  }
  return undefined;
}

function oneofKey(fieldPath: string, oneof: DescOneof): string {
  return `${fieldPath.slice(0, fieldPath.lastIndexOf(".") + 1)}${oneof.name}`;
}
