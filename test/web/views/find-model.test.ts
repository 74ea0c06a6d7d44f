import { describe, expect, it } from "vitest";
import { launchChromium } from "../../support/browser/chromium.ts";
import { startApp } from "../../support/service/start-app.ts";
import { axeFaults } from "../support/axe-faults.ts";
import { watchedPage, windows } from "../support/watched-page.ts";

const { url } = await startApp({ isUnlimited: false, env: { MODELSCOUT_BURST: "off" } });
const browser = await launchChromium();

describe("the search box", () => {
  it("finds models as one types, with few calls, and opens the one that the keyboard chooses", async () => {
    const { page, calls, complaints } = await watchedPage(browser, url, "/?browse=tasks");
    const box = page.getByRole("combobox", { name: "Find a model" });
    const options = page.getByRole("option");
    await box.pressSequentially("whisper", { delay: 20 });
    await options.first().waitFor();
    // A pause ends the typing: not every letter is a call.
    expect(calls.filter(({ method }) => method === "SearchModels").length).toBeLessThan(7);
    const found = await (await fetch(`${url}/models/search?q=whisper&page_size=8`)).json();
    const names = found.models.map((model: { name: string }) => model.name);
    await expect.poll(() => page.locator("[role=option] b").allTextContents()).toEqual(names);
    expect(await box.getAttribute("aria-expanded")).toBe("true");
    expect(await options.and(page.locator("[aria-selected=true]")).count()).toBe(0);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    const active = page.locator(`#${await box.getAttribute("aria-activedescendant")}`);
    expect(await active.locator("b").textContent()).toBe(names[1]);
    expect(await active.getAttribute("aria-selected")).toBe("true");
    expect(await page.evaluate("document.activeElement.id")).toBe("find-model");
    // From the first one, up is the last one.
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    expect(await box.getAttribute("aria-activedescendant")).toBe(`find-model-${names.length - 1}`);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".fact-list");
    expect(await page.locator("h1").textContent()).toBe(names[0]);
    expect(await box.inputValue()).toBe("");
    expect(complaints).toEqual([]);
  });

  it("closes with Escape and when the focus leaves it, and lists all models with Enter", async () => {
    const { page } = await watchedPage(browser, url, "/?browse=tasks");
    const box = page.getByRole("combobox", { name: "Find a model" });
    await box.fill("qwen coder");
    await page.getByRole("option").first().waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => box.getAttribute("aria-expanded")).toBe("false");
    expect(await box.inputValue()).toBe("qwen coder");
    await page.keyboard.press("ArrowDown");
    await page.getByRole("option").first().waitFor();
    await page.keyboard.press("Tab");
    await expect.poll(() => page.getByRole("option").count()).toBe(0);
    await box.focus();
    await page.keyboard.press("Enter");
    await page.waitForSelector(".model-list li");
    expect(new URL(page.url()).search).toBe("?browse=models&name=qwen+coder");
  });

  it("opens a model that is clicked, and says when there is none", async () => {
    const { page } = await watchedPage(browser, url, "/?browse=tasks");
    const box = page.getByRole("combobox", { name: "Find a model" });
    await box.fill("zzqqzzqq-no-such-model");
    await page.locator(".model-search-list").getByText("No model found.").waitFor();
    expect(await page.locator("[aria-live=polite]").textContent()).toContain("No model found.");
    await box.fill("whisper-tiny");
    await page
      .getByRole("option", { name: /^openai\/whisper-tiny / })
      .first()
      .click();
    await page.waitForSelector(".fact-list");
    expect(await page.locator("h1").textContent()).toMatch(/^openai\/whisper-tiny/);
  });

  it.each([
    ["light", windows.desktop],
    ["dark", windows.desktop],
    ["light", windows.phone],
  ] as const)("has an accessible list in %s", async (colorScheme, options) => {
    const { page } = await watchedPage(browser, url, "/?compare=", { ...options, colorScheme });
    await page.getByRole("combobox", { name: "Find a model" }).fill("qwen");
    await page.getByRole("option").first().waitFor();
    await page.keyboard.press("ArrowDown");
    expect(await axeFaults(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")).toBe(0);
  });
});
