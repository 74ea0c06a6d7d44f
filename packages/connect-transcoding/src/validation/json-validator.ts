import { type DescField, type DescMessage, type DescOneof, type JsonValue, ScalarType } from "@bufbuild/protobuf";
import { checkLimits } from "../check-limits.ts";
import { type ElementType, elementType, type JsonReader, jsonReader } from "../values/readers.ts";
import { enumReader, integerReader, Mismatch } from "../values/scalars.ts";
import { messageFields, nearestField } from "./field-names.ts";
import { type FieldProblem, ProblemLog } from "./problems.ts";

/** protobuf-es counts each level of a Value twice, and gives up at 100. */
const MAX_FREE_DEPTH = 90;
const FREE_TOO_DEEP = new Mismatch(`at most ${MAX_FREE_DEPTH} levels`);
const FINITE = new Mismatch("a finite number");

/**
 * Checks JSON of any shape, as google.protobuf.Value takes it, and converts its bigints to numbers in place. Returns
 * undefined if it is too deep or has a number beyond the range of a double.
 */
function freeJson(json: unknown, log: ProblemLog): JsonValue | undefined {
  if (typeof json === "bigint" || typeof json === "number") {
    const value = Number(json);
    if (!Number.isFinite(value)) {
      log.mismatch(FINITE);
      return undefined;
    }
    return value;
  }
  if (typeof json !== "object" || json === null) {
    return json as JsonValue;
  }
  if (log.depth > MAX_FREE_DEPTH) {
    log.mismatch(FREE_TOO_DEEP);
    return undefined;
  }
  const container = json as Record<string, unknown>;
  for (const key of Object.keys(json)) {
    log.enter(Array.isArray(json) ? Number(key) : key);
    const value = freeJson(container[key], log);
    if (value !== undefined && value !== container[key]) {
      container[key] = value;
    }
    log.leave();
    if (log.full) {
      return undefined;
    }
  }
  return json as JsonValue;
}

/** Whether null is a value of the field's element type, as for google.protobuf.Value and NullValue. */
function nullIsElement(field: DescField): boolean {
  const typeName = field.message?.typeName ?? field.enum?.typeName;
  return typeName === "google.protobuf.Value" || typeName === "google.protobuf.NullValue";
}

/** Whether JSON null is a value of the field. It unsets any other field, also lists and maps of nullable elements. */
export function nullIsValue(field: DescField): boolean {
  return isSingular(field) && nullIsElement(field);
}

function isSingular({ fieldKind }: DescField): boolean {
  return fieldKind !== "list" && fieldKind !== "map";
}

/**
 * Checks a JSON value, records its problems, and returns it in the form that protobuf-es takes; objects and lists are
 * changed in place. Undefined: drop the value, because it is wrong or ignored.
 */
type JsonCheck = (json: unknown, log: ProblemLog) => JsonValue | undefined;

interface FieldEntry {
  readonly field: DescField;
  readonly check: JsonCheck;
  /** Reads a single value, which has no place below its own. Undefined for lists, maps and messages. */
  readonly read: JsonReader | undefined;
  /** Whether null is a value of the field, rather than unsetting it. */
  readonly takesNull: boolean;
}

const OBJECT = new Mismatch("an object");
const LIST = new Mismatch("a list");
const NOT_NULL = new Mismatch("a value, not null");
const TOO_DEEP = new Mismatch(`at most ${checkLimits.depth} levels`);
const ANY = new Mismatch('an object with a type URL in "@type"');

/** Compiles the checks of messages and fields, each message once. */
class JsonChecks {
  readonly #ignoreUnknown: boolean;
  readonly #finiteOnly: boolean;
  readonly #keepNulls: boolean;
  readonly #messages = new Map<DescMessage, JsonCheck>();

  constructor({ unknownFields, finiteNumbersOnly = false, keepNulls = false }: JsonValidatorOptions) {
    this.#ignoreUnknown = unknownFields === "ignore";
    this.#finiteOnly = finiteNumbersOnly;
    this.#keepNulls = keepNulls;
  }

  /** The check for a whole message. */
  message(desc: DescMessage): JsonCheck {
    let check = this.#messages.get(desc);
    if (check === undefined) {
      check = this.#compileMessage(desc);
      this.#messages.set(desc, check);
    }
    return check;
  }

  /** The check for the value of a field. */
  field(field: DescField): JsonCheck {
    switch (field.fieldKind) {
      case "list":
        return this.#compileList(field);
      case "map":
        return this.#compileMap(field);
      default:
        return this.#compileElement(elementType(field));
    }
  }

