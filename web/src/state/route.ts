import { emptyMachine, type MachineDraft, machineFields } from "../machine/machine.ts";
import { emptyNeed, listOf, type NeedDraft } from "../need/need-draft.ts";

/** The fields of the calculator on a model's page, as texts. */
export interface CalculatorDraft extends MachineDraft {
  readonly quantization: string;
  readonly context: string;
}

export const emptyCalculator: CalculatorDraft = { ...emptyMachine, quantization: "", context: "" };

/** The search by name, the limits and the order of a list of models, as texts. Their names are those of the address. */
export interface ListDraft {
  readonly name: string;
  readonly license: string;
  readonly hardware: string;
  readonly max_size_gb: string;
  /** The contract's words, separated by commas or spaces. */
  readonly capabilities: string;
  /** A number, also as 7B or 500M. */
  readonly min_parameters: string;
  readonly max_parameters: string;
  /** "true", or empty. */
  readonly exclude_gated: string;
  /** As the contract writes it; empty for most downloaded first. */
  readonly order_by: string;
}

export const emptyList: ListDraft = {
  name: "",
  license: "",
  hardware: "",
  max_size_gb: "",
  capabilities: "",
  min_parameters: "",
  max_parameters: "",
  exclude_gated: "",
  order_by: "",
};

/** A list of models. Fields of `list` that are left out are empty. */
export type ListRoute = { readonly list?: Partial<ListDraft> } & (
  | { readonly view: "family"; readonly family: string }
  | { readonly view: "task"; readonly task: string }
  | { readonly view: "models" }
);

/** What the page shows. It is the page's address, so every view can be linked to. */
export type Route =
  /** `unasked`: opened by a link of another site, so the visitor must confirm before it uses a recommendation. */
  | { readonly view: "search"; readonly need: NeedDraft; readonly unasked?: boolean }
  | { readonly view: "families" }
  | { readonly view: "tasks" }
  | ListRoute
  | { readonly view: "model"; readonly name: string; readonly calculator: CalculatorDraft }
  | { readonly view: "compare"; readonly names: readonly string[] }
  /** `need`: the initial need in the form. */
  | { readonly view: "live"; readonly need: NeedDraft }
  /** An address that the service does not have. */
  | { readonly view: "not-found"; readonly path: string };

/** Most models in a comparison. */
export const MAX_COMPARED = 8;

/** Reads the query of an address. Unknown parameters are ignored. */
export function readRoute(query: string): Route {
  const params = new URLSearchParams(query);
  const model = params.get("model");
  if (model) {
    return { view: "model", name: model, calculator: readFields(params, emptyCalculator) };
  }
  const family = params.get("family");
  if (family) {
    return { view: "family", family, ...readList(params) };
  }
  const task = params.get("task");
  if (task) {
    return { view: "task", task, ...readList(params) };
  }
  if (params.has("compare")) {
    const names = params.getAll("compare").filter(Boolean);
    return { view: "compare", names: [...new Set(names)].slice(0, MAX_COMPARED) };
  }
  const browse = params.get("browse");
  if (browse === "families" || browse === "tasks") {
    return { view: browse };
  }
  if (browse === "models") {
    return { view: "models", ...readList(params) };
  }
  const need: NeedDraft = {
    ...readFields(params, emptyNeed),
    description: params.get("q") ?? "",
    languages: params.getAll("languages").join(", "),
    capabilities: params.getAll("capabilities").join(", "),
    device: readDevice(params),
    ignore: params.getAll("ignore"),
  };
  if (params.has("live")) {
    return { view: "live", need };
  }
  return params.has("unasked") ? { view: "search", need, unasked: true } : { view: "search", need };
}

/** The address of a route, for readRoute. A need has the query parameters of `GET /models/recommend`. */
export function formatRoute(route: Route): string {
  const params = new URLSearchParams();
  switch (route.view) {
    case "not-found":
      return route.path;
    case "search":
      writeNeed(params, route.need);
      if (route.unasked) {
        params.set("unasked", "");
      }
      break;
    case "live":
      params.set("live", "");
      writeNeed(params, route.need);
      break;
    case "families":
    case "tasks":
      params.set("browse", route.view);
      break;
    case "family":
      params.set("family", route.family);
      writeFields(params, route.list ?? {});
      break;
    case "task":
      params.set("task", route.task);
      writeFields(params, route.list ?? {});
      break;
    case "models":
      params.set("browse", route.view);
      writeFields(params, route.list ?? {});
      break;
    case "model":
      params.set("model", route.name);
      writeFields(params, route.calculator);
      break;
    case "compare":
      if (route.names.length === 0) {
        params.set("compare", "");
      }
      for (const name of route.names) {
        params.append("compare", name);
      }
      break;
  }
  // Slashes are allowed in a query, and names are easier to read with them.
  const query = params.toString().replaceAll("%2F", "/");
  return query === "" ? "/" : `/?${query}`;
}

function writeNeed(
  params: URLSearchParams,
  { description, languages, capabilities, device, ignore, ...fields }: NeedDraft,
): void {
  if (description !== "") {
    params.set("q", description);
  }
  writeFields(params, fields);
  for (const code of listOf(languages)) {
    params.append("languages", code);
  }
  for (const word of listOf(capabilities)) {
    params.append("capabilities", word);
  }
  for (const [name, field] of Object.entries(machineFields)) {
    if (device[field].trim() !== "") {
      params.set(`device.${name}`, device[field].trim());
    }
  }
  for (const wish of ignore) {
    params.append("ignore", wish);
  }
}

/** The device of a need. */
function readDevice(params: URLSearchParams): MachineDraft {
  const names = Object.entries(machineFields);
  return {
    ...emptyMachine,
    ...Object.fromEntries(names.map(([name, field]) => [field, params.get(`device.${name}`) ?? ""])),
  };
}

/** The fields of a list that an address has; no `list` without any. */
function readList(params: URLSearchParams): { list?: Partial<ListDraft> } {
  const set = Object.entries(readFields(params, emptyList)).filter(([, value]) => value !== "");
  return set.length === 0 ? {} : { list: Object.fromEntries(set) };
}

function readFields<T extends object>(params: URLSearchParams, fields: T): T {
  const texts = Object.entries(fields).filter(([, value]) => typeof value === "string");
  return { ...fields, ...Object.fromEntries(texts.map(([name]) => [name, params.get(name) ?? ""])) };
}

function writeFields(params: URLSearchParams, fields: object): void {
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === "string" && value.trim() !== "") {
      params.set(name, value.trim());
    }
  }
}
