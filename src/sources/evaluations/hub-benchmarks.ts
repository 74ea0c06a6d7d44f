import { z } from "zod";
import { type Board, BoardFormError, type BoardLine, boards, placeModels } from "../../evaluations/index.ts";
import { isModelName } from "../../inventory/index.ts";
import { hubPath } from "../huggingface/api.ts";
import { SourceError } from "../source.ts";
import { type Reading, readJson } from "./reading.ts";

type HubBoard = Board & { hubDataset: NonNullable<Board["hubDataset"]> };

const hubBoards: readonly HubBoard[] = boards.filter((board): board is HubBoard => board.hubDataset !== undefined);

const officialSchema = z.array(z.object({ id: z.string() }));

/** An entry of `GET /api/datasets/{id}/leaderboard`. */
const entriesSchema = z.array(
  z.object({ modelId: z.string().min(1), value: z.number(), verified: z.boolean().nullish() }),
);

/** The leaderboards of the data sets that are registered as benchmarks. */
export function hubLeaderboardReadings(hubUrl: string): Reading[] {
  let official: Promise<ReadonlySet<string>> | undefined;
  return hubBoards.map(({ id, hubDataset }) => ({
    name: `hub/${hubDataset.id}`,
    host: hubUrl,
    async read({ http, today }) {
      official ??= readJson(http, `${hubUrl}/api/datasets?filter=benchmark:official`).then(({ value }) => {
        return new Set(parsed(officialSchema, value).map((dataset) => dataset.id.toLowerCase()));
      });
      if (!(await official).has(hubDataset.id.toLowerCase())) {
        throw new BoardFormError("is not among the Hub's official benchmarks");
      }
      const { value } = await readJson(http, `${hubUrl}/api/datasets/${hubPath(hubDataset.id)}/leaderboard`);
      const entries = parsed(entriesSchema, value);
      if (entries.length === 0) {
        throw new BoardFormError("has no entries");
      }
      const lines = entries
        .filter(({ modelId }) => isModelName(modelId))
        .map(
          ({ modelId, value: figure, verified }): BoardLine => ({
            system: modelId,
            model: modelId,
            value: figure,
            evidence: verified === true ? "verified" : "claimed",
          }),
        );
      return [placeModels(id, inPercent(lines), { asOf: today })];
    },
  }));
}

/**
 * Some benchmarks have shares and some have percentages, and the Hub does not say which. If all values of a benchmark
 * are at most 1, they are shares. If some values are greater, a value of at most 1 may be either, so it is left out.
 */
function inPercent(lines: readonly BoardLine[]): BoardLine[] {
  return lines.every(({ value }) => value <= 1)
    ? lines.map((line) => ({ ...line, value: Math.round(line.value * 10_000) / 100 }))
    : lines.filter(({ value }) => value > 1);
}

/** A model in a page of `GET /api/models?expand[]=evalResults&expand[]=model-index`. What owners write may be anything. */
const resultSchema = z.object({
  dataset: z.object({ id: z.string(), task_id: z.string().nullish() }),
  value: z.number(),
  date: z.string().nullish(),
  source: z.object({ url: z.string().nullish() }).nullish(),
});
const listedSchema = z.object({
  id: z.string().min(1),
  evalResults: z
    .array(
      z
        .union([resultSchema, z.object({ data: resultSchema }).transform(({ data }) => data)])
        .nullable()
        .catch(null),
    )
    .nullish()
    .catch(undefined),
  "model-index": z
    .array(
      z.object({
        results: z
          .array(
            z
              .object({
                dataset: z.object({ type: z.string() }),
                metrics: z.array(z.object({ value: z.number() }).nullable().catch(null)),
              })
              .nullable()
              .catch(null),
          )
          .nullish(),
      }),
    )
    .nullish()
    .catch(undefined),
});

/** Models in a page, and pages that are read: the most downloaded models. */
const PAGE_MODELS = 1_000;
const MOST_PAGES = 20;
const MAX_PAGE_BYTES = 64_000_000;

/**
 * What the makers of the most downloaded models claim in their repositories: in `.eval_results/`, or in the older
 * `model-index` of the card. Nobody measured these figures again, so they have no places.
 */
export function hubClaimsReading(hubUrl: string): Reading {
  return {
    name: "hub/claims",
    host: hubUrl,
    async read({ http, today }) {
      const query = new URLSearchParams({ limit: String(PAGE_MODELS), sort: "downloads" });
      query.append("expand[]", "evalResults");
      query.append("expand[]", "model-index");
      const claims = new Map<string, BoardLine[]>(hubBoards.map(({ id }) => [id, []]));
      let page: string | undefined = `${hubUrl}/api/models?${query}`;
      for (let pages = 0; page !== undefined && pages < MOST_PAGES; pages++) {
        const { value, headers } = await readJson(http, page, MAX_PAGE_BYTES);
        if (!Array.isArray(value)) {
          throw new BoardFormError("is not a list of models");
        }
        for (const item of value) {
          const listed = listedSchema.safeParse(item);
          if (listed.success && isModelName(listed.data.id)) {
            addClaims(claims, listed.data);
          }
        }
        page = nextOf(headers, page);
      }
      return [...claims].map(([board, lines]) =>
        placeModels(board, inRange(board, inPercent(lines)), { asOf: today, isWhole: false }),
      );
    },
  };
}

function addClaims(claims: Map<string, BoardLine[]>, model: z.infer<typeof listedSchema>): void {
  const { id, evalResults, "model-index": index } = model;
  const add = (dataset: string, value: number, more: Partial<BoardLine> = {}) => {
    const board = hubBoards.find(({ hubDataset }) => hubDataset.id.toLowerCase() === dataset.toLowerCase());
    if (board !== undefined) {
      claims.get(board.id)?.push({ system: id, model: id, value, evidence: "claimed", ...more });
    }
  };
  for (const result of evalResults ?? []) {
    if (result !== null) {
      const day = result.date?.slice(0, 10);
      const isDay = day !== undefined && z.iso.date().safeParse(day).success;
      add(result.dataset.id, result.value, isDay ? { as_of: day } : {});
    }
  }
  for (const { results } of index ?? []) {
    for (const result of results ?? []) {
      const value = result?.metrics.find((metric) => metric !== null)?.value;
      if (result !== null && value !== undefined) {
        add(result.dataset.type, value);
      }
    }
  }
}

/** Owners may write any number. Impossible values are left out. */
function inRange(board: string, lines: readonly BoardLine[]): BoardLine[] {
  const range = hubBoards.find(({ id }) => id === board)?.range ?? [0, 0];
  return lines.filter(({ value }) => value >= range[0] && value <= range[1]);
}

function nextOf(headers: Headers, current: string): string | undefined {
  const target = /<([^<>]+)>\s*;[^,<]*\brel="?next\b/i.exec(headers.get("link") ?? "")?.[1];
  if (target === undefined || !URL.canParse(target, current)) {
    return undefined;
  }
  const next = new URL(target, current);
  if (next.origin !== new URL(current).origin) {
    throw new SourceError(`${new URL(current).origin} names a next page on another server, ${next.origin}`);
  }
  return next.href;
}

function parsed<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new BoardFormError(
      `does not have the expected form, at ${issue?.path.join(".") || "the top level"}: ${issue?.message}`,
    );
  }
  return result.data;
}