  #compileMessage(desc: DescMessage): JsonCheck {
    switch (desc.typeName) {
      case "google.protobuf.Value":
        return freeJson;
      case "google.protobuf.ListValue":
        return (json, log) => (Array.isArray(json) ? freeJson(json, log) : note(log, LIST));
      case "google.protobuf.Struct":
        return (json, log) => (isObject(json) ? freeJson(json, log) : note(log, OBJECT));
      case "google.protobuf.Any":
        // protobuf-es checks the content, because it has the registry.
        return (json, log) =>
          isObject(json) && (typeof json["@type"] === "string" || Object.keys(json).length === 0)
            ? freeJson(json, log)
            : note(log, ANY);
    }
    const reader = jsonReader(desc, this.#finiteOnly);
    return reader === undefined ? this.#compileFields(desc) : ofReader(reader);
  }

  #compileFields(desc: DescMessage): JsonCheck {
    let entries: Map<string, FieldEntry> | undefined;
    // Compiled on first use, because messages can contain themselves.
    const compile = () => {
      const map = new Map<string, FieldEntry>();
      const byField = new Map<DescField, FieldEntry>();
      for (const [name, field] of messageFields(desc)) {
        const entry = byField.get(field) ?? {
          field,
          check: this.field(field),
          read: isSingular(field) ? jsonReader(elementType(field), this.#finiteOnly) : undefined,
          takesNull: nullIsValue(field),
        };
        byField.set(field, entry);
        map.set(name, entry);
      }
      return map;
    };
    return (json, log) => {
      if (!isObject(json)) {
        return note(log, OBJECT);
      }
      if (log.depth > checkLimits.depth) {
        return note(log, TOO_DEEP);
      }
      entries ??= compile();
      let oneofs: Map<DescOneof, string> | undefined;
      for (const key in json) {
        const entry = entries.get(key);
        if (entry === undefined) {
          this.#unknownKey(desc, json, key, log);
          if (log.full) {
            return undefined;
          }
          continue;
        }
        const { field } = entry;
        if (key === field.jsonName && key !== field.name && Object.hasOwn(json, field.name)) {
          log.add({ kind: "duplicate", other: field.name }, key);
        }
        const value = json[key];
        if (value === null && !entry.takesNull) {
          if (!this.#keepNulls) {
            delete json[key];
          }
          continue;
        }
        if (field.oneof !== undefined) {
          oneofs ??= new Map();
          const other = oneofs.get(field.oneof);
          if (other !== undefined && entries.get(other)?.field !== field) {
            log.add({ kind: "conflict", other }, key);
          }
          oneofs.set(field.oneof, key);
        }
        const read = entry.read?.(value);
        if (read !== undefined && !(read instanceof Mismatch)) {
          // Most values are single and right, so their place need not be recorded.
          if (read !== value) {
            json[key] = read;
          }
          continue;
        }
        log.enter(key);
        replace(json, key, entry.check(value, log));
        log.leave();
        if (log.full) {
          return undefined;
        }
      }
      return json as JsonValue;
    };
  }

  #unknownKey(desc: DescMessage, json: Record<string, unknown>, key: string, log: ProblemLog): void {
    if (this.#ignoreUnknown) {
      delete json[key];
      return;
    }
    const nearest = nearestField(desc, key);
    log.add(nearest === undefined ? { kind: "unknown" } : { kind: "unknown", nearest }, key);
  }

  #compileElement(type: ElementType): JsonCheck {
    if (typeof type === "object" && type.kind === "message") {
      return this.message(type);
    }
    const reader = jsonReader(type, this.#finiteOnly);
    if (reader === undefined) {
      throw new Error(`no JSON form for type ${type}`);
    }
    if (typeof type === "object" && this.#ignoreUnknown) {
      // ProtoJSON: readers that ignore unknown fields treat unknown names of enum values like unset ones.
      const { isUnknownName } = enumReader(type);
      const check = ofReader(reader);
      return (json, log) => (isUnknownName(json) ? undefined : check(json, log));
    }
    return ofReader(reader);
  }

  #compileList(field: DescField): JsonCheck {
    const check = this.#compileElement(elementType(field));
    const read = jsonReader(elementType(field), this.#finiteOnly);
    const nullable = nullIsElement(field);
    return (json, log) => {
      if (!Array.isArray(json)) {
        return note(log, LIST);
      }
      let dropped = false;
      for (let i = 0; i < json.length; i++) {
        const item: unknown = json[i];
        const value = read?.(item);
        if (value !== undefined && !(value instanceof Mismatch)) {
          json[i] = value;
          continue;
        }
        log.enter(i);
        const checked = item === null && !nullable ? note(log, NOT_NULL) : check(item, log);
        log.leave();
        json[i] = checked;
        dropped ||= checked === undefined;
        if (log.full) {
          return undefined;
        }
      }
      return dropped ? json.filter((item) => item !== undefined) : json;
    };
  }

  #compileMap(field: DescField & { fieldKind: "map" }): JsonCheck {
    const check = this.#compileElement(elementType(field));
    const nullable = nullIsElement(field);
    const checkKey = mapKeyCheck(field.mapKey);
    return (json, log) => {
      if (!isObject(json)) {
        return note(log, OBJECT);
      }
      for (const key of Object.keys(json)) {
        log.enter(`[${key}]`);
        const keyMismatch = checkKey(key);
        if (keyMismatch !== undefined) {
          note(log, keyMismatch);
        }
        const value = json[key];
        replace(json, key, value === null && !nullable ? note(log, NOT_NULL) : check(value, log));
        log.leave();
        if (log.full) {
          return undefined;
        }
      }
      return json as JsonValue;
    };
  }
}

