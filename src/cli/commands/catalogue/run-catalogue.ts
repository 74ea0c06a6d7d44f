import { existsSync, readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import {
  type AppliedCard,
  addEntries,
  type Circumstance,
  cardsFolder,
  checkCatalogue,
  choiceOf,
  circumstancesInWords,
  gradeOf,
  type KnownWords,
  loadCatalogue,
  placesOf,
  purposes,
  shippedChoices,
  shippedFiles,
} from "../../../catalogue/index.ts";
import {
  isLanguageCode,
  licenseFacts,
  normaliseLicense,
  rareLanguages,
  type SourceRecord,
} from "../../../inventory/index.ts";
import { formatGb } from "../../../recommend/index.ts";
import { checkStarter, STARTER_GATHERED_AT, starterRecordOf } from "../../../sources/index.ts";
import { didYouMean } from "../../../text/index.ts";
import type { CommandContext } from "../../command.ts";
import { CliError, exitCodes } from "../../errors.ts";
import { shortCount } from "../../terminal/format.ts";
import { renderTable } from "../../terminal/table.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { cleanText, wrapText } from "../../terminal/text.ts";

/** A model of this standing or above is current. */
const CURRENT = 3;

const languageNames = new Intl.DisplayNames("en", { type: "language", fallback: "none" });

/** The licences and languages that the program knows. */
export const knownWords: KnownWords = {
  isLicense: (text) => licenseFacts(normaliseLicense(text)) !== undefined,
  // Those with a two-letter code must have it: `en`, not `eng`.
  isLanguage: (code) =>
    code.length === 2
      ? isLanguageCode(code)
      : rareLanguages().has(code) ||
        (Intl.getCanonicalLocales(code)[0] === code && languageNames.of(code) !== undefined),
};

/** Runs `modelscout catalogue check [FILE]`. */
export async function runCheck({ args, terminal }: CommandContext): Promise<number> {
  const [file] = args.positionals;
  const { entries, problems } =
    file === undefined
      ? checkCatalogue(shippedFiles(), knownWords, { choices: shippedChoices() })
      : checkCatalogue([{ name: basename(file), text: readText(file) }], knownWords, {
          others: loadCatalogue().names(),
        });
  printProblems(problems, terminal);
  const starter = file === undefined ? await checkStarter() : undefined;
  for (const { name, problem } of starter?.problems ?? []) {
    terminal.print(`starter catalogue ${cleanText(name)}: ${cleanText(problem)}`);
  }
  const checked = [
    `${entries.toLocaleString("en")} ${entries === 1 ? "entry" : "entries"}`,
    ...(starter === undefined ? [] : [`${starter.models.toLocaleString("en")} models of the starter catalogue`]),
  ].join(" and ");
  const found = problems.length + (starter?.problems.length ?? 0);
  terminal.print(
    found === 0 ? `${checked}, no problem found.` : `${checked}, ${found} ${found === 1 ? "problem" : "problems"}.`,
  );
  return found === 0 ? exitCodes.done : exitCodes.failed;
}

function printProblems(problems: ReturnType<typeof checkCatalogue>["problems"], terminal: Terminal): void {
  for (const { at, name, problem } of problems) {
    terminal.print(`${at} ${name === undefined ? "" : `${cleanText(name)}: `}${cleanText(problem)}`);
  }
}

/** Runs `modelscout catalogue add FILE`. */
export async function runAdd({ args, terminal }: CommandContext): Promise<number> {
  const file = args.positionals[0] as string;
  const folder = args.value("folder");
  if (folder === undefined && !existsSync(new URL("../../../.git", cardsFolder))) {
    throw new CliError(
      "Entries can be added in a clone of the project only; an installed program loses them with the next version.",
    );
  }
  if (folder !== undefined && !existsSync(folder)) {
    throw new CliError(`There is no folder ${cleanText(folder)}.`);
  }
  const target = folder === undefined ? cardsFolder : pathToFileURL(`${resolve(folder)}/`);
  const result = addEntries({ name: basename(file), text: readText(file) }, target, knownWords);
  if ("problems" in result) {
    printProblems(result.problems, terminal);
    const count = result.problems.length;
    terminal.print(`No entry was added: ${count} ${count === 1 ? "problem" : "problems"}.`);
    return exitCodes.failed;
  }
  for (const { name, at } of result.added) {
    terminal.print(`${at} ${cleanText(name)}`);
  }
  const count = result.added.length;
  terminal.print(
    `${count.toLocaleString("en")} ${count === 1 ? "entry was" : "entries were"} added. Next, add the facts of new models, and compare them with other models in choices.jsonl; docs/catalogue.md says how.`,
  );
  return exitCodes.done;
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new CliError(`Cannot read ${file}: ${(error as Error).message}`);
  }
}

/** Runs `modelscout catalogue show NAME`. */
export async function runShowEntry({ args, terminal }: CommandContext): Promise<number> {
  const name = args.positionals[0] as string;
  const catalogue = loadCatalogue();
  const card = catalogue.cardOf(name.toLowerCase());
  if (card === undefined) {
    throw new CliError(`The catalogue has no entry for ${cleanText(name)}${didYouMean(name, catalogue.names())}`);
  }
  terminal.print(
    args.has("json") ? JSON.stringify(card, null, 2) : renderCard(card, await starterRecordOf(name), terminal),
  );
  return exitCodes.done;
}

