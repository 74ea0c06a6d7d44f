import type { InventoryStatus } from "../../../inventory/index.ts";
import type { LastSync } from "../../../sync/index.ts";
import { formatBytes, formatDuration } from "../../terminal/format.ts";
import { renderTable } from "../../terminal/table.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { cleanText } from "../../terminal/text.ts";

const LABEL_WIDTH = 12;

/** Renders the status of the inventory. @param now in milliseconds since 1970. */
export function renderInventoryStatus(
  status: InventoryStatus,
  syncs: readonly LastSync[] | undefined,
  terminal: Terminal,
  now: number,
): string {
  const { serving } = status;
  const facts = factsOf(status, now).map(
    ([label, text]) => `${terminal.paint("cyan", label.padEnd(LABEL_WIDTH))}${cleanText(text)}`,
  );
  const parts = [facts.join("\n")];
  if (serving !== undefined && serving.indexes.length > 0) {
    const rows = serving.indexes.map((index) => [
      index.column,
      index.type,
      figure(index.indexedRows),
      figure(index.unindexedRows),
      String(index.segments),
      index.bytes === undefined ? "unknown" : formatBytes(index.bytes),
    ]);
    const columns = [
      { title: "Index", style: "bold" },
      { title: "Type" },
      { title: "Indexed", align: "right" },
      { title: "Unindexed", align: "right" },
      { title: "Parts", align: "right" },
      { title: "Size", align: "right" },
    ] as const;
    parts.push(renderTable(columns, rows, terminal));
  }
  if (syncs === undefined) {
    parts.push("The last syncs are unknown: the state cannot be read.");
  } else if (syncs.length > 0) {
    parts.push(renderSyncs(syncs, terminal, now));
  }
  return parts.join("\n\n");
}

function factsOf(
  { location, serving, isOlder, rebuild, retired, writer }: InventoryStatus,
  now: number,
): Array<[label: string, text: string]> {
  const facts: Array<[string, string]> = [["location", location]];
  if (serving === undefined) {
    facts.push(["models", isOlder ? "of an older version, upgraded when it is next opened" : "none yet"]);
  } else {
    const { generation, rows, bytes, fragments, versions, oldestVersionAt } = serving;
    facts.push(
      ["models", figure(rows)],
      ["encoder", `${generation.encoder} (${generation.encoderId}, ${generation.dimensions} dimensions)`],
      ["table", `${generation.table}, ${ago(generation.since, now)}`],
      ["schema", `${generation.schema}${isOlder ? ", older: it is rebuilt when it is next opened" : ""}`],
      [
        "disk",
        [
          ...(bytes === undefined ? [] : [formatBytes(bytes)]),
          ...(fragments === undefined ? [] : [`${counted(fragments, "file")} of rows`]),
          `${counted(versions, "version")} since ${ago(oldestVersionAt, now)}`,
        ].join(", "),
      ],
    );
  }
  if (serving !== undefined && serving.unreadable.length > 0) {
    const { unreadable } = serving;
    const indexes = `${unreadable.length === 1 ? "the index" : "the indexes"} of ${unreadable.join(", ")}`;
    facts.push([
      "unreadable",
      `${indexes}; a server rebuilds unreadable indexes when it starts, and within a minute while it runs`,
    ]);
  }
  if (rebuild !== undefined) {
    const share = Math.floor((100 * rebuild.done) / Math.max(1, rebuild.total));
    const work = rebuild.isRunning ? "running" : "stopped; a server or inventory rebuild resumes it or starts over";
    facts.push([
      "rebuild",
      `${figure(rebuild.done)} of ${figure(rebuild.total)} models (${share} %) with vectors of ${rebuild.generation.encoder}, started ${ago(rebuild.generation.since, now)}; ${work}`,
    ]);
  }
  for (const { generation, bytes } of retired) {
    facts.push([
      "replaced",
      `${generation.table}, ${ago(generation.since, now)}${bytes === undefined ? "" : `, ${formatBytes(bytes)}`}; deleted once no reader can need it`,
    ]);
  }
  if (writer !== undefined) {
    facts.push([
      "writing",
      `${writer.command === "" ? "a program" : `modelscout ${writer.command}`} (process ${writer.pid}), for ${formatDuration(Math.max(0, now - writer.since))}`,
    ]);
  }
  return facts;
}

function renderSyncs(syncs: readonly LastSync[], terminal: Terminal, now: number): string {
  const columns = [
    { title: "Last sync", style: "bold" },
    { title: "Ended" },
    { title: "Outcome" },
    { title: "Listed", align: "right" },
    { title: "Added", align: "right" },
    { title: "Changed", align: "right" },
    { title: "Removed", align: "right" },
  ] as const;
  const rows = syncs.map(({ report, endedAt }) => [
    report.source,
    ago(endedAt, now),
    report.outcome.replace("_", " "),
    figure(report.listed),
    figure(report.added),
    figure(report.changed),
    figure(report.removed),
  ]);
  return renderTable(columns, rows, terminal);
}

function ago(at: number, now: number): string {
  return now - at < 1_000 ? "just now" : `${formatDuration(now - at)} ago`;
}

function counted(count: number, thing: string): string {
  return `${figure(count)} ${thing}${count === 1 ? "" : "s"}`;
}

function figure(count: number): string {
  return count.toLocaleString("en");
}