function isObject(json: unknown): json is Record<string, unknown> {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

function note(log: ProblemLog, mismatch: Mismatch): undefined {
  log.mismatch(mismatch);
}

function ofReader(read: JsonReader): JsonCheck {
  return (json, log) => {
    const value = read(json);
    return value instanceof Mismatch ? note(log, value) : value;
  };
}

/** Writes only a changed value. The key is an own property already, so `__proto__` is safe. */
function replace(json: Record<string, unknown>, key: string, value: JsonValue | undefined): void {
  if (value === undefined) {
    delete json[key];
  } else if (value !== json[key]) {
    json[key] = value;
  }
}

function mapKeyCheck(type: ScalarType): (key: string) => Mismatch | undefined {
  if (type === ScalarType.STRING) {
    return () => undefined;
  }
  if (type === ScalarType.BOOL) {
    const mismatch = new Mismatch("true or false as the key");
    return (key) => (key === "true" || key === "false" ? undefined : mismatch);
  }
  const reader = integerReader(type);
  return (key) => {
    const value = reader?.fromText(key);
    return value instanceof Mismatch ? new Mismatch(`${value.expected} as the key`) : undefined;
  };
}

/** Options of createJsonValidator(). */
export interface JsonValidatorOptions {
  /**
   * How to treat unknown fields and unknown enum names: "reject" (the default), or "ignore", which removes them.
   */
  readonly unknownFields?: "reject" | "ignore" | undefined;
  /** Whether the strings "NaN", "Infinity" and "-Infinity" are refused for float and double. Default: false. */
  readonly finiteNumbersOnly?: boolean | undefined;
  /**
   * Whether fields that are null, and so unset, stay in the value, for callers that must tell them from fields that
   * were not sent. Default: false, they are removed.
   */
  readonly keepNulls?: boolean | undefined;
}

/** Checks one JSON value and returns all its problems, at most 100. Without any, `value` is valid. */
export type JsonValidator = (json: unknown) => {
  /** The value in the spelling that fromJson() of protobuf-es takes; objects and lists are changed in place. */
  readonly value: JsonValue | undefined;
  readonly problems: readonly FieldProblem[];
};

/**
 * Compiles a validator for the ProtoJSON form of a message, or of the value of one field. It is stricter than
 * fromJson() (numbers in strings must be decimal, times and durations exact), more lenient in one point (field masks
 * may be in snake_case), and reports all problems at once. Integers that JSON.parse() would round may be given as
 * bigint. For a field, null is valid: it leaves the field unset.
 */
export function createJsonValidator(
  target: DescMessage | DescField,
  options: JsonValidatorOptions = {},
): JsonValidator {
  const checks = new JsonChecks(options);
  const check = target.kind === "message" ? checks.message(target) : checks.field(target);
  const root = target.kind === "message" ? undefined : target.name;
  const takesNull = target.kind === "field" && nullIsValue(target);
  return (json) => {
    if (json === null && root !== undefined && !takesNull) {
      return { value: null, problems: [] };
    }
    const log = new ProblemLog("body", scalarRoot(json) ? root : undefined);
    return { value: check(json, log), problems: log.problems };
  };
}

/** Paths start inside the object or list that was sent. A single value can only be named by its field. */
function scalarRoot(json: unknown): boolean {
  return typeof json !== "object" || json === null;
}
