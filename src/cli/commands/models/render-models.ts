import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { CompareModelsResponse } from "../../../../gen/modelscout/v1/inventory_pb.ts";
import type {
  HardwareEstimate,
  LicenseTerms,
  ModelEntry,
  ModelSummary,
} from "../../../../gen/modelscout/v1/model_pb.ts";
import { formatGb } from "../../../recommend/index.ts";
import { fitStyle, formatSpeed, shortCount } from "../../terminal/format.ts";
import { renderTable } from "../../terminal/table.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { cleanText, wrapText } from "../../terminal/text.ts";

/** Renders a list of models, with the number of further ones. */
export function renderModels(
  { models, total }: { models: readonly ModelSummary[]; total: number },
  terminal: Terminal,
): string {
  const table = renderTable(
    [
      { title: "Model", style: "bold", shrinks: true },
      { title: "Family" },
      { title: "Tasks", shrinks: true },
      { title: "Params", align: "right" },
      { title: "Size", align: "right" },
      { title: "Licence", shrinks: true },
    ],
    models.map(({ name, family, taskTypes, parameters, sizeGb, license }) => [
      name,
      family,
      taskTypes.join(", "),
      parameters === undefined ? "" : shortCount(parameters),
      sizeGb === undefined ? "" : formatGb(sizeGb),
      license ?? "",
    ]),
    terminal,
  );
  const count =
    models.length < total
      ? `${models.length} of ${total} models; --limit ${total} lists all`
      : `${total} ${total === 1 ? "model" : "models"}`;
  return models.length === 0 ? "No models" : `${table}\n\n${terminal.paint("dim", count)}`;
}

const LABEL_WIDTH = 16;

/** Renders all known facts of a model. Unknown facts are left out. */
export function renderEntry(entry: ModelEntry, terminal: Terminal): string {
  const facts = factsOf(entry).flatMap(([label, text]) => {
    if (text === undefined || text === "") {
      return [];
    }
    const padded = `  ${label}`.padEnd(LABEL_WIDTH);
    return [wrapText(text, terminal.width, padded).replace(padded, () => terminal.paint("cyan", padded))];
  });
  const description = entry.description === undefined ? [] : [wrapText(entry.description, terminal.width, "  "), ""];
  return [
    terminal.paint("bold", cleanText(entry.name)),
    ...description,
    ...facts,
    ...variants(entry, terminal),
    ...hardware(entry, terminal),
    ...runs(entry, terminal),
    ...evaluations(entry, terminal),
    ...factsFrom(entry, terminal),
  ].join("\n");
}

function factsOf(entry: ModelEntry): ReadonlyArray<readonly [label: string, text: string | undefined]> {
  const { series, family, activeParameters, parameters } = entry;
  const count = (value: number | undefined) => (value === undefined ? undefined : value.toLocaleString("en"));
  return [
    ["family", series === undefined || series === family ? family : `${family} (${series})`],
    ["tasks", entry.taskTypes.join(", ")],
    ["licence", licenseOf(entry.license, entry.licenseTerms)],
    [
      "parameters",
      parameters && shortCount(parameters) + (activeParameters ? `, ${shortCount(activeParameters)} active` : ""),
    ],
    ["download", entry.sizeGb && formatGb(entry.sizeGb)],
    ["context", entry.contextLength && `${count(entry.contextLength)} tokens`],
    ["capabilities", entry.capabilities.join(", ")],
    ["languages", listed(entry.languages)],
    ["library", entry.library],
    ["base model", entry.baseModel],
    ["gated", entry.gated === undefined ? undefined : entry.gated ? "yes, terms must be accepted" : "no"],
    ["downloads", count(entry.downloads)],
    ["likes", count(entry.likes)],
    ["updated", entry.updatedAt && timestampDate(entry.updatedAt).toISOString().slice(0, 10)],
    ["tags", listed(entry.tags)],
    ["page", entry.sourceUrl],
    ["source", entry.sources.map(({ name }) => name).join(", ") || entry.source],
  ] as const satisfies ReadonlyArray<readonly [string, string | number | undefined]> as ReadonlyArray<
    readonly [string, string | undefined]
  >;
}

function licenseOf(license: string | undefined, terms: LicenseTerms | undefined): string {
  if (license === undefined) {
    return "unknown";
  }
  const use =
    terms?.commercialUse === undefined
      ? undefined
      : terms.commercialUse
        ? "commercial use allowed"
        : "no commercial use";
  const says = [terms?.class === "unknown" ? "terms unknown" : terms?.class, use, terms?.conditions].filter(
    (part) => part !== undefined,
  );
  return `${license}: ${says.join("; ")}`;
}

/** The most items of a list; further ones are only counted. */
const MOST_ITEMS = 30;