const LABEL_WIDTH = 16;

function renderCard(card: AppliedCard, record: SourceRecord | undefined, terminal: Terminal): string {
  const graded = Object.entries(card.purposes).map(([id, grade]) => {
    const choice = choices[choiceOf(card, id) ?? ""];
    const places = Object.entries(placesOf(card, id)).map(
      ([name, place]) => `number ${place} ${circumstancesInWords[name as Circumstance]}`,
    );
    const said = [grades[String(grade)], choice ?? [], places].flat().join(", ");
    return `${purposes().get(id)?.name ?? id} (${said})`;
  });
  const rows: ReadonlyArray<readonly [label: string, text: string | undefined]> = [
    ["purposes", graded.join("; ")],
    ["not for", card.not_for],
    ["readiness", card.readiness],
    ["standing", `${card.standing} of 5 among open models of its kind and size, June 2026`],
    ["replaced by", card.superseded_by],
    ["line", card.line],
    ["weights of", card.weights_of],
    ["needs beside", card.needs_beside],
    ["capabilities", card.capabilities?.join(", ")],
    ["languages", languagesOf(card, record)],
    ["translates", card.translates?.join(", ")],
    ["strengths", card.strengths?.join("; ")],
    ["weaknesses", card.weaknesses?.join("; ")],
    ["answers", card.needs?.map((need) => `“${need}”`).join(" ")],
    ["inherited", card.inherited_from && `from ${card.inherited_from}`],
    ...factsOf(card, record),
  ];
  const lines = rows.flatMap(([label, text]) => {
    if (text === undefined || text === "") {
      return [];
    }
    const padded = `  ${label}`.padEnd(LABEL_WIDTH);
    return [wrapText(text, terminal.width, padded).replace(padded, () => terminal.paint("cyan", padded))];
  });
  const text = card.description ?? record?.description;
  const description = text === undefined ? [] : [wrapText(text, terminal.width, "  ")];
  return [terminal.paint("bold", cleanText(card.name)), ...description, ...lines].join("\n");
}

/** The languages with how well the model has them, or without that as the source lists them. */
function languagesOf(card: AppliedCard, record: SourceRecord | undefined): string | undefined {
  const graded = Object.entries(card.languages ?? {}).map(([code, grade]) => `${code} (${skills[grade]})`);
  return graded.length > 0 ? graded.join(", ") : record?.languages?.join(", ");
}

const skills: Readonly<Record<number, string>> = { 1: "usable", 2: "good", 3: "strong" };

function sizeOf(record: SourceRecord | undefined): string | undefined {
  return record?.size_gb === undefined ? undefined : formatGb(record.size_gb);
}

/** The starter catalogue's facts, or the entry's where the starter has none; each with a label. */
function factsOf(card: AppliedCard, record: SourceRecord | undefined): Array<readonly [string, string | undefined]> {
  const parameters = record?.parameters ?? card.parameters;
  const active = record?.active_parameters ?? card.active_parameters;
  const sizes = (record?.variants ?? []).map(({ quantization, format, size_gb: size, repository, unpublished }) => {
    const where = unpublished ? ", computed, not published" : repository === undefined ? "" : `, ${repository}`;
    return `${quantization} ${size === undefined ? "of unknown size" : formatGb(size)} (${format ?? "format unknown"}${where})`;
  });
  const origins = Object.entries(record?.facts_from ?? {}).map(([field, origin]) => `${field}: ${origin}`);
  const day = new Date(STARTER_GATHERED_AT).toISOString().slice(0, 10);
  return [
    ["licence", loadCatalogue().licenseOf(card.name.toLowerCase()) ?? record?.license ?? card.license],
    [
      "parameters",
      parameters === undefined
        ? undefined
        : shortCount(parameters) + (active === undefined ? "" : `, ${shortCount(active)} active`),
    ],
    ["sizes", sizes.length > 0 ? sizes.join("; ") : sizeOf(record)],
    ["facts of", record && `${[`${day}, Hugging Face Hub where nothing else is named`, ...origins].join("; ")}`],
  ];
}

const grades: Readonly<Record<string, string>> = {
  "3": "made for it",
  "2": "does it well",
  "1": "with reservations",
  train: "after training",
};

const choices: Readonly<Record<string, string>> = {
  "3": "a first choice",
  "2": "a good choice",
  "1": "a possible choice",
  "0": "a poor choice",
};

/** Runs `modelscout catalogue purposes`. */
export async function runPurposes({ terminal }: CommandContext): Promise<number> {
  const catalogue = loadCatalogue();
  const rows = [...purposes().values()].map(({ id, name }) => {
    const models = catalogue
      .modelsFor(id)
      .map((key) => catalogue.cardOf(key) as AppliedCard)
      .filter((card) => gradeOf(card, id) >= 2);
    const good = models.filter(({ standing }) => standing >= CURRENT);
    return [id, name, String(models.length), String(good.length)];
  });
  terminal.print(
    renderTable(
      [
        { title: "Purpose", style: "bold" },
        { title: "In words", shrinks: true },
        { title: "Models", align: "right" },
        { title: "Good", align: "right" },
      ],
      rows,
      terminal,
    ),
  );
  return exitCodes.done;
}
