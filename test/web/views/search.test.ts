import { describe, expect, it } from "vitest";
import { readConfig } from "../../../src/config/config.ts";
import { launchChromium } from "../../support/browser/chromium.ts";
import { createKey } from "../../support/service/create-key.ts";
import { startApp } from "../../support/service/start-app.ts";
import { isRefusal } from "../support/views.ts";
import { type WatchedPage, watchedPage } from "../support/watched-page.ts";

const { url, home } = await startApp({
  isUnlimited: false,
  env: { MODELSCOUT_FREE_PER_DAY: "1000", MODELSCOUT_BURST: "off" },
});
const key = await createKey(readConfig({ MODELSCOUT_HOME: home }).config, { tier: "pro" });
const browser = await launchChromium();

/** A page with the Pro key, as if it was entered before. */
async function proPage(path: string): Promise<WatchedPage> {
  const watched = await watchedPage(browser, url, "/?compare=");
  await watched.page.evaluate((key) => sessionStorage.setItem("modelscout.key", key), key);
  await watched.page.goto(url + path);
  await watched.page.waitForSelector("h1");
  return watched;
}

const need = "a support chatbot that answers in German, under 6 GB";
const needPath = `/?q=${encodeURIComponent(need)}`;

describe("asking", () => {
  it("answers a need that is typed, with ranked cards and everything on them", async () => {
    const { page, complaints } = await proPage("/");
    await page.getByLabel("What do you need a model for?").fill(need);
    await page.getByRole("button", { name: "Recommend" }).click();
    await page.waitForSelector(".card");
    expect(await page.locator(".card").count()).toBe(5);
    const scores = (await page.locator(".card .score b").allTextContents()).map(Number);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    const first = page.locator(".card").first();
    for (const text of ["Why", "Also worth a look", "Download", "Memory", "Speed", "tokens/s", "How it would run"]) {
      expect(await first.textContent()).toContain(text);
    }
    expect(await first.locator(".is-reasons li").count()).toBeGreaterThan(1);
    expect(await first.getByRole("link", { name: /huggingface page of/ }).getAttribute("href")).toMatch(
      /^https:\/\/huggingface\.co\//,
    );
    expect(await first.locator(".ruler svg").getAttribute("aria-label")).toMatch(/^Needs .* GB of memory/);
    expect(new URL(page.url()).searchParams.get("q")).toBe(need);
    expect(await page.title()).toContain(need);
    expect(complaints).toEqual([]);
  });

  it("answers an example that is clicked", async () => {
    const { page } = await watchedPage(browser, url, "/");
    const example = page.locator(".example").first();
    const text = (await example.textContent()) as string;
    await example.click();
    await page.waitForSelector(".card");
    expect(await page.getByLabel("What do you need a model for?").inputValue()).toBe(text);
  });

  it("answers a link, and keeps the answer when it is loaded again or gone back to", async () => {
    const { page, calls } = await watchedPage(browser, url, needPath);
    await page.waitForSelector(".card");
    const names = await page.locator(".card-title h3").allTextContents();
    const asked = () => calls.filter(({ method }) => method === "Recommend").length;
    expect(asked()).toBe(1);
    await page.reload();
    await page.waitForSelector(".card");
    await page.getByRole("link", { name: "Tasks", exact: true }).first().click();
    await page.waitForSelector(".treemap");
    await page.goBack();
    await page.waitForSelector(".card");
    expect(await page.locator(".card-title h3").allTextContents()).toEqual(names);
    expect(asked()).toBe(1);
    // A question that is sent again is a new call, even with a cached answer.
    await page.getByRole("button", { name: "Recommend" }).click();
    await expect.poll(asked).toBe(2);
  });

  it("asks the visitor before it sends the question of another site", async () => {
    const { page, calls } = await watchedPage(browser, url, `${needPath}&unasked`);
    await page.getByRole("heading", { name: "This link contains a question" }).waitFor();
    await page.waitForLoadState("networkidle");
    expect(calls.some(({ method }) => method === "Recommend")).toBe(false);
    await page.getByRole("button", { name: "Ask now" }).click();
    await page.waitForSelector(".card");
    expect(new URL(page.url()).searchParams.has("unasked")).toBe(false);
  });
});

