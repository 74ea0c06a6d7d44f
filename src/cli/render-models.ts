import type { ModelSummary } from "../../gen/modelscout/v1/model_pb.ts";
import { formatGb } from "../recommend/figures-in-words.ts";
import { renderTable } from "./render-table.ts";
import { shortCount } from "./short-count.ts";
import type { Terminal } from "./terminal.ts";

/** A list of models, with how many more there are. */
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
