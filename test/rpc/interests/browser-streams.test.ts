/** What docs/pro.md says of streams in browsers, in a real Chromium. */
import { describe, expect, it } from "vitest";
import { ingest } from "../../../src/inventory/write/ingest.ts";
import { launchChromium } from "../../support/browser/chromium.ts";
import { createKey } from "../../support/service/create-key.ts";
import { startApp } from "../../support/service/start-app.ts";
import { watchedPage } from "../../web/support/watched-page.ts";

const { url, home, database } = await startApp({ records: [], isUnlimited: false });
const key = await createKey({ home }, { tier: "pro" });
const browser = await launchChromium();
const path = "/models/matches:watch?after=0";

const translator = (name: string) => ({
  name,
  task_types: ["translation"],
  languages: ["no", "en"],
  description: "Translates Norwegian to English.",
  license: "mit",
});

/** Reads events in the page by fetch until one of a type comes. @returns its fields. */
const readEvent = ({ path, key, type, after }: Record<string, string>) =>
  (async () => {
    const headers = { accept: "text/event-stream", "x-api-key": key as string, "last-event-id": after as string };
    const stop = new AbortController();
    const answer = await fetch(path as string, { headers, signal: stop.signal });
    const reader = (answer.body as ReadableStream<BufferSource>).pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { value = "", done } = await reader.read();
      text += value;
      const event = text.split("\n\n").find((each) => each.includes(`"${type}"`) && each.includes("\ndata:"));
      if (event !== undefined || done) {
        stop.abort();
        const lines = (event ?? "").split("\n").map((line) => line.split(/: ?(.*)/s).slice(0, 2));
        return Object.fromEntries(lines) as Record<string, string>;
      }
    }
  })();

describe("Streams of matches in a browser", () => {
  it("are refused to EventSource, which sends no key", { timeout: 120_000 }, async () => {
    const { page } = await watchedPage(browser, url, "/");
    const state = await page.evaluate(
      (path) =>
        new Promise<number>((resolve) => {
          const source = new EventSource(path);
          source.onerror = () => resolve(source.readyState);
        }),
      path,
    );
    // Closed for good: it does not try again after a refusal.
    expect(state).toBe(2);
  });

  it("are read by fetch with the key, and resume after the last event", { timeout: 120_000 }, async () => {
    const headers = { "x-api-key": key, "content-type": "application/json" };
    const body = JSON.stringify({ name: "norwegian", description: "translate Norwegian to English", min_score: 0 });
    expect((await fetch(`${url}/models/interests`, { method: "POST", headers, body })).status).toBe(200);
    // The first filling of an inventory matches nothing.
    await ingest(database, [translator("acme/first")], { source: "test" });
    await ingest(database, [translator("acme/second")], { source: "test" });
    const { page } = await watchedPage(browser, url, "/");
    const match = await page.evaluate(readEvent, { path, key, type: "match", after: "" });
    expect(JSON.parse(match.data ?? "{}").match.model.name).toMatch(/^acme\//);
    expect(match.id).toMatch(/^\d+-/);
    await ingest(database, [translator("acme/third")], { source: "test" });
    await expect
      .poll(
        async () => {
          const next = await page.evaluate(readEvent, { path, key, type: "acme/third", after: match.id as string });
          return JSON.parse(next.data ?? "{}").match.model.name;
        },
        { timeout: 60_000 },
      )
      .toBe("acme/third");
  });
});
