import type { DescMethod } from "@bufbuild/protobuf";
import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { createDocument, type DocumentOptions, type OpenApiDocument } from "../../src/openapi/index.ts";
import { buildRegistry } from "../packages/connect-transcoding/support/build-registry.ts";
import { libraryService } from "../packages/connect-transcoding/support/library.ts";
import { documentValidator } from "../support/documents/document-validator.ts";
import { operationsOf } from "../support/documents/documented-requests.ts";

const registry = buildRegistry(new URL("garden.proto", import.meta.url).pathname);
const methods: DescMethod[] = ["garden.v1.GardenService", "garden.v1.ShedService"].flatMap(
  (name) => registry.getService(name)?.methods ?? [],
);
const errorSchema = { $ref: "#/components/schemas/Error" };
const components = { schemas: { Error: { type: "object" } } };

function garden(options: Partial<DocumentOptions> = {}): OpenApiDocument {
  return createDocument({ methods, info: { title: "garden", version: "1" }, errorSchema, components, ...options });
}

const document = garden();
const { schemas } = document.components;
const operation = (method: string, path: string) =>
  operationsOf(document).find((each) => each.path === path && each.method === method)?.operation;
const parametersOf = (method: string, path: string) =>
  (operation(method, path)?.parameters ?? []).map(
    ({ name, in: place, required = false }) => `${place} ${name} ${required}`,
  );

