import { describe, expect, it } from "vitest";
import { launchChromium } from "../../support/browser/chromium.ts";
import { startApp } from "../../support/service/start-app.ts";
import { watchedPage } from "../support/watched-page.ts";

const { url, inventory } = await startApp({ isUnlimited: false, env: { MODELSCOUT_BURST: "off" } });
const browser = await launchChromium();
const counts = await inventory.facetCounts();

describe("families", () => {
  it("are drawn in proportion and lead to their models", async () => {
    const { page, complaints } = await watchedPage(browser, url, "/?browse=families");
    await page.waitForSelector(".treemap a");
    const tiles = await page.locator(".treemap a").evaluateAll((links) =>
      links.map((link) => {
        const box = (link.querySelector("rect") as SVGRectElement).getBBox();
        return { title: link.querySelector("title")?.textContent ?? "", area: (box.width + 2) * (box.height + 2) };
      }),
    );
    const [largest] = [...counts.families].sort(([, a], [, b]) => b - a);
    expect(tiles[0]?.title).toBe(`${largest?.[0]}, ${largest?.[1]} models`);
    const perModel = tiles.map(({ title, area }) => area / Number(/(\d+) models?$/.exec(title)?.[1]));
    for (const value of perModel) {
      expect(value / (perModel[0] as number)).toBeCloseTo(1, 1);
    }
    await page.locator(".treemap a").first().click();
    await page.waitForSelector(".model-list li");
    expect(new URL(page.url()).search).toBe(`?family=${largest?.[0]}`);
    expect(await page.locator("h1").textContent()).toBe(largest?.[0]);
    expect(complaints).toEqual([]);
  });

  it("are all listed, and found by a part of their name", async () => {
    const { page } = await watchedPage(browser, url, "/?browse=families");
    await page.getByRole("button", { name: `Show all ${counts.families.size}` }).click();
    const rows = page.locator("#all-families .bar-list li");
    expect(await rows.count()).toBe(counts.families.size);
    await page.getByLabel("Filter").fill("whisp");
    expect(await rows.count()).toBe([...counts.families.keys()].filter((name) => name.includes("whisp")).length);
    await page.getByRole("link", { name: "whisper", exact: true }).click();
    await page.waitForSelector(".model-list li");
    expect(await page.title()).toBe("whisper · modelscout");
  });

  it("are shown page by page, every model once", async () => {
    const total = counts.families.get("qwen") as number;
    const { page } = await watchedPage(browser, url, "/?family=qwen");
    const rows = page.locator(".model-list li");
    await rows.first().waitFor();
    let shown = await rows.count();
    expect(shown).toBeLessThan(total);
    while (shown < total) {
      await page.getByRole("button", { name: "Show more" }).click();
      const before = shown;
      await expect.poll(() => rows.count()).toBeGreaterThan(before);
      shown = await rows.count();
    }
    const names = await page.locator(".model-list .model-name").allTextContents();
    expect(new Set(names).size).toBe(total);
    expect(await page.getByRole("button", { name: "Show more" }).count()).toBe(0);
  });

  it("that do not exist lead to the nearest ones", async () => {
    const { page } = await watchedPage(browser, url, "/?family=whispr");
    await page.getByRole("alert").getByRole("link", { name: "whisper" }).click();
    await page.waitForSelector(".model-list li");
    expect(await page.locator("h1").textContent()).toBe("whisper");
  });
});

