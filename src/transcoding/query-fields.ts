import type { DescField, DescMessage } from "@bufbuild/protobuf";
import type { Binding } from "./binding.ts";
import { elementType } from "./element-type.ts";
import type { FieldProblem } from "./field-problem.ts";
import { messageFields } from "./message-fields.ts";
import { nearestField } from "./nearest-field.ts";
import { type TextReader, textReader } from "./text-reader.ts";

/** The field that a query parameter sets. */
export interface QueryField {
  /** From the request message down. */
  readonly fields: readonly DescField[];
  /** Path of proto names: the same for every spelling of a parameter. */
  readonly path: string;
  /** For a map: the key of the entry. */
  readonly entry: string | undefined;
  readonly read: TextReader;
}

/** Why a parameter sets no field. */
export type QueryRefusal = Omit<FieldProblem, "location" | "field">;

/** protobuf-es gives up at this depth of messages. */
const MAX_DEPTH = 90;
/** Parameter names that are remembered. There are endlessly many in messages that contain themselves. */
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
  find(name: string): QueryField | QueryRefusal {
    let found: QueryField | QueryRefusal | undefined = this.#remembered.get(name);
    if (found === undefined) {
      found = this.#resolve(name);
      if ("read" in found && found.entry === undefined && this.#remembered.size < MAX_REMEMBERED) {
        this.#remembered.set(name, found);
      }
    }
    return found;
  }

  #resolve(name: string): QueryField | QueryRefusal {
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
      // Lists and maps end a path, and so do messages that are written as a single value.
      const open: boolean = field.fieldKind === "message" && textReader(elementType(field), false) === undefined;
      parent = open ? field.message : undefined;
    }
    const path = fields.map((field) => field.name).join(".");
    if (this.#closed || this.#bound.some((bound) => path === bound || path.startsWith(`${bound}.`))) {
      return { kind: "bound" };
    }
    return this.#bindable(fields, path, entry);
  }

  #bindable(fields: readonly DescField[], path: string, entry: string | undefined): QueryField | QueryRefusal {
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

  /** The whole name with its last known step replaced. */
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
