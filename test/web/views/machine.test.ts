import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { launchChromium } from "../../support/browser/chromium.ts";
import { startApp } from "../../support/service/start-app.ts";
import { axeFaults } from "../support/axe-faults.ts";
import { isRefusal } from "../support/views.ts";
import { watchedPage, windows } from "../support/watched-page.ts";

const { url } = await startApp({
  isUnlimited: false,
  env: { MODELSCOUT_FREE_PER_DAY: "1000", MODELSCOUT_BURST: "off" },
});
const browser = await launchChromium();
const estimate = async (body: object) =>
  (
    await fetch(`${url}/models/estimate`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    })
  ).json();

const dialog = (page: Page) => page.getByRole("dialog", { name: "My machine" });

/** Sets the visitor's machine in the dialog. */
async function setMachine(page: Page, gpu: string): Promise<void> {
  await page.getByRole("button", { name: /^My machine/ }).click();
  await dialog(page).getByLabel("Graphics card or chip").fill(gpu);
  await dialog(page).getByRole("button", { name: "Save" }).click();
}

describe("my machine", () => {
  it("is checked by the service, kept in the browser, and shown in the header", async () => {
    const { page, complaints } = await watchedPage(browser, url, "/?compare=");
    await setMachine(page, "RTX 3060");
    const { basis } = await estimate({ parameters: 1e9, hardware: { gpu_name: "RTX 3060" } });
    await dialog(page).getByText("Saved.").waitFor();
    expect(await dialog(page).getByRole("listitem").first().textContent()).toBe(basis[0]);
    await page.keyboard.press("Escape");
    await page.reload();
    expect(await page.getByRole("button", { name: "My machine: RTX 3060" }).isVisible()).toBe(true);
    await page.getByRole("button", { name: "My machine: RTX 3060" }).click();
    await dialog(page).getByRole("button", { name: "Remove" }).click();
    await page.keyboard.press("Escape");
    await page.reload();
    expect(await page.getByRole("button", { name: "My machine", exact: true }).isVisible()).toBe(true);
    expect(complaints).toEqual([]);
  });

  it("that the service does not know is not kept, and its own words say why", async () => {
    const { page, complaints } = await watchedPage(browser, url, "/?compare=");
    await setMachine(page, "RTX 306x");
    const field = dialog(page).getByLabel("Graphics card or chip");
    await expect.poll(() => field.getAttribute("aria-invalid")).toBe("true");
    const { error } = await estimate({ parameters: 1e9, hardware: { gpu_name: "RTX 306x" } });
    const violation = error.details.find((detail: { field_violations?: object[] }) => detail.field_violations);
    expect(await page.locator("#machine-gpu-problem").textContent()).toBe(violation.field_violations[0].description);
    expect(await page.evaluate("document.activeElement.id")).toBe("machine-gpu");
    expect(await page.evaluate("localStorage.getItem('modelscout.machine')")).toBeNull();
    await dialog(page).getByLabel("Number of cards").fill("two");
    await dialog(page).getByRole("button", { name: "Save" }).click();
    await expect.poll(() => page.locator("#machine-gpus-problem").textContent()).toContain("whole number");
    expect(complaints.filter((text) => !isRefusal(text))).toEqual([]);
  });

  it.each([
    ["light", windows.desktop],
    ["dark", windows.desktop],
    ["light", windows.phone],
  ] as const)("has an accessible dialog in %s", async (colorScheme, options) => {
    const { page } = await watchedPage(browser, url, "/?compare=", { ...options, colorScheme });
    await setMachine(page, "RTX 306x");
    await page.waitForSelector("#machine-gpu-problem");
    await dialog(page).getByText("Enter figures yourself").click();
    expect(await axeFaults(page)).toEqual([]);
  });

  it("is what a model's page shows first, in its charts, its table and its calculator", async () => {
    const { page, complaints } = await watchedPage(browser, url, "/?model=Qwen/Qwen3-8B");
    await setMachine(page, "RTX 3060");
    await dialog(page).getByText("Saved.").waitFor();
    await page.keyboard.press("Escape");
    const expected = await estimate({ model_name: "Qwen/Qwen3-8B", hardware: { gpu_name: "RTX 3060" } });
    const row = page.getByRole("row", { name: /^RTX 3060/ });
    await row.waitFor();
    expect(await row.textContent()).toContain(`${Number(expected.memory_gb.toFixed(1))} GB`);
    expect(await row.textContent()).toContain(expected.quantization);
    expect(await page.getByRole("img", { name: /^Expected speed of/ }).getAttribute("aria-label")).toContain(
      `RTX 3060 ${expected.quantization}`,
    );
    expect(await page.getByRole("combobox", { name: /^Hardware/ }).inputValue()).toBe("machine");
    await page.waitForSelector(".estimate");
    expect(await page.getByRole("region", { name: "Estimate on RTX 3060" }).textContent()).toContain(expected.basis[0]);
    // Another card is only tried out, until it is kept.
    await page.getByRole("button", { name: "RTX 4090" }).click();
    await page.getByRole("region", { name: "Estimate on RTX 4090" }).waitFor();
    expect(await page.getByRole("button", { name: "My machine: RTX 3060" }).isVisible()).toBe(true);
    await page.getByRole("button", { name: "Save as my machine" }).click();
    await page.getByRole("button", { name: "My machine: RTX 4090" }).waitFor();
    await page.getByRole("row", { name: /^RTX 4090/ }).waitFor();
    expect(complaints).toEqual([]);
  });
});
