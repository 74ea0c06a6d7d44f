import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { createApp } from "../../src/app/app.ts";
import { readConfig } from "../../src/config/config.ts";
import { launchChromium } from "../support/browser/chromium.ts";
import { watchedPage } from "./support/watched-page.ts";

const homes: string[] = [];
afterAll(() => {
  for (const home of homes) {
    rmSync(home, { recursive: true, force: true });
  }
});
const browser = await launchChromium();
// The first page of a browser takes about as long as indexing the starter catalogue; the next ones are fast.
const first = await browser.newPage();
await first.goto("data:text/html,<p>warm</p>");
await first.close();

const makeHome = () => {
  const home = mkdtempSync(join(tmpdir(), "modelscout-"));
  homes.push(home);
  return home;
};

const start = async (port: number, home: string) => {
  const { config } = readConfig({ PORT: String(port), LOG_LEVEL: "silent", MODELSCOUT_HOME: home });
  const app = await createApp(config);
  const { url, port: taken } = await app.listen();
  return { app, url, port: taken };
};

it("waits for a service that is not ready, and reports one that is gone", async () => {
  // The page is served while the starter catalogue is indexed, which needs a new home, also where the test is retried.
  const home = makeHome();
  const { app, url, port } = await start(0, home);
  const { page } = await watchedPage(browser, url, "/?browse=families");
  await page.getByRole("heading", { name: "The service cannot answer right now" }).waitFor();
  expect(await page.getByRole("alert").textContent()).toContain("not ready yet");
  await page.waitForSelector(".treemap a");
  await app.close({ force: true });
  await page.getByRole("link", { name: "Tasks", exact: true }).first().click();
  await page.getByRole("heading", { name: "The service does not answer" }).waitFor();
  const again = await start(port, home);
  try {
    await again.app.ready;
    await page.getByRole("button", { name: "Try again" }).click();
    await page.waitForSelector(".treemap a");
  } finally {
    await again.app.close({ force: true });
  }
});

it("says that an inventory is empty, and how to fill it", async () => {
  const empty = mkdtempSync(join(tmpdir(), "modelscout-"));
  const { config } = readConfig({ PORT: "0", LOG_LEVEL: "silent", MODELSCOUT_HOME: empty, MODELSCOUT_STARTER: "off" });
  const app = await createApp(config);
  try {
    const { url } = await app.listen();
    await app.ready;
    const { page, complaints } = await watchedPage(browser, url, "/?q=poems");
    await page.waitForSelector(".answer .notice");
    expect(await page.locator(".answer .notice").textContent()).toContain("npx modelscout import");
    await page.goto(`${url}/?browse=families`);
    await page.getByText("0 models in 0 families").waitFor();
    expect(complaints).toEqual([]);
  } finally {
    await app.close({ force: true });
    rmSync(empty, { recursive: true, force: true });
  }
});
