import { expect, it } from "vitest";
import { launchChromium } from "../../support/browser/chromium.ts";
import { startApp } from "../../support/service/start-app.ts";
import { watchedPage, windows } from "../support/watched-page.ts";

const { url } = await startApp({ isUnlimited: false, env: { MODELSCOUT_BURST: "off" } });
const browser = await launchChromium();

it("compares models selected in a list, up to four", async () => {
  const { page, complaints } = await watchedPage(browser, url, "/?family=whisper");
  const toggles = page.getByRole("button", { name: /^Compare / });
  await toggles.first().waitFor();
  for (let i = 0; i < 4; i++) {
    await toggles.nth(i).click();
  }
  expect(await page.locator(".tray").textContent()).toContain("4 of 4");
  expect(await toggles.nth(4).isDisabled()).toBe(true);
  await toggles.nth(3).click();
  expect(await toggles.nth(4).isDisabled()).toBe(false);
  await page.locator(".tray").getByRole("link", { name: "Compare" }).click();
  await page.waitForSelector(".compare-table td .fit");
  expect(await page.locator(".compare-table thead th").count()).toBe(3);
  expect(new URL(page.url()).searchParams.getAll("compare")).toHaveLength(3);
  expect(await page.locator(".tray").count()).toBe(0);
  expect(complaints).toEqual([]);
});

it("compares the models of a link, each with its own facts, and adds and removes models", async () => {
  const { page, complaints } = await watchedPage(browser, url, "/?compare=Qwen/Qwen3-8B&compare=openai/gpt-oss-20b");
  await page.waitForSelector(".compare-table td .fit");
  const row = (name: string) =>
    page
      .getByRole("row", { name: new RegExp(`^${name}`) })
      .getByRole("cell")
      .allTextContents();
  expect(await row("Parameters")).toEqual(["8.19B", "20.9B"]);
  expect(await row("Context")).toEqual(["40,960 tokens", "131,072 tokens"]);
  const places = [
    expect.stringMatching(/^[\d.]+ \(\d+ of 1\d\d\)$/),
    expect.stringMatching(/^[\d.]+ \(\d+ of 1\d\d\)$/),
  ];
  expect(await row("EuroEval leaderboard for English")).toEqual(places);
  await page.getByRole("combobox", { name: "Add a model" }).fill("gemma-3-4b-it");
  await page.getByRole("option", { name: /^google\/gemma-3-4b-it / }).click();
  await expect.poll(() => row("Parameters")).toEqual(["8.19B", "20.9B", "4.3B"]);
  await page.getByRole("button", { name: "Remove Qwen/Qwen3-8B" }).click();
  await expect.poll(() => row("Parameters")).toEqual(["20.9B", "4.3B"]);
  expect(new URL(page.url()).searchParams.getAll("compare")).toEqual(["openai/gpt-oss-20b", "google/gemma-3-4b-it"]);
  await page.goBack();
  await expect.poll(() => row("Parameters")).toEqual(["8.19B", "20.9B", "4.3B"]);
  expect(complaints).toEqual([]);
});

it("offers the nearest names in place of a name that does not exist", async () => {
  const { page } = await watchedPage(browser, url, "/?compare=Qwen/Qwen3-8B&compare=openai/gpt-oss-21b");
  await page.getByRole("alert").getByRole("link", { name: "openai/gpt-oss-20b" }).click();
  await expect.poll(() => page.locator(".compare-table thead th").count()).toBe(2);
  expect(new URL(page.url()).searchParams.getAll("compare")).toEqual(["Qwen/Qwen3-8B", "openai/gpt-oss-20b"]);
});

it("keeps the table readable for screen readers on a phone, where rows have another layout", async () => {
  const { page } = await watchedPage(browser, url, "/?compare=Qwen/Qwen3-8B&compare=openai/gpt-oss-20b", windows.phone);
  await page.waitForSelector(".compare-table td .fit");
  expect(
    await page
      .getByRole("row", { name: /^Parameters/ })
      .getByRole("cell")
      .count(),
  ).toBe(2);
  expect(await page.getByRole("rowheader", { name: "Licence" }).count()).toBe(1);
  expect(await page.getByRole("columnheader").count()).toBe(2);
});
