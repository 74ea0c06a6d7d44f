import { inventoryLoss } from "../../../app/index.ts";
import { type Problem, verify } from "../../../inventory/index.ts";
import type { CommandContext, ParsedArguments } from "../../command.ts";
import { exitCodes, UsageError } from "../../errors.ts";
import { connectExisting, loadConfig } from "../../resources.ts";
import { listenForStop } from "../../stop-signals.ts";
import { formatDuration } from "../../terminal/format.ts";
import { Progress } from "../../terminal/progress.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { cleanText } from "../../terminal/text.ts";

/** Runs `modelscout inventory verify`. */
export async function runInventoryVerify(context: CommandContext): Promise<number> {
  const { args, terminal } = context;
  const sample = readSample(args);
  const config = loadConfig(context);
  const database = await connectExisting(config);
  const stop = listenForStop();
  const began = performance.now();
  let progress: Progress | undefined;
  try {
    const { models, sampled, problems } = await verify(database, {
      sample,
      loss: await inventoryLoss(config, database),
      signal: stop.signal,
      onProgress: (done, total) => {
        progress ??= new Progress(terminal, { title: "Verifying the inventory", total });
        progress.update(done, `${done.toLocaleString("en")} models`);
      },
    }).finally(() => progress?.stop());
    const seconds = Number(((performance.now() - began) / 1_000).toFixed(3));
    const kinds = problems.length;
    const found = kinds === 0 ? "No faults" : kinds === 1 ? "1 fault found" : `${kinds} faults found`;
    terminal.print(
      args.has("json")
        ? JSON.stringify({ models, sampled, problems, seconds }, null, 2)
        : [
            `${found}: ${models.toLocaleString("en")} models read, ${sampled} looked up in every index, in ${formatDuration(seconds * 1_000)}.`,
            ...problems.map((problem) => renderProblem(problem, terminal)),
          ].join("\n"),
    );
    return problems.length === 0 ? exitCodes.done : exitCodes.failed;
  } catch (error) {
    const code = stop.code();
    if (code === undefined) {
      throw error;
    }
    return code;
  } finally {
    stop.release();
    await database.close();
  }
}

function renderProblem({ what, count, models }: Problem, terminal: Terminal): string {
  const times = count > 1 ? `, ${count.toLocaleString("en")} times` : "";
  const where = models.length === 0 ? "" : `: ${models.join(", ")}${count > models.length ? " …" : ""}`;
  return `  ${terminal.paint("red", cleanText(`${what}${times}`))}${cleanText(where)}`;
}

function readSample(args: ParsedArguments): number | undefined {
  const text = args.value("sample");
  if (text === undefined) {
    return undefined;
  }
  if (/^\d{1,7}$/.test(text)) {
    return Number(text);
  }
  throw new UsageError("inventory verify", [
    `--sample: is ${JSON.stringify(text)}; must be a whole number from 0 to 9999999`,
  ]);
}
