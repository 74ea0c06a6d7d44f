import { describe, expect, it } from "vitest";
import { launchChromium } from "../../support/browser/chromium.ts";
import { startApp } from "../../support/service/start-app.ts";
import { isRefusal } from "../support/views.ts";
import { watchedPage, windows } from "../support/watched-page.ts";

const { url } = await startApp({ isUnlimited: false, env: { MODELSCOUT_BURST: "off" } });
const browser = await launchChromium();
const api = async (path: string, body?: object) =>
  (
    await fetch(
      url + path,
      body && { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) },
    )
  ).json();

describe("a model's page", () => {
  it("shows what the service knows, with links to its sources", async () => {
    const entry = await api("/models/detail/Qwen/Qwen3-8B");
    const { page, complaints } = await watchedPage(browser, url, "/?model=qwen/QWEN3-8b");
    await page.waitForSelector(".fact-list");
    expect(await page.locator("h1").textContent()).toBe("Qwen/Qwen3-8B");
    const text = (await page.locator("main").textContent()) as string;
    for (const expected of [
      entry.description,
      entry.series,
      "apache-2.0",
      "commercial use allowed",
      "40,960 tokens",
      entry.base_model,
      ...entry.variants.map(({ quantization }: { quantization: string }) => quantization),
      entry.facts_from.parameters,
    ]) {
      expect(text).toContain(expected);
    }
    expect(await page.getByRole("link", { name: /^huggingface page/ }).getAttribute("href")).toBe(entry.source_url);
    await page.getByRole("link", { name: "qwen", exact: true }).click();
    await page.waitForSelector(".model-list li");
    expect(complaints).toEqual([]);
  });

  it("shows what leaderboards measured, each with its place in the field, and says where nobody has", async () => {
    const { evaluations } = await api("/models/detail/openai/whisper-large-v3");
    const { page, complaints } = await watchedPage(browser, url, "/?model=openai/whisper-large-v3");
    await page.waitForSelector(".measured-list");
    const shown = page.locator(".measured-list li");
    expect(await shown.count()).toBe(evaluations.length);
    const errors = shown.filter({
      hasText: "38th of 87 on the Open ASR leaderboard: 7.4 % of words wrong, March 2026",
    });
    expect(await errors.getByRole("link").getAttribute("href")).toBe(
      "https://huggingface.co/spaces/hf-audio/open_asr_leaderboard",
    );
    expect(await errors.textContent()).toContain("26 Mar 2026");
    const width = await errors.locator("rect").nth(1).getAttribute("width");
    expect(Number.parseFloat(width as string)).toBeCloseTo((100 * 49) / 86);
    await page.goto(`${url}/?model=openai/whisper-small`);
    await page.getByText("No independent measurement is known.").waitFor();
    expect(complaints).toEqual([]);
  });

  it("draws the service's own figures for each hardware class", async () => {
    const { hardware } = await api("/models/detail/Qwen/Qwen3-8B");
    const { page } = await watchedPage(browser, url, "/?model=Qwen/Qwen3-8B");
    await page.waitForSelector(".memory-row");
    const rows = (await page.locator(".fit-table tbody tr").allTextContents()).join("\n");
    expect(hardware).toHaveLength(4);
    for (const { quantization, memory_gb } of hardware) {
      expect(rows).toContain(quantization);
      expect(rows).toContain(`${Number(memory_gb.toFixed(1))} GB`);
    }
    const bar = await page
      .locator(".memory-bar")
      .first()
      .evaluate((bar) => [...bar.querySelectorAll("rect")].map((part) => part.width.baseVal.value));
    const first = await api("/models/estimate", {
      model_name: "Qwen/Qwen3-8B",
      quantization: "bf16",
      hardware: { class: "gpu-24gb" },
    });
    const [weights = 0, cache = 0, overhead = 0] = bar;
    expect(cache / weights).toBeCloseTo(first.kv_cache_gb / first.weights_gb, 2);
    expect(overhead / weights).toBeCloseTo(first.overhead_gb / first.weights_gb, 2);
  });

  it("shows how to start the model, and copies the command", async () => {
    const { run } = await api("/models/detail/Qwen/Qwen3-8B");
    const { page, complaints } = await watchedPage(browser, url, "/?model=Qwen/Qwen3-8B", {
      ...windows.desktop,
      permissions: ["clipboard-read", "clipboard-write"],
    });
    await page.waitForSelector(".command-list");
    const engines = [...new Set(run.map(({ engine }: { engine: string }) => engine))];
    expect(engines.length).toBeGreaterThan(1);
    expect(await page.getByLabel("Engine").locator("option").allTextContents()).toEqual(engines);
    for (const engine of engines as string[]) {
      await page.getByLabel("Engine").selectOption(engine);
      const commands = run.filter((one: { engine: string }) => one.engine === engine);
      expect(await page.locator(".command-list code").allTextContents()).toEqual(
        commands.map(({ command }: { command: string }) => command),
      );
      await page
        .locator(".command-list")
        .getByRole("button", { name: /^Copy the command/ })
        .first()
        .click();
      await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toBe(commands[0].command);
    }
    expect(complaints).toEqual([]);
  });

  it("plans what hardware runs the model, beside the visitor's own machine", async () => {
    const { page, complaints } = await watchedPage(browser, url, "/?model=Qwen/Qwen3-8B");
    await page.evaluate(() => localStorage.setItem("modelscout.machine", '{"gpu":"RTX 3060"}'));
    await page.reload();
    const panel = page.getByRole("region", { name: "What do I need to run it?" });
    await panel.getByLabel("Context length, tokens").fill("32768");
    await panel.getByLabel("Minimum speed, tokens/s").fill("30");
    await panel.getByRole("button", { name: "Show hardware" }).click();
    const { options, today } = await api("/models/hardware", {
      model_name: "Qwen/Qwen3-8B",
      context_length: 32768,
      min_tokens_per_second: 30,
      device: { gpu_name: "RTX 3060" },
    });
    const rows = panel.locator("tbody tr:not(.table-part)");
    await rows.first().waitFor();
    const text = (await rows.first().textContent()) as string;
    expect(text).toContain("RTX 3060");
    expect(text).toContain(today.estimate.quantization);
    await panel.getByRole("button", { name: /^Show all/ }).click();
    expect(await rows.count()).toBe(1 + options.length + 4);
    const names = await rows.locator("th").allTextContents();
    for (const [i, { device, device_count }] of options.entries()) {
      expect(names[i + 1]).toContain(device_count > 1 ? `${device_count} × ${device}` : device);
    }
    // What is wrong is shown beside its field, as for other forms.
    await panel.getByLabel("Minimum speed, tokens/s").fill("-1");
    await panel.getByRole("button", { name: "Show hardware" }).click();
    await page.waitForSelector("#plan-speed-problem");
    expect(complaints.filter((line) => !isRefusal(line))).toEqual([]);
  });

  it("draws more memory for a longer context", async () => {
    const { page } = await watchedPage(browser, url, "/?model=Qwen/Qwen3-8B");
    const chart = page.getByRole("img", { name: /^Memory of/ });
    const memory = async () => Number(/Q4_K_M ([\d.]+) GB/.exec((await chart.getAttribute("aria-label")) ?? "")?.[1]);
    await chart.waitFor();
    const usual = await memory();
    await page.locator(".figure-tools").getByLabel("Context").selectOption("40960");
    await expect.poll(memory).toBeGreaterThan(usual + 3);
  });

  it("offers the nearest names for a name that does not exist", async () => {
    const { page, complaints } = await watchedPage(browser, url, "/?model=Qwen/Qwen3-9");
    await page.getByRole("heading", { name: "Not in the inventory" }).waitFor();
    const nearest = page.getByRole("alert").getByRole("link").first();
    const name = await nearest.textContent();
    await nearest.click();
    await page.waitForSelector(".fact-list");
    expect(await page.locator("h1").textContent()).toBe(name);
    expect(complaints.filter((text) => !isRefusal(text))).toEqual([]);
  });
});