describe("what was understood", () => {
  it("is marked in the words and shown as chips, with the confidence of each task", async () => {
    const { page } = await watchedPage(browser, url, needPath);
    await page.waitForSelector(".understood");
    expect(await page.locator(".understood mark").allTextContents()).toEqual(["in German", "under 6 GB"]);
    expect(await page.locator(".understood blockquote").textContent()).toBe(need);
    const chips = await page.locator(".understood .chip").allTextContents();
    expect(chips.join("\n")).toMatch(/conversational.*\d+ %/);
    expect(chips).toContain("LanguageGerman");
    expect(chips).toContain("Size6 GB");
  });

  it("can be dropped and restored, and the answers follow", async () => {
    const { page, complaints } = await watchedPage(browser, url, needPath);
    await page.waitForSelector(".card");
    const text = async () => (await page.locator(".cards").textContent()) as string;
    expect(await text()).toContain("German");
    await page.getByRole("button", { name: "Ignore: Language German" }).click();
    await page.getByRole("button", { name: "Use again: Language German" }).waitFor();
    expect(new URL(page.url()).searchParams.getAll("ignore")).toEqual(["language:de"]);
    await expect.poll(text).not.toContain("It handles German");
    expect(await page.locator(".understood mark:not(.is-ignored)").allTextContents()).toEqual(["under 6 GB"]);
    await page.getByRole("button", { name: "Use again: Language German" }).click();
    await expect.poll(text).toContain("It handles German, as the catalogue judges.");
    expect(await page.locator(".understood mark:not(.is-ignored)").count()).toBe(2);
    expect(new URL(page.url()).searchParams.getAll("ignore")).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

describe("the charts of how a model runs", () => {
  it.each([
    ["chat on my MacBook", "apple-silicon"],
    ["chat on a Raspberry Pi", "cpu"],
    ["chat on an RTX 3060", "gpu-8gb"],
    ["chat on an RTX 4090", "gpu-24gb"],
  ])("open on the hardware of %s without a key", async (description, hardware) => {
    const { page } = await watchedPage(browser, url, `/?q=${encodeURIComponent(description)}`);
    expect(await page.locator(".how-it-runs label:has-text('Hardware') select").inputValue()).toBe(hardware);
  });

  it("do not open on hardware that is ignored", async () => {
    const { page } = await watchedPage(browser, url, "/?q=chat+on+an+RTX+3060&ignore=hardware");
    expect(await page.locator(".how-it-runs label:has-text('Hardware') select").inputValue()).toBe("gpu-24gb");
  });
});

describe("limits", () => {
  it("filter the answer and are in the address", async () => {
    const { page } = await watchedPage(browser, url, "/");
    await page.getByLabel("What do you need a model for?").fill("summarise long documents");
    await page.locator(".limits > summary").click();
    await page.getByLabel("Task type", { exact: true }).selectOption("text-gen");
    await page.getByLabel("Runs well on").selectOption("gpu-8gb");
    await page.getByLabel("Licence").selectOption("permissive");
    await page.getByLabel("Largest download, GB").fill("3.5");
    await page.getByLabel("Languages").fill("en, fr");
    await page.getByLabel("Minimum context, tokens").fill("8000");
    await page.getByLabel("What matters most").selectOption("quality");
    await page.getByLabel("How many models").fill("3");
    await page.getByRole("button", { name: "Recommend" }).click();
    await page.waitForSelector(".card");
    expect(await page.locator(".card").count()).toBeLessThanOrEqual(3);
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({
      task_type: "text-gen",
      hardware: "gpu-8gb",
      license: "permissive",
      max_size_gb: "3.5",
      min_context_length: "8000",
      priority: "quality",
      top_k: "3",
    });
    expect(new URL(page.url()).searchParams.getAll("languages")).toEqual(["en", "fr"]);
    expect(await page.locator(".answer-head").textContent()).toMatch(/\d,\d+ searched, \d+ pass your limits/);
    const downloads = await page.locator(".card-figures dd").allTextContents();
    expect(downloads.length).toBeGreaterThan(0);
    for (const text of downloads) {
      expect(Number.parseFloat(text)).toBeLessThanOrEqual(3.5);
    }
  });

  it("say what a model must be able to do, how large it is, how fast, and on what machine", async () => {
    const { page, complaints } = await proPage("/");
    await page.evaluate(() => localStorage.setItem("modelscout.machine", '{"gpu":"RTX 3060"}'));
    await page.reload();
    await page.getByLabel("What do you need a model for?").fill("an assistant for my office");
    await page.locator(".limits > summary").click();
    // A new need is for the visitor's own machine.
    expect(await page.getByLabel("Runs well on").locator("option:checked").textContent()).toBe("Mine: RTX 3060");
    await page.getByLabel("call tools").check();
    await page.getByLabel("Minimum parameters").fill("1.5B");
    await page.getByLabel("Maximum parameters").fill("9B");
    await page.getByLabel("Minimum speed, tokens/s").fill("10");
    await page.getByLabel("Only models without terms to accept before the download").check();
    await page.getByRole("button", { name: "Recommend" }).click();
    await page.waitForSelector(".card");
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      q: "an assistant for my office",
      capabilities: "tools",
      min_parameters: "1.5B",
      max_parameters: "9B",
      min_tokens_per_second: "10",
      exclude_gated: "true",
      "device.gpu_name": "RTX 3060",
    });
    expect(await page.locator(".machine-note").textContent()).toContain("RTX 3060");
    expect(await page.locator(".card").first().locator(".card-figures").textContent()).toContain("RTX 3060");
    const names = (await page.locator(".card-title h3").allTextContents()).map((name) => name.trim());
    for (const name of names) {
      const entry = await (await fetch(`${url}/models/detail/${name}`)).json();
      expect({ name, capabilities: entry.capabilities, isOpen: entry.gated !== true }).toEqual({
        name,
        capabilities: expect.arrayContaining(["tools"]),
        isOpen: true,
      });
      expect(entry.parameters).toBeGreaterThanOrEqual(1.5e9);
      expect(entry.parameters).toBeLessThanOrEqual(9e9);
    }
    // Another machine does not use a recommendation until the visitor asks for it.
    await page.locator(".machine-note").getByRole("button", { name: "Change my machine" }).click();
    const dialog = page.getByRole("dialog", { name: "My machine" });
    await dialog.getByLabel("Graphics card or chip").fill("RTX 4090");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("Saved.").waitFor();
    await page.keyboard.press("Escape");
    expect(new URL(page.url()).searchParams.get("device.gpu_name")).toBe("RTX 3060");
    await page.getByRole("button", { name: "Ask again for my machine: RTX 4090" }).click();
    await expect.poll(() => page.locator(".machine-note b").textContent()).toBe("RTX 4090");
    expect(new URL(page.url()).searchParams.get("device.gpu_name")).toBe("RTX 4090");
    expect(complaints).toEqual([]);
  });

  it("of a link that the service refuses are shown beside their fields", async () => {
    const path = "/?q=chat&capabilities=tolls&min_parameters=9B&max_parameters=1B&device.gpu_name=RTX+306x";
    const { page } = await watchedPage(browser, url, path);
    await expect.poll(() => page.locator("#hardware-problem").textContent()).toContain("RTX 3060");
    expect(await page.locator("#capabilities-problem").textContent()).toContain("tools");
    expect(await page.locator("#min_parameters-problem").count()).toBe(1);
    await page.getByLabel("tolls").click();
    await page.getByLabel("call tools").check();
    await page.getByLabel("Minimum parameters").fill("");
    await page.getByLabel("Runs well on").selectOption("gpu-8gb");
    await page.getByRole("button", { name: "Recommend" }).click();
    await page.waitForSelector(".answer");
    expect(await page.locator(".problem").count()).toBe(0);
  });

  it("that are invalid are shown beside their fields, all at once", async () => {
    const { page, complaints } = await watchedPage(browser, url, "/?q=chat&max_size_gb=-1&languages=zz&top_k=99");
    await page.waitForSelector(".problem");
    const problem = (label: string) =>
      page.getByLabel(label).evaluate((field) => {
        const id = field.getAttribute("aria-describedby") ?? "";
        return { isWrong: field.getAttribute("aria-invalid"), text: document.getElementById(id)?.textContent };
      });
    expect(await problem("Largest download, GB")).toEqual({
      isWrong: "true",
      text: "is -1; must be a number greater than 0, in gigabytes",
    });
    expect((await problem("Languages")).text).toContain("ISO 639-1");
    expect((await problem("How many models")).text).toContain("from 1 to 50");
    expect(await page.getByRole("alert").textContent()).toContain("3 values are not valid");
    // The first invalid field has the focus.
    expect(await page.evaluate("document.activeElement.id")).toBe("max_size_gb");
    await page.getByLabel("Largest download, GB").fill("");
    await page.getByLabel("Languages").fill("de");
    await page.getByLabel("How many models").fill("1");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".card");
    expect(await page.locator(".problem").count()).toBe(0);
    expect(complaints.filter((text) => !isRefusal(text))).toEqual([]);
  });

  it("accept any licence id, and an unknown one leads to the nearest", async () => {
    const { page } = await watchedPage(browser, url, "/?q=chat");
    await page.waitForSelector(".card");
    await page.locator(".limits > summary").click();
    await page.getByLabel("Licence").selectOption("other id");
    await page.getByLabel("Licence").fill("apache-2");
    await page.getByRole("button", { name: "Recommend" }).click();
    await expect
      .poll(() => page.locator(".problem").allTextContents())
      .toContainEqual(expect.stringContaining("did you mean apache-2.0?"));
    await page.getByLabel("Licence").fill("apache-2.0");
    await page.getByRole("button", { name: "Recommend" }).click();
    await page.waitForSelector(".card");
    for (const facts of await page.locator(".card .facts").allTextContents()) {
      expect(facts).toContain("apache-2.0");
    }
  });

  it("that leave no results can be removed", async () => {
    const { page } = await watchedPage(browser, url, "/?q=chat&max_size_gb=0.0001");
    await page.getByRole("button", { name: "without largest download" }).click();
    await page.waitForSelector(".card");
    expect(new URL(page.url()).searchParams.has("max_size_gb")).toBe(false);
  });

  it("an empty need is reported beside its field", async () => {
    const { page } = await watchedPage(browser, url, "/");
    await page.getByRole("button", { name: "Recommend" }).click();
    await page.waitForSelector(".problem");
    expect(await page.locator("#description-problem").textContent()).toContain("is required");
  });
});

describe("how a model would run", () => {
  it("is drawn: memory by quantization beside the classes, and speed as ranges", async () => {
    const { page } = await watchedPage(browser, url, `${needPath}&top_k=2`);
    await page.waitForSelector(".card");
    const second = page.locator(".card").nth(1);
    expect(await second.locator(".memory-row").count()).toBe(0);
    await second.getByText("How it would run").click();
    await second.locator(".memory-row").first().waitFor();
    const chart = await second.getByRole("img", { name: /^Memory of/ }).getAttribute("aria-label");
    expect(chart).toMatch(/\bQ\d_\w+ [\d.]+ GB/);
    expect(chart).toContain("8 GB graphics card 7.4 GB");
    expect(await second.locator(".limit").count()).toBeGreaterThanOrEqual(4);
    expect(await second.getByRole("img", { name: /^Expected speed/ }).getAttribute("aria-label")).toMatch(
      /CPU \S+ [\d.]+–[\d.]+ tokens\/s, likely [\d.]+/,
    );
    expect(await second.getByRole("row").count()).toBe(5);
    const small = await second.locator(".run-figures figure .hint").textContent();
    await second.getByRole("combobox", { name: /^Hardware/ }).selectOption("gpu-8gb");
    await expect.poll(() => second.locator(".run-figures figure .hint").textContent()).not.toBe(small);
  });
});

describe("the tier", () => {
  it("Free sees no alternatives, and is told which tiers see them", async () => {
    const { page } = await watchedPage(browser, url, `${needPath}&top_k=1`);
    await page.waitForSelector(".card");
    expect(await page.locator(".alternatives").count()).toBe(0);
    expect(await page.locator(".card-figures").textContent()).toContain("Basic or Pro key");
    expect(await page.locator(".header .quota").textContent()).toMatch(/Free.*\d+.*of 1,000.*left/);
  });
});
