import type { Table } from "@lancedb/lancedb";
import { quote } from "./filter.ts";
import { searchText, searchVector } from "./model-search.ts";
import type { Problems } from "./problems.ts";

/** Words of a text that it is looked for by: some of them say something. */
const WORDS = 40;

/** Looks for models spread over the table in every index, each by what it has itself. @returns how many. */
export async function verifyIndexes(table: Table, models: number, wanted: number, problems: Problems): Promise<number> {
  const count = Math.min(wanted, models);
  const columns = ["key", "family", "labels", "types", "change", "text", "vector"];
  for (let i = 0; i < count; i++) {
    const offset = Math.floor((i * models) / count);
    const [row] = await table.query().select(columns).offset(offset).limit(1).toArray();
    if (row === undefined) continue;
    const key: string = row.key;
    const only = `key = ${quote(key)}`;
    const expectFound = async (where: string, found: Promise<unknown[]>) => {
      if ((await found).length !== 1) problems.add(`it is not found ${where}`, key);
    };
    const having = (condition: string) => table.query().select(["key"]).where(`${only} AND ${condition}`).toArray();
    await expectFound("by its key", table.query().select(["key"]).where(only).toArray());
    await expectFound("by its family", having(`family = ${quote(row.family)}`));
    await expectFound("by the number of its write", having(`change = ${row.change}`));
    for (const label of row.labels) await expectFound("by its labels", having(`array_has(labels, ${quote(label)})`));
    for (const type of row.types) await expectFound("by its task types", having(`array_has(types, ${quote(type)})`));
    const words: string[] = row.text.match(/[a-zA-Z]{3,20}/g) ?? [];
    if (words.length > 0)
      await expectFound(
        "by its words",
        searchText(table, words.slice(0, WORDS).join(" "), { limit: 1, condition: only }),
      );
    await expectFound("by its vector", searchVector(table, row.vector.toArray(), { limit: 1, condition: only }));
  }
  return count;
}