function listed(items: readonly string[]): string {
  const more = items.length - MOST_ITEMS;
  return items.slice(0, MOST_ITEMS).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function variants({ variants: all }: ModelEntry, terminal: Terminal): string[] {
  if (all.length === 0) {
    return [];
  }
  const columns = [
    { title: "Form" },
    { title: "Format" },
    { title: "Size", align: "right" },
    { title: "Repository", shrinks: true },
  ] as const;
  const rows = all.map(({ quantization, format, sizeGb, repository, unpublished }) => [
    quantization,
    format ?? "",
    sizeGb === undefined ? "" : formatGb(sizeGb),
    unpublished ? "none known: convert it yourself" : (repository ?? ""),
  ]);
  return ["", indented(renderTable(columns, rows, narrower(terminal)))];
}

function hardware({ hardware: all }: ModelEntry, terminal: Terminal): string[] {
  if (all.length === 0) {
    return [];
  }
  const columns = [
    { title: "Runs on" },
    { title: "Fit", style: fitStyle },
    { title: "As" },
    { title: "Memory", align: "right" },
    { title: "Speed" },
  ] as const;
  const rows = all.map((e) => [
    e.hardware,
    e.fit,
    e.quantization,
    formatGb(e.memoryGb),
    e.tokensPerSecond === undefined ? (e.throughput?.summary ?? "") : formatSpeed(e.tokensPerSecond),
  ]);
  return ["", indented(renderTable(columns, rows, narrower(terminal)))];
}

/** How to start the model. Commands are not wrapped, so that they can be copied. */
function runs({ run, gated, name }: ModelEntry, terminal: Terminal): string[] {
  if (run.length === 0) {
    return [];
  }
  const isAsked = gated && run.some(({ repository }) => repository === name);
  const login = "Accept the terms on the model's page and log in first: hf auth login";
  return [
    "",
    ...(isAsked ? [wrapText(login, terminal.width, "  ")] : []),
    ...run.flatMap(({ engine, quantization, command, note }) => [
      `  ${terminal.paint("cyan", cleanText(engine))}${quantization === undefined ? "" : ` (${cleanText(quantization)})`}`,
      ...(note === undefined ? [] : [wrapText(cleanText(note), terminal.width, "    ")]),
      ...command.split("\n").map((line) => `    ${/^ */.exec(line)}${cleanText(line)}`.trimEnd()),
    ]),
  ];
}

/** Renders a comparison: the facts that differ, the boards with several of the models, and how each runs. */
export function renderComparison(comparison: CompareModelsResponse, terminal: Terminal): string {
  const { models, differences, boards, estimates } = comparison;
  const names = models.map(({ name }) => ({ title: name, shrinks: true }));
  const facts = differences.map(({ field, values }) => [field, ...values.map((value) => value || "unknown")]);
  const figures = boards.map(({ name, metric, figures: all }) => [
    `${name}: ${metric}`,
    ...all.map(({ value, best, evidence }) =>
      value === undefined
        ? ""
        : `${Number(value.toPrecision(4))}${best ? " *" : ""}${evidence === "claimed" ? " (claimed)" : ""}`,
    ),
  ]);
  const runs =
    estimates.length > 0
      ? [hardwareRow(estimates.map(({ estimate }) => estimate))]
      : (models[0]?.hardware ?? []).map(({ hardware: at }) =>
          hardwareRow(models.map((model) => model.hardware.find((each) => each.hardware === at))),
        );
  const table = (title: string, rows: readonly string[][]) =>
    rows.length === 0 ? [] : [renderTable([{ title, style: "bold", shrinks: true }, ...names], rows, terminal)];
  return [
    ...(facts.length === 0 ? ["The known facts do not differ."] : table("Fact", facts)),
    ...table("Leaderboard", figures),
    ...(figures.some((row) => row.some((cell) => cell.includes(" *"))) ? [terminal.paint("dim", "* the best")] : []),
    ...table("Runs on", runs),
  ].join("\n\n");
}

function hardwareRow(estimates: readonly (HardwareEstimate | undefined)[]): string[] {
  const cells = estimates.map((estimate) => {
    if (estimate === undefined) {
      return "unknown";
    }
    const { fit, quantization, memoryGb, tokensPerSecond, throughput } = estimate;
    const other = throughput === undefined ? [] : [throughput.summary];
    const speed = tokensPerSecond === undefined ? other : [formatSpeed(tokensPerSecond)];
    return [fit, quantization, formatGb(memoryGb), ...speed].join(", ");
  });
  return [estimates.find((estimate) => estimate !== undefined)?.hardware ?? "", ...cells];
}

/** The most figures of one leaderboard; further ones are only counted. */
const MOST_FIGURES = 8;

function evaluations({ evaluations: all }: ModelEntry, terminal: Terminal): string[] {
  const none = all.every(({ evidence }) => evidence === "claimed")
    ? ["", "  No independent measurement is known."]
    : [];
  const sources = [...new Set(all.map(({ source }) => source))].sort();
  const groups = sources.flatMap((source) => {
    const figures = all.filter((figure) => figure.source === source);
    const [{ license = "", url = "" } = {}] = figures;
    const shown = figures.slice(0, MOST_FIGURES).map((figure) => {
      const own = figure.url === url ? "" : ` (${figure.url})`;
      return wrapText(`${figure.summary}${own}`, terminal.width, "    ");
    });
    const more = figures.length - MOST_FIGURES;
    return [
      "",
      `  ${terminal.paint("cyan", cleanText(source))}`,
      terminal.paint("dim", wrapText(`${license}, ${url}`, terminal.width, "    ")),
      ...shown,
      ...(more > 0 ? [`    … and ${more} more; --json lists all`] : []),
    ];
  });
  return [...none, ...groups];
}

function factsFrom({ factsFrom: from }: ModelEntry, terminal: Terminal): string[] {
  const sources = Object.entries(from).map(([field, source]) => `${field}: ${source}`);
  return sources.length === 0
    ? []
    : ["", terminal.paint("dim", wrapText(`Facts from: ${sources.join("; ")}`, terminal.width, "  "))];
}

function indented(text: string): string {
  return text.replace(/^/gm, "  ");
}

function narrower(terminal: Terminal): Terminal {
  return { ...terminal, width: terminal.width === undefined ? undefined : terminal.width - 2 };
}
