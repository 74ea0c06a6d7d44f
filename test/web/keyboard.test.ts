import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { launchChromium } from "../support/browser/chromium.ts";
import { startApp } from "../support/service/start-app.ts";
import { watchedPage, windows } from "./support/watched-page.ts";

const { url } = await startApp({
  isUnlimited: false,
  env: { MODELSCOUT_FREE_PER_DAY: "1000", MODELSCOUT_BURST: "off" },
});
const browser = await launchChromium();

/** The focused element: its role or tag, and its name or text. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLElement;
    const label = element.getAttribute("aria-label") ?? element.querySelector("title")?.textContent;
    const labels = (element as HTMLInputElement).labels?.[0]?.textContent;
    return `${element.tagName.toLowerCase()} ${label ?? labels ?? element.textContent?.trim() ?? ""}`;
  });

/** Presses Tab until a matching element has the focus, at most `most` times. */
async function tabTo(page: Page, what: RegExp, most = 60): Promise<void> {
  const passed: string[] = [];
  for (let i = 0; i < most; i++) {
    await page.keyboard.press("Tab");
    const now = await focused(page);
    if (what.test(now)) {
      return;
    }
    passed.push(now);
  }
  throw new Error(`Tab does not come to ${what}; it passed ${passed.join(" | ")}`);
}

describe("by the keyboard alone", () => {
  it("a need is asked, a wish dropped, a model compared and its page read", async () => {
    const { page, complaints } = await watchedPage(browser, url, "/");
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("a Skip to content");
    await page.keyboard.press("Enter");
    await tabTo(page, /^textarea/);
    await page.keyboard.type("answer customers in German");
    // Shift+Enter starts a new line.
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("on my laptop");
    expect(await page.getByLabel("What do you need a model for?").inputValue()).toBe(
      "answer customers in German\non my laptop",
    );
    await page.keyboard.press("Enter");
    await page.waitForSelector(".card");
    // The focus moves to the answer.
    await expect.poll(() => focused(page)).toMatch(/^section Recommended models/);
    await tabTo(page, /Ignore: Language German/);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Use again: Language German" }).waitFor();
    expect(await focused(page)).toMatch(/^button Use again: Language German/);
    await tabTo(page, /^button Compare /);
    await page.keyboard.press("Space");
    await page.waitForSelector(".tray");
    await page.locator(".card .model-name").first().focus();
    await page.keyboard.press("Enter");
    await page.waitForSelector(".fact-list");
    // In a new view the heading has the focus.
    expect(await focused(page)).toMatch(/^h1 /);
    await tabTo(page, /^select Hardware/);
    await tabTo(page, /^input Graphics card/);
    await page.keyboard.type("RTX 3060");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".estimate");
    expect(complaints).toEqual([]);
  });

  it("a treemap is one tab stop, and arrows move from tile to tile", async () => {
    const { page } = await watchedPage(browser, url, "/?browse=families");
    await page.waitForSelector(".treemap a");
    await tabTo(page, /^a qwen, /);
    await page.keyboard.press("ArrowRight");
    const second = await focused(page);
    expect(second).toMatch(/^a \S+, \d+ models$/);
    expect(second).not.toContain("qwen");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    const last = await focused(page);
    expect(last).not.toContain("qwen");
    await page.keyboard.press("Tab");
    expect(await focused(page)).toMatch(/^input Filter/);
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".model-list li");
  });

  it("the connection panel holds the focus, and gives it back", async () => {
    const { page } = await watchedPage(browser, url, "/?browse=tasks");
    await tabTo(page, /Key and connection/);
    await page.keyboard.press("Enter");
    await page.waitForSelector("dialog[open]");
    for (let i = 0; i < 12; i++) {
      await page.keyboard.press("Tab");
      const isOutside = await page.evaluate(
        () => document.activeElement !== document.body && document.activeElement?.closest("dialog") === null,
      );
      expect(isOutside).toBe(false);
    }
    await page.keyboard.press("Escape");
    expect(await focused(page)).toMatch(/Key and connection/);
  });

  it("the forms of a call are tabs, and the chosen one is copied", async () => {
    const { page } = await watchedPage(browser, url, "/?model=openai/whisper-tiny", {
      ...windows.desktop,
      permissions: ["clipboard-read", "clipboard-write"],
    });
    await page.waitForSelector(".call-panel");
    await page.getByRole("tab", { name: "curl" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    expect(await page.getByRole("tab", { name: "TypeScript" }).getAttribute("aria-selected")).toBe("true");
    expect(await focused(page)).toBe("button TypeScript");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByText("Copied", { exact: true }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toContain('from "@modelscout/client"');
    expect(await page.getByRole("status").allTextContents()).toContain("Copied the TypeScript call.");
  });

  it("every control that has the focus shows it", async () => {
    const { page } = await watchedPage(browser, url, "/");
    await page.waitForSelector(".type-strip svg a");
    const bare: string[] = [];
    for (let i = 0; i < 40; i++) {
      await page.keyboard.press("Tab");
      const shows = await page.evaluate(() => {
        const element = document.activeElement as HTMLElement;
        if (element === document.body) {
          return true;
        }
        const places = [element, ...element.querySelectorAll("rect"), element.closest(".need-box")];
        return places.some((place) => {
          if (place === null) {
            return false;
          }
          const { outlineStyle, outlineWidth, stroke, strokeWidth } = getComputedStyle(place);
          return (outlineStyle !== "none" && outlineWidth !== "0px") || (stroke !== "none" && strokeWidth === "3px");
        });
      });
      if (!shows) {
        bare.push(await focused(page));
      }
    }
    expect(bare).toEqual([]);
  });
});

it("announces answers and views to screen readers", async () => {
  const { page } = await watchedPage(browser, url, "/?q=transcribe+meetings&top_k=2");
  const live = page.locator("[aria-live=polite]");
  await expect
    .poll(() => live.textContent(), { timeout: 10_000 })
    .toMatch(/^2 models recommended\. The first is \S+\/\S+\.$/);
  expect(await page.getByRole("banner").count()).toBe(1);
  expect(await page.getByRole("main").count()).toBe(1);
  expect(await page.getByRole("contentinfo").count()).toBe(1);
  expect(await page.getByRole("navigation", { name: "Views" }).count()).toBe(1);
  expect(await page.getByRole("search").count()).toBe(1);
  expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
});
