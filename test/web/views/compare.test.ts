import { expect, it } from "vitest";
import { launchChromium } from "../../support/browser/chromium.ts";
import { startApp } from "../../support/service/start-app.ts";
import { watchedPage, windows } from "../support/watched-page.ts";

const { url } = await startApp({ isUnlimited: false, env: { MODELSCOUT_BURST: "off" } });
const browser = await launchChromium();

it("compares models selected in a list, up to eight", async () => {
  const { page, complaints } = await watchedPage(browser, url, "/?family=whisper");
  const toggles = page.getByRole("button", { name: /^Compare / });
  await toggles.first().waitFor();
  for (let i = 0; i < 8; i++) {
    await toggles.nth(i).click();
  }
  expect(await page.locator(".tray").textContent()).toContain("8 of 8");
  expect(await toggles.nth(8).isDisabled()).toBe(true);
  await toggles.nth(7).click();
  expect(await toggles.nth(8).isDisabled()).toBe(false);
  await page.locator(".tray").getByRole("link", { name: "Compare" }).click();
  await page.waitForSelector(".compare-table td .fit");
  expect(await page.locator(".compare-table").first().locator("thead th").count()).toBe(7);
  expect(new URL(page.url()).searchParams.getAll("compare")).toHaveLength(7);
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
    expect.stringMatching(/^[\d.]+ \(\d+ of 1\d\d\)(?:best here)?$/),
    expect.stringMatching(/^[\d.]+ \(\d+ of 1\d\d\)(?:best here)?$/),
  ];
  expect(await row("EuroEval leaderboard for English")).toEqual(places);
  // The better figure of the service's answer is marked.
  const { boards } = await (
    await fetch(`${url}/models/compare?names=Qwen/Qwen3-8B&names=openai/gpt-oss-20b&hardware=cpu`)
  ).json();
  const english = boards.find((board: { name: string }) => board.name === "EuroEval leaderboard for English");
  const marked = (await row("EuroEval leaderboard for English")).map((text) => text.includes("best here"));
  expect(marked).toEqual(english.figures.map((figure: { best: boolean }) => figure.best));
  expect(marked).toContain(true);
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
  await expect.poll(() => page.locator(".compare-table").first().locator("thead th").count()).toBe(2);
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
  expect(await page.getByRole("rowheader", { name: "Tasks" }).count()).toBe(0);
  await page.getByRole("button", { name: /the same$/ }).click();
  expect(await page.getByRole("rowheader", { name: "Tasks" }).count()).toBe(1);
  expect(await page.locator(".compare-table").first().getByRole("columnheader").count()).toBe(2);
});

it("draws memory and speed on the visitor's machine, and on a class that is chosen", async () => {
  const { page, complaints } = await watchedPage(browser, url, "/");
  await page.evaluate(() => localStorage.setItem("modelscout.machine", '{"gpu":"RTX 3060"}'));
  await page.goto(`${url}/?compare=Qwen/Qwen3-8B&compare=google/gemma-3-4b-it`);
  const memory = page.getByRole("img", { name: /^Memory on/ });
  await memory.waitFor();
  const estimates = async (hardware: string) => {
    const query = `names=Qwen/Qwen3-8B&names=google/gemma-3-4b-it&${hardware}`;
    const answer = await (await fetch(`${url}/models/compare?${query}`)).json();
    return answer.estimates.map(
      ({ estimate }: { estimate: { memory_gb: number } }) => `${Number(estimate.memory_gb.toFixed(1))} GB`,
    );
  };
  const mine = await estimates("device.gpu_name=RTX+3060");
  expect(await memory.getAttribute("aria-label")).toContain(
    `Memory on RTX 3060: Qwen3-8B ${mine[0]}, gemma-3-4b-it ${mine[1]}.`,
  );
  expect(await page.getByRole("img", { name: /^Expected speed on RTX 3060/ }).count()).toBe(1);
  await page.getByLabel("Hardware").selectOption("gpu-8gb");
  const small = await estimates("hardware=gpu-8gb");
  await expect
    .poll(() => memory.getAttribute("aria-label"))
    .toContain(`Memory on 8 GB graphics card: Qwen3-8B ${small[0]}, gemma-3-4b-it ${small[1]}.`);
  expect(complaints).toEqual([]);
});

it("tells each name that does not exist, with its own nearest ones", async () => {
  const { page } = await watchedPage(browser, url, "/?compare=Qwen/Qwen3-8C&compare=openai/gpt-oss-21b");
  await page.getByRole("button", { name: "Remove Qwen/Qwen3-8C" }).waitFor();
  expect(await page.getByRole("alert").count()).toBe(2);
  await page.getByRole("alert").nth(1).getByRole("link", { name: "openai/gpt-oss-20b" }).click();
  await expect.poll(() => page.getByRole("alert").count()).toBe(1);
  await page.getByRole("alert").getByRole("link", { name: "Qwen/Qwen3-8B" }).first().click();
  await page.waitForSelector(".compare-table td .fit");
});

it("asks for another model when there is only one", async () => {
  const { page } = await watchedPage(browser, url, "/?compare=Qwen/Qwen3-8B");
  await page.getByText("Add another model.").waitFor();
  await page.getByRole("button", { name: "Remove Qwen/Qwen3-8B" }).click();
  await expect.poll(() => new URL(page.url()).search).toBe("?compare=");
});
