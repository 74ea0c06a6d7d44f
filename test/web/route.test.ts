import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HardwareSchema, QuickRecommendRequestSchema } from "../../packages/client/src/index.ts";
import { emptyMachine } from "../../web/src/machine/machine.ts";
import { emptyNeed } from "../../web/src/need/need-draft.ts";
import { emptyCalculator, formatRoute, type Route, readRoute } from "../../web/src/state/route.ts";

const search: Route = {
  view: "search",
  need: {
    ...emptyNeed,
    description: "chat & more = 100 % ü🦜?",
    hardware: "gpu-8gb",
    license: "apache-2.0",
    max_size_gb: "6.5",
    languages: "de, fr",
    capabilities: "tools, vision",
    min_parameters: "3B",
    exclude_gated: "true",
    device: { ...emptyMachine, gpu: "RTX 3090", gpus: "2" },
    priority: "quality",
    top_k: "3",
    ignore: ["size:6 GB", "language:de"],
  },
};

const routes: [string, Route][] = [
  ["/", { view: "search", need: emptyNeed }],
  [
    "/?q=chat+%26+more+%3D+100+%25+%C3%BC%F0%9F%A6%9C%3F&max_size_gb=6.5&hardware=gpu-8gb&license=apache-2.0&min_parameters=3B&exclude_gated=true&priority=quality&top_k=3&languages=de&languages=fr&capabilities=tools&capabilities=vision&device.gpu_name=RTX+3090&device.gpu_count=2&ignore=size%3A6+GB&ignore=language%3Ade",
    search,
  ],
  ["/?q=poems&unasked=", { view: "search", need: { ...emptyNeed, description: "poems" }, unasked: true }],
  ["/?browse=families", { view: "families" }],
  ["/?browse=tasks", { view: "tasks" }],
  ["/?family=qwen", { view: "family", family: "qwen" }],
  ["/?browse=models", { view: "models" }],
  [
    "/?family=qwen&name=coder&license=open&hardware=cpu&max_size_gb=5&order_by=size_gb+desc",
    {
      view: "family",
      family: "qwen",
      list: { name: "coder", license: "open", hardware: "cpu", max_size_gb: "5", order_by: "size_gb desc" },
    },
  ],
  ["/?task=text-to-image", { view: "task", task: "text-to-image" }],
  ["/?model=Qwen/Qwen3-8B", { view: "model", name: "Qwen/Qwen3-8B", calculator: emptyCalculator }],
  [
    "/?model=a/b%2Bc&gpu=RTX+4070&context=8192",
    { view: "model", name: "a/b+c", calculator: { ...emptyCalculator, gpu: "RTX 4070", context: "8192" } },
  ],
  ["/?live=", { view: "live", need: emptyNeed }],
  ["/?live=&q=poems&hardware=cpu", { view: "live", need: { ...emptyNeed, description: "poems", hardware: "cpu" } }],
  ["/?compare=", { view: "compare", names: [] }],
  ["/?compare=a/b&compare=c/d%2Ce", { view: "compare", names: ["a/b", "c/d,e"] }],
];

describe("addresses", () => {
  it.each(routes)("%s is a view and back", (address, route) => {
    expect(formatRoute(route)).toBe(address);
    expect(readRoute(address.slice(1))).toEqual(route);
  });

  it("hold a need as the query parameters of GET /models/recommend", () => {
    const params = new URLSearchParams(formatRoute(search).slice(1));
    const known = new Set(QuickRecommendRequestSchema.fields.map((field) => field.name));
    const device = new Set(HardwareSchema.fields.map((field) => `device.${field.name}`));
    expect([...params.keys()].filter((name) => !known.has(name) && !device.has(name))).toEqual([]);
  });

  it("are read whatever they are, and keep their meaning when they are written again", () => {
    const names = [
      "q",
      "languages",
      "capabilities",
      "device.gpu_name",
      "device.class",
      "ignore",
      "model",
      "gpu",
      "family",
      "task",
      "compare",
      "browse",
      "unasked",
      "live",
      "other",
    ];
    const parameter = fc.tuple(fc.constantFrom(...names), fc.string({ unit: "grapheme" }));
    fc.assert(
      fc.property(fc.array(parameter), (parameters) => {
        const address = formatRoute(readRoute(`?${new URLSearchParams(parameters)}`));
        expect(formatRoute(readRoute(address.slice(1)))).toBe(address);
      }),
    );
  });

  it("take no more than eight models to compare, each once", () => {
    const names = ["a/a", "b/b", "c/c", "d/d", "e/e", "f/f", "g/g", "h/h", "i/i"];
    const query = new URLSearchParams([...names.slice(0, 2), ...names].map((name) => ["compare", name]));
    expect(readRoute(`?${query}`)).toEqual({ view: "compare", names: names.slice(0, 8) });
  });
});