describe("A document", () => {
  it.each([
    ["of the garden", document],
    [
      "of the library",
      createDocument({ methods: libraryService.methods, info: { title: "x", version: "1" }, errorSchema, components }),
    ],
    ["of nothing", garden({ methods: [] })],
  ])("%s is valid, and every reference in it has a target", async (_name, made) => {
    const json = JSON.stringify(made);
    expect(await new Validator().validate(JSON.parse(json))).toEqual({ valid: true });
    const references = [...json.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map((match) => match[1] as string);
    expect(Object.keys(made.components.schemas)).toEqual(expect.arrayContaining(references));
  });

  it("has every binding of every method with a rule, and no other method", () => {
    expect(
      operationsOf(document).map(({ path, method, operation: { operationId } }) => [operationId, method, path]),
    ).toEqual([
      ["createPlant", "post", "/gardens/plants"],
      ["getPlantInGarden", "get", "/gardens/plants/{name}"],
      ["getPlantInGarden2", "get", "/beds/{bed.row}/plants"],
      ["getPlantInGarden3", "get", "/greenhouses/{name_1}/plants/{name_2}"],
      ["getPlantInGarden4", "get", "/paths/{name}"],
      ["updatePlant", "patch", "/gardens/{garden}/plants/{id}"],
      ["updatePlant2", "put", "/gardens/{garden}/plants/{id}"],
      ["deletePlant", "delete", "/gardens/{garden}/plants/{id}"],
      ["rename", "post", "/gardens/plants/{name}:rename"],
      ["watch", "get", "/gardens/{id}:watch"],
      ["sow", "post", "/gardens:sow"],
      ["photo", "get", "/photos/{id}"],
      ["anything", "get", "/any/{id}"],
      ["anything2", "put", "/any/{id}"],
      ["anything3", "post", "/any/{id}"],
      ["anything4", "delete", "/any/{id}"],
      ["anything5", "patch", "/any/{id}"],
      ["getPlantInShed", "get", "/shed/plants/{name}"],
    ]);
    expect(operation("get", "/shed/plants/{name}")?.["x-rpc"]).toBe("garden.v1.ShedService/GetPlant");
  });

  it("merges paths that differ only in the names of parameters", () => {
    const [first] = methods;
    const renamed = { ...first!, name: "Other", localName: "other" };
    const { paths } = garden({
      methods: [...libraryService.methods.filter(({ name }) => name === "GetBook"), renamed],
    });
    expect(Object.keys(paths)).toEqual(["/v1/shelves/{name_1}/books/{name_2}", "/gardens/plants"]);
  });

  it("names the segments of a path variable as the options say", () => {
    const { paths } = garden({
      segments: ({ name }) =>
        name === "name" ? [{ name: "house", examples: ["warm"] }, { name: "plant" }] : undefined,
    });
    const { get } = paths["/greenhouses/{house}/plants/{plant}"] ?? {};
    expect(get?.parameters?.slice(0, 2)).toEqual([
      {
        name: "house",
        in: "path",
        required: true,
        description: "The plant's name.",
        schema: { minLength: 1, type: "string" },
        example: "warm",
      },
      {
        name: "plant",
        in: "path",
        required: true,
        description: "The plant's name.",
        schema: { minLength: 1, type: "string" },
      },
    ]);
    expect(Object.keys(paths)).toContain("/gardens/plants/{name}");
  });

  it("refuses a rule whose HTTP method OpenAPI does not know, naming the method", () => {
    const service = buildRegistry(new URL("report.proto", import.meta.url).pathname).getService("report.v1.Reporter");
    expect(() => garden({ methods: service?.methods ?? [] })).toThrow("report.v1.Reporter.Tell");
  });
});

describe("An operation", () => {
  it("has the comment of its method: the first sentence, and the rest", () => {
    expect(operation("post", "/gardens/plants")).toMatchObject({
      tags: ["Garden"],
      summary: "Plants a plant",
      description: "The name must be new.\n\nALREADY_EXISTS names the plant that has it.",
    });
    expect(operation("get", "/gardens/plants/{name}")).toMatchObject({ summary: "Finds a plant" });
    expect(operation("get", "/gardens/plants/{name}")).not.toHaveProperty("description");
    expect(operation("patch", "/gardens/{garden}/plants/{id}")).toMatchObject({ deprecated: true });
    expect(document.tags).toEqual([{ name: "Garden", description: "Grows things." }, { name: "Shed" }]);
  });

  it("has a parameter for each field that neither the path nor the body sets", () => {
    expect(parametersOf("get", "/gardens/plants/{name}")).toEqual([
      "path name true",
      "query bed.row false",
      "query bed.lights false",
      "query parts false",
      "query labels false",
      "query filter false",
      "query tool.name false",
    ]);
    expect(parametersOf("get", "/beds/{bed.row}/plants")[0]).toBe("path bed.row true");
    expect(parametersOf("get", "/beds/{bed.row}/plants")).not.toContain("query bed.row false");
    expect(parametersOf("patch", "/gardens/{garden}/plants/{id}")).toEqual([
      "path garden true",
      "path id true",
      "query force false",
    ]);
    expect(parametersOf("put", "/gardens/{garden}/plants/{id}")).toEqual(["path garden true", "path id true"]);
    expect(parametersOf("post", "/gardens/plants")).toEqual([]);
  });

  it("repeats lists, has keys in maps, and has JSON as text in the query", () => {
    const { parameters = [] } = operation("get", "/gardens/plants/{name}") ?? {};
    const byName = Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter]));
    expect(byName.parts?.schema).toEqual({ type: "array", items: { type: "string" } });
    expect(byName.labels).toMatchObject({ style: "deepObject", schema: { type: "object" } });
    expect(byName.filter?.schema).toMatchObject({ type: "string", contentMediaType: "application/json" });
  });

  it("has the body that its rule names", () => {
    const bodyOf = (method: string, path: string) => operation(method, path)?.requestBody;
    expect(bodyOf("post", "/gardens/plants")).toEqual({
      required: true,
      content: { "application/json": { schema: { $ref: "#/components/schemas/PlantInput" } } },
    });
    const changed = bodyOf("patch", "/gardens/{garden}/plants/{id}");
    expect(changed?.required).toBe(true);
    // PATCH has only the fields that change.
    const { required: _needed, ...fields } = document.components.schemas.PlantInput as Record<string, unknown>;
    expect(changed?.content["application/json"]?.schema).toEqual(fields);
    const whole = bodyOf("put", "/gardens/{garden}/plants/{id}")?.content["application/json"]?.schema;
    expect(Object.keys((whole?.properties ?? {}) as object)).toEqual(["plant", "force"]);
    expect(whole?.required).toEqual(["plant"]);
    expect(bodyOf("get", "/gardens/plants/{name}")).toBeUndefined();
    expect(Object.keys(bodyOf("post", "/gardens:sow")?.content ?? {})).toEqual(["application/x-ndjson"]);
  });

  it("has the response of its method", () => {
    const contentOf = (method: string, path: string) => {
      const response = operation(method, path)?.responses["200"];
      return response !== undefined && "content" in response ? response.content : undefined;
    };
    expect(contentOf("post", "/gardens/plants")).toEqual({
      "application/json": { schema: { $ref: "#/components/schemas/Plant" } },
    });
    expect(contentOf("post", "/gardens/plants/{name}:rename")).toEqual({
      "application/json": { schema: { type: "array", items: { $ref: "#/components/schemas/Plant" } } },
    });
    expect(contentOf("get", "/photos/{id}")).toEqual({ "*/*": {} });
    const stream = contentOf("get", "/gardens/{id}:watch");
    expect(stream).toEqual({
      "application/x-ndjson": {
        schema: {
          description: expect.any(String),
          oneOf: [
            { type: "object", properties: { result: { $ref: "#/components/schemas/Event" } }, required: ["result"] },
            errorSchema,
          ],
        },
      },
      "text/event-stream": { schema: { $ref: "#/components/schemas/Event" } },
    });
  });

  it("has the notes on it", () => {
    const made = garden({
      notesOn: ({ method }) =>
        method.name === "CreatePlant"
          ? {
              remark: "Needs a spade.",
              security: [{ spade: [] }],
              headers: { "x-soil": { schema: { type: "string" } } },
              responses: { 409: { description: "Taken" } },
              requestExamples: { rose: { value: { name: "rose" } } },
              responseExamples: { rose: { value: { name: "rose" } } },
            }
          : {},
    });
    expect(made.paths["/gardens/plants"]?.post).toMatchObject({
      description: "The name must be new.\n\nALREADY_EXISTS names the plant that has it.\n\nNeeds a spade.",
      security: [{ spade: [] }],
      requestBody: { content: { "application/json": { examples: { rose: { value: { name: "rose" } } } } } },
      responses: {
        200: {
          headers: { "x-soil": { schema: { type: "string" } } },
          content: { "application/json": { examples: { rose: { value: { name: "rose" } } } } },
        },
        409: { description: "Taken" },
      },
    });
  });
});

