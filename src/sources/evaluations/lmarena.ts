import { z } from "zod";
import { BoardFormError, type BoardLine, placeModels } from "../../evaluations/index.ts";
import { type Reading, readJson } from "./reading.ts";

/** The data set's configurations that are boards here, by board. */
const configurations = {
  "lmarena-text": "text",
  "lmarena-vision": "vision",
  "lmarena-webdev": "webdev",
  "lmarena-text-to-image": "text_to_image",
  "lmarena-image-edit": "image_edit",
  "lmarena-text-to-video": "text_to_video",
  "lmarena-image-to-video": "image_to_video",
} as const;

/** A page of the datasets server's `/filter`; 100 rows are its most. */
const pageSchema = z.object({
  rows: z.array(
    z.object({
      row: z.object({
        model_name: z.string().min(1),
        rating: z.number(),
        leaderboard_publish_date: z.string().nullish(),
      }),
    }),
  ),
  num_rows_total: z.number().int().nonnegative(),
});
const PAGE_ROWS = 100;
/** A board has some hundred models. */
const MOST_PAGES = 20;

/** LMArena's ratings of all kinds of questions together, from its data set on the Hub. */
export function arenaReadings(serverUrl: string): Reading[] {
  return Object.entries(configurations).map(([board, config]) => ({
    name: `lmarena/${config}`,
    host: serverUrl,
    async read({ http, today }) {
      const lines: BoardLine[] = [];
      for (let page = 0, total = 1; lines.length < total; page++) {
        if (page >= MOST_PAGES) {
          throw new BoardFormError(`has more than ${MOST_PAGES * PAGE_ROWS} rows`);
        }
        const query = new URLSearchParams({
          dataset: "lmarena-ai/leaderboard-dataset",
          config,
          split: "latest",
          where: "\"category\"='overall'",
          offset: String(page * PAGE_ROWS),
          length: String(PAGE_ROWS),
        });
        const { value } = await readJson(http, `${serverUrl}/filter?${query}`);
        const parsed = pageSchema.safeParse(value);
        if (!parsed.success) {
          const [issue] = parsed.error.issues;
          throw new BoardFormError(`does not have the expected form, at ${issue?.path.join(".")}: ${issue?.message}`);
        }
        total = parsed.data.num_rows_total;
        for (const { row } of parsed.data.rows) {
          const day = row.leaderboard_publish_date?.slice(0, 10);
          lines.push({
            system: row.model_name,
            value: row.rating,
            ...(day !== undefined && z.iso.date().safeParse(day).success && { as_of: day }),
          });
        }
        if (parsed.data.rows.length === 0) {
          break;
        }
      }
      if (lines.length === 0) {
        throw new BoardFormError("has no rows");
      }
      return [placeModels(board, lines, { asOf: today })];
    },
  }));
}