describe("models", () => {
  it("are found by name, ordered and limited, at an address that can be shared", async () => {
    const { page, complaints } = await watchedPage(browser, url, "/?browse=models");
    const rows = page.locator(".model-list li");
    const names = page.locator(".model-list .model-name");
    await rows.first().waitFor();
    expect(await rows.first().textContent()).toMatch(/\d+M *downloads/);
    await page.getByLabel("Name or words").fill("Qwen CODER");
    await page.keyboard.press("Enter");
    const isFound = async () => (await names.allTextContents()).every((name) => /coder/i.test(name));
    await expect.poll(isFound, { timeout: 10_000 }).toBe(true);
    await page.getByText("ordered by: best match").waitFor();
    await page.getByLabel("Order").selectOption("size_gb");
    await page.getByLabel("Licence").selectOption("apache-2.0");
    await page.getByLabel("Largest download, GB").fill("8");
    await page.keyboard.press("Enter");
    await expect
      .poll(() => new URL(page.url()).search)
      .toBe("?browse=models&name=Qwen+CODER&license=apache-2.0&max_size_gb=8&order_by=size_gb");
    await page.getByText("ordered by: smallest").waitFor();
    expect(await isFound()).toBe(true);
    const expected = await names.allTextContents();
    await page.reload();
    await expect.poll(() => names.allTextContents(), { timeout: 10_000 }).toEqual(expected);
    await page.getByLabel("Largest download, GB").fill("-1");
    await page.keyboard.press("Enter");
    expect(await page.locator(".problem").textContent()).toBe("must be a number greater than 0");
    expect(complaints).toEqual([]);
  });

  it("are limited by what they can do, by parameters and by consent", async () => {
    const { page, complaints } = await watchedPage(browser, url, "/?browse=models");
    await page.locator(".model-list li").first().waitFor();
    await page.getByLabel("see images").check();
    await page.getByLabel("Maximum parameters").fill("3B");
    await page.keyboard.press("Enter");
    await page.getByLabel("Only models without terms to accept before the download").check();
    const query = "capabilities=vision&max_parameters=3000000000&exclude_gated=true&page_size=24";
    const { total, models } = await (await fetch(`${url}/models/search?${query}`)).json();
    expect(total).toBeGreaterThan(0);
    await page.getByText(`of ${total.toLocaleString("en")}, ordered by`).waitFor();
    expect(await page.locator(".model-list .model-name").allTextContents()).toEqual(
      models.map(({ name }: { name: string }) => name),
    );
    expect(new URL(page.url()).search).toBe("?browse=models&capabilities=vision&max_parameters=3B&exclude_gated=true");
    await page.getByLabel("Maximum parameters").fill("few");
    await page.keyboard.press("Enter");
    expect(await page.locator(".problem").textContent()).toBe("must be a number such as 7B or 500M");
    expect(complaints).toEqual([]);
  });

  it("that do not exist can be searched for by their name", async () => {
    const { page } = await watchedPage(browser, url, "/?model=nobody/qwen3");
    await page.getByRole("link", { name: "Search for models by name" }).click();
    await page.waitForSelector(".model-list li");
    expect(new URL(page.url()).search).toBe("?browse=models&name=qwen3");
  });
});

describe("tasks", () => {
  it("are drawn by type and lead to their models", async () => {
    const { page, complaints } = await watchedPage(browser, url, "/?browse=tasks");
    await page.waitForSelector(".treemap a");
    expect(await page.locator(".type-groups section").count()).toBe(9);
    const { tasks } = await (await fetch(`${url}/models/tasks`)).json();
    const most = Math.max(...tasks.map((task: { count: number }) => task.count));
    expect(most).toBeGreaterThan(999);
    expect(await page.locator(".treemap .tile-value").allTextContents()).toContain(most.toLocaleString("en"));
    await page.locator(".type-groups").getByRole("link", { name: "text to image", exact: true }).click();
    await page.waitForSelector(".model-list li");
    expect(new URL(page.url()).search).toBe("?task=text-to-image");
    expect(await page.locator(".model-list").textContent()).toContain("text to image");
    expect(complaints).toEqual([]);
  });

  it("are counted by type on the first view as the lists count them", async () => {
    const { page } = await watchedPage(browser, url, "/");
    await page.waitForSelector(".type-strip svg a");
    const strip = await page.locator(".type-strip svg title").allTextContents();
    expect(strip).toContain(`Audio & speech, ${counts.types.get("audio")} models`);
    expect(strip).toHaveLength(9);
    await page.locator(".type-strip svg a").first().click();
    await page.waitForSelector(".model-list li");
    expect(await page.getByRole("status").first().textContent()).toContain(
      `of ${counts.types.get("text-gen")?.toLocaleString("en")}`,
    );
  });
});