describe("The schema of a message", () => {
  const { faults } = documentValidator(document);
  const whole = {
    name: "rose",
    height: 80,
    colours: ["red"],
    harvests: { may: 3 },
    light: "LIGHT_FULL",
    planted_at: "2026-05-01T08:00:00Z",
    bed: { row: 2, lights: [] },
    shop: "corner",
    latin: "",
    leaves: "900",
    photo: "AAAA",
    rating: 5,
    offspring: [],
  };

  it("has its comments, and those of its values", () => {
    expect(schemas.Plant?.description).toBe("A plant of the garden. Grows when watered.\n\n- roots\n- leaves");
    const { name, height, light, latin } = (schemas.Plant?.properties ?? {}) as Record<string, object>;
    expect(name).toEqual({ type: "string", description: "Its name." });
    expect(height).toEqual({ type: "integer", format: "int32", description: "In centimetres." });
    expect(light).toEqual({
      type: "string",
      enum: ["LIGHT_UNSPECIFIED", "LIGHT_FULL", "LIGHT_PARTIAL"],
      description:
        "How much light a plant wants.\n\n- `LIGHT_FULL`: Sun all day.\n- `LIGHT_PARTIAL`: Some hours of sun.",
    });
    expect(latin).toMatchObject({ deprecated: true });
    expect(schemas["Plant.Bed"]?.description).toBe("Where it stands.");
  });

  it("of a response requires all fields that are printed unset", () => {
    expect(faults(["components", "schemas", "Plant"], whole)).toEqual([]);
    const {
      weight: _weight,
      planted_at: _at,
      bed: _bed,
      rating: _rating,
      shop: _shop,
      ...least
    } = { weight: 1, ...whole };
    expect(faults(["components", "schemas", "Plant"], least)).toEqual([]);
    for (const field of Object.keys(least)) {
      const { [field as keyof typeof least]: _left, ...without } = least;
      expect(faults(["components", "schemas", "Plant"], without), field).toHaveLength(1);
    }
  });

  it("of a request requires the REQUIRED fields, and refuses unknown and OUTPUT_ONLY ones", () => {
    expect(faults(["components", "schemas", "PlantInput"], { name: "rose" })).toEqual([]);
    expect(faults(["components", "schemas", "PlantInput"], {})).toHaveLength(1);
    expect(faults(["components", "schemas", "PlantInput"], { name: "rose", thorns: 1 })).toHaveLength(1);
    expect(
      faults(["components", "schemas", "PlantInput"], { name: "rose", planted_at: whole.planted_at }),
    ).toHaveLength(1);
  });

  it.each([
    [{ height: 1.5 }],
    [{ height: 2 ** 31 }],
    [{ leaves: 900 }],
    [{ light: "LIGHT_NONE" }],
    [{ harvests: { may: "3" } }],
    [{ colours: "red" }],
    [{ rating: "5" }],
    [{ shop: "corner", seed: "own" }],
    [{ bed: { row: -1, lights: [] } }],
    [{ offspring: [{ name: 1 }] }],
    [{ planted_at: "yesterday" }],
  ])("refuses %j", (wrong) => {
    expect(faults(["components", "schemas", "Plant"], { ...whole, ...wrong })).not.toEqual([]);
  });

  it("of a oneof allows one of its fields", () => {
    const tool = { name: "spade" };
    expect(faults(["components", "schemas", "Event"], { tool })).toEqual([]);
    expect(faults(["components", "schemas", "Event"], { tool, plant: whole })).not.toEqual([]);
  });

  it("has the rules of its fields", () => {
    const ruled = garden({
      fieldRules: {
        "garden.v1.Plant.height": { maximum: 300 },
        "garden.v1.Plant.colours": { maxItems: 3, items: { enum: ["red", "white"] } },
        "garden.v1.Plant.offspring": { items: { $ref: "#/components/schemas/Error" } },
        "garden.v1.GetPlantRequest.name": { examples: ["rose"], maxLength: 9 },
      },
    });
    const { height, colours, offspring } = (ruled.components.schemas.Plant?.properties ?? {}) as Record<string, object>;
    expect(height).toEqual({ type: "integer", format: "int32", description: "In centimetres.", maximum: 300 });
    expect(colours).toEqual({ type: "array", maxItems: 3, items: { type: "string", enum: ["red", "white"] } });
    expect(offspring).toEqual({ type: "array", items: { $ref: "#/components/schemas/Error" } });
    expect(ruled.paths["/gardens/plants/{name}"]?.get?.parameters?.[0]).toEqual({
      name: "name",
      in: "path",
      required: true,
      description: "The plant's name.",
      schema: { type: "string", minLength: 1, maxLength: 9 },
      example: "rose",
    });
  });

  it("requires nothing of messages that are printed without empty fields", () => {
    const sparse = garden({ printsEmpty: ({ name }) => name !== "Plant" });
    expect(sparse.components.schemas.Plant).not.toHaveProperty("required");
    expect(sparse.components.schemas.Tool?.required).toEqual(["name"]);
  });
});
