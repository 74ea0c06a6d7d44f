import type { DescField, DescMessage, DescOneof, JsonObject } from "@bufbuild/protobuf";
import { checkLimits } from "../check-limits.ts";
import type { Binding } from "../http-rule/binding.ts";
import { percentDecode } from "../http-rule/path-template.ts";
import { messageFields, nearestField } from "../validation/field-names.ts";
import { cutMiddle } from "../validation/field-violation.ts";
import type { FieldProblem } from "../validation/problems.ts";
import { elementType, type TextReader, textReader } from "../values/readers.ts";
import { Mismatch } from "../values/scalars.ts";
import { setJsonField } from "./json-fields.ts";

/** The field that a query parameter sets. */
export interface QueryField {
  /** From the request message down. */
  readonly fields: readonly DescField[];
  /** The path in proto names, which is the same for every spelling of a parameter. */
  readonly path: string;
  /** For a map: the key of the entry. */
  readonly entry: string | undefined;
  readonly read: TextReader;
}

/** Why a parameter sets no field. */
export type QueryFault = Omit<FieldProblem, "location" | "field">;

/** protobuf-es gives up at this depth of messages. */
const MAX_DEPTH = 90;
/** Parameter names that are cached. A message that contains itself has infinitely many. */
const MAX_REMEMBERED = 500;

/** Finds the fields of query parameters for one binding. */
export class QueryFields {
  readonly #message: DescMessage;
  readonly #bound: readonly string[];
  readonly #closed: boolean;
  readonly #finiteOnly: boolean;
  readonly #remembered = new Map<string, QueryField>();

  constructor(binding: Binding, finiteOnly: boolean) {
    this.#message = binding.method.input;
    this.#bound = binding.variables.map((variable) => variable.fieldPath);
    if (typeof binding.body === "object") {
      this.#bound = [...this.#bound, binding.body.name];
    }
    this.#closed = binding.body === "message";
    this.#finiteOnly = finiteOnly;
  }

  /** Finds a field by the name of a parameter: `leaf.name`, `leaf.childCount`, `labels[key]`. */
  find(name: string): QueryField | QueryFault {
    let found: QueryField | QueryFault | undefined = this.#remembered.get(name);
    if (found === undefined) {
      found = this.#resolve(name);
      if ("read" in found && found.entry === undefined && this.#remembered.size < MAX_REMEMBERED) {
        this.#remembered.set(name, found);
      }
    }
    return found;
  }

  #resolve(name: string): QueryField | QueryFault {
    const [, fieldName, entry] = /^([^[\]]*)\[(.+)\]$/s.exec(name) ?? [];
    const fields: DescField[] = [];
    let parent: DescMessage | undefined = this.#message;
    for (const step of (fieldName ?? name).split(".")) {
      const field: DescField | undefined = parent && messageFields(parent).get(step);
      if (field === undefined || fields.length >= MAX_DEPTH) {
        const nearest = parent && !this.#closed ? nearestField(parent, step) : undefined;
        return nearest === undefined ? { kind: "unknown" } : { kind: "unknown", nearest: this.#rename(name, nearest) };
      }
      fields.push(field);
      // Lists, maps and messages whose JSON form is a single value end a path.
      const open: boolean = field.fieldKind === "message" && textReader(elementType(field), false) === undefined;
      parent = open ? field.message : undefined;
    }
    const path = fields.map((field) => field.name).join(".");
    if (this.#closed || this.#bound.some((bound) => path === bound || path.startsWith(`${bound}.`))) {
      return { kind: "bound" };
    }
    return this.#bindable(fields, path, entry);
  }

  #bindable(fields: readonly DescField[], path: string, entry: string | undefined): QueryField | QueryFault {
    const field = fields.at(-1)!;
    const read = textReader(elementType(field), this.#finiteOnly);
    if ((field.fieldKind === "map") !== (entry !== undefined)) {
      return field.fieldKind === "map"
        ? { kind: "value", expected: `an entry as ${field.name}[key]=value` }
        : { kind: "unknown", nearest: path };
    }
    if (read === undefined) {
      const example = field.message?.fields[0]?.name;
      const expected =
        field.fieldKind === "message" && example !== undefined
          ? `a parameter for each field, such as ${path}.${example}`
          : "no value: the field cannot be set by a query parameter";
      return { kind: "value", expected };
    }
    return { fields, path: entry === undefined ? path : `${path}[${entry}]`, entry, read };
  }

  /** Replaces the last known step of a name. */
  #rename(name: string, nearest: string): string {
    const steps = name.split(".");
    let parent: DescMessage | undefined = this.#message;
    const index = steps.findIndex((step) => {
      const field: DescField | undefined = parent && messageFields(parent).get(step);
      parent = field?.message;
      return field === undefined;
    });
    return index < 0 ? nearest : steps.with(index, nearest).join(".");
  }
}

/** One parameter of a query string: a key and its value, or undefined for both if an escape is malformed. */
export interface QueryParameter {
  readonly key: string | undefined;
  readonly value: string | undefined;
  /** As sent. */
  readonly raw: string;
}

/** Splits a query string (without "?") at "&", decodes plus signs and percent escapes, and skips empty parts. */
export function* splitQuery(query: string): Generator<QueryParameter> {
  for (const raw of query.split("&")) {
    if (raw !== "") {
      const equals = raw.indexOf("=");
      yield {
        key: decode(equals < 0 ? raw : raw.slice(0, equals)),
        value: decode(equals < 0 ? "" : raw.slice(equals + 1)),
        raw,
      };
    }
  }
}

function decode(text: string): string | undefined {
  return percentDecode(text.replaceAll("+", " "));
}

/** Options of queryBinder(). */
export interface QueryBinderOptions {
  /** Whether parameters that name no field are ignored. */
  readonly ignoreUnknown: boolean;
  readonly finiteNumbersOnly: boolean;
}

/** Sets the fields of a request, in JSON form, from a query string without "?". Adds to `problems`. */
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
    for (const { key, value, raw } of splitQuery(query)) {
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

/** Records that a parameter sets a field. Returns why it must not: the field or its oneof is set already. */
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
