import { boardFiles } from "../../evaluations/index.ts";
import { boardAddresses } from "./board-addresses.ts";
import { type Reading, readText } from "./reading.ts";

/** The files of boards that their publishers keep in repositories. */
export function fileReadings(addressOf: (publisher: keyof typeof boardAddresses) => string | undefined): Reading[] {
  return boardFiles.flatMap(({ publisher, path, read }): Reading[] => {
    const base = publisher in boardAddresses ? addressOf(publisher as keyof typeof boardAddresses) : undefined;
    if (path === undefined || base === undefined) {
      return [];
    }
    return [
      {
        name: `${publisher}/${path}`,
        host: base,
        read: async ({ http, today, known }) =>
          read(await readText(http, `${base}/${path}`), { asOf: today, known: known() }),
      },
    ];
  });
}