describe("the calculator", () => {
  it("estimates for a card by its name, as the service does, and keeps its fields in the address", async () => {
    const { page, complaints } = await watchedPage(browser, url, "/?model=Qwen/Qwen3-8B");
    await page.getByLabel("Graphics card or chip").fill("rtx 4070");
    await page.getByLabel("Context, tokens").fill("16384");
    await page.getByLabel("Quantization", { exact: true }).selectOption("Q4_K_M");
    await page.getByRole("button", { name: "Estimate" }).click();
    await page.waitForSelector(".estimate");
    const estimate = await api("/models/estimate", {
      model_name: "Qwen/Qwen3-8B",
      quantization: "Q4_K_M",
      context_length: 16384,
      hardware: { gpu_name: "rtx 4070" },
    });
    const text = (await page.locator(".estimate").textContent()) as string;
    expect(text).toContain(`${Number(estimate.memory_gb.toFixed(1))} GB`);
    expect(text).toContain(estimate.basis[0]);
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      model: "Qwen/Qwen3-8B",
      gpu: "rtx 4070",
      context: "16384",
      quantization: "Q4_K_M",
    });
    const link = page.url();
    await page.goto(link);
    await page.waitForSelector(".estimate");
    expect(await page.locator(".estimate").textContent()).toBe(text);
    expect(complaints).toEqual([]);
  });

  it("estimates by figures for an unknown card", async () => {
    const { page } = await watchedPage(browser, url, "/?model=Qwen/Qwen3-8B");
    await page.getByText("Enter figures yourself").click();
    await page.getByLabel("Graphics card or chip").fill("Card of 2030");
    await page.getByLabel("Memory of one card, GB").fill("96");
    await page.getByLabel("Bandwidth of one card, GB/s").fill("3000");
    await page.getByLabel("Number of cards").fill("2");
    await page.getByRole("button", { name: "Estimate" }).click();
    await page.waitForSelector(".estimate .fit-fits");
    expect(await page.locator(".estimate").textContent()).toContain("96 GiB");
  });

  it("shows problems beside the fields", async () => {
    const { page, complaints } = await watchedPage(browser, url, "/?model=Qwen/Qwen3-8B");
    await page.getByLabel("Graphics card or chip").fill("RTX 306x");
    await page.getByLabel("Context, tokens").fill("many");
    await page.getByRole("button", { name: "Estimate" }).click();
    await page.waitForSelector("#calculator-context-problem");
    expect(await page.locator("#calculator-context-problem").textContent()).toContain("whole number");
    await page.getByLabel("Context, tokens").fill("");
    await page.getByRole("button", { name: "Estimate" }).click();
    await page.waitForSelector("#calculator-gpu-problem");
    expect(await page.locator("#calculator-gpu-problem").textContent()).toContain("RTX 3060");
    expect(await page.getByLabel("Graphics card or chip").getAttribute("aria-invalid")).toBe("true");
    await page.getByRole("button", { name: "M3 Max" }).click();
    await page.waitForSelector(".estimate");
    expect(complaints.filter((text) => !isRefusal(text))).toEqual([]);
  });
});
