import { PassThrough } from "node:stream";
import type { WriteStream } from "node:tty";
import { describe, expect, it } from "vitest";
import { Progress } from "../../../src/cli/terminal/progress.ts";
import { fakeTerminal } from "../support/fake-terminal.ts";

function terminalStream(columns = 80): { stream: WriteStream; written: () => string } {
  const stream = Object.assign(new PassThrough(), {
    isTTY: true,
    columns,
    rows: 24,
    // readline's cursor functions write to any stream.
    getWindowSize: () => [columns, 24],
  });
  let written = "";
  stream.on("data", (chunk: Buffer) => {
    written += chunk.toString();
  });
  return { stream: stream as unknown as WriteStream, written: () => written };
}

describe("progress", () => {
  it("is a plain line now and then in a pipe", () => {
    const terminal = fakeTerminal();
    const progress = new Progress(terminal, { title: "Importing", total: 200, lineEveryMs: 0 });
    progress.update(50, "5 models");
    progress.note("Line 3 skipped");
    progress.stop();
    expect(terminal.noted).toEqual(["Importing: 25 %, 5 models", "Line 3 skipped"]);
  });

  it("shows no percentage if the total is unknown", () => {
    const terminal = fakeTerminal();
    new Progress(terminal, { title: "Importing", total: undefined, lineEveryMs: 0 }).update(50, "5 models");
    expect(terminal.noted).toEqual(["Importing: 5 models"]);
  });

  it("is silent between lines", () => {
    const terminal = fakeTerminal();
    const progress = new Progress(terminal, { title: "Importing", total: 200, lineEveryMs: 60_000 });
    for (let done = 0; done < 200; done++) {
      progress.update(done, "");
    }
    expect(terminal.noted).toEqual([]);
  });

  it("is a bar on a terminal, with lines above it, and is removed", () => {
    const { stream, written } = terminalStream();
    const progress = new Progress({ ...fakeTerminal(), progressStream: stream }, { title: "Importing", total: 200 });
    progress.update(100, "5 models");
    progress.note("Line 3 skipped");
    progress.stop();
    progress.stop();
    expect(written()).toContain("Line 3 skipped\n");
    expect(written()).toMatch(/Importing █{12}░{12} 50 % {2}5 models/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the code that clears the rest of the screen
    expect(written()).toMatch(/\u001b\[0J$/);
  });

  it("has its whole status on a narrow terminal, with the title above it", () => {
    const { stream, written } = terminalStream(60);
    const terminal = { ...fakeTerminal(), progressStream: stream };
    const title = "First use: indexing the starter catalogue";
    const progress = new Progress(terminal, { title, total: 3_029 });
    progress.update(2_495, "2,495 of 3,029 models");
    progress.stop();
    expect(terminal.noted).toEqual([title]);
    expect(written()).toMatch(/ 82 % {2}2,495 of 3,029 models/);
    expect(written()).not.toContain("█");
  });
});
