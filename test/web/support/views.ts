import type { Page } from "playwright-core";

/** A view of the page, as a link opens it. */
export interface View {
  readonly name: string;
  readonly path: string;
  /** Waits until the view is complete. */
  readonly isThere: (page: Page) => Promise<unknown>;
}

const text = (selector: string) => (page: Page) => page.waitForSelector(selector);

/** Every view, with as much content as it can show. */
export const views: readonly View[] = [
  { name: "welcome", path: "/", isThere: text(".type-strip svg a") },
  {
    name: "answer",
    path: "/?q=a+support+chatbot+that+answers+in+German,+under+6+GB,+commercial+use&ignore=size:6+GB&top_k=3",
    isThere: async (page) => {
      await page.waitForSelector(".card .sentences");
      // On wide screens the first card's charts are open.
      const chart = page.locator(".card .how-it-runs").first();
      if (!(await chart.evaluate((details) => (details as HTMLDetailsElement).open))) {
        await chart.locator("summary").click();
      }
      await page.waitForSelector(".memory-row");
      await page.waitForSelector(".speed-row");
    },
  },
  { name: "limits", path: "/?q=chat&license=mitt&max_size_gb=-1&languages=zz", isThere: text("[aria-invalid]") },
  {
    name: "machine",
    path: "/?q=chat&device.gpu_name=RTX+3060&capabilities=tools&max_parameters=9B&exclude_gated=true&top_k=2",
    isThere: text(".machine-note"),
  },
  { name: "nothing left", path: "/?q=chat&max_size_gb=0.0001&hardware=cpu", isThere: text(".answer .notice") },
  { name: "unasked", path: "/?q=chat&unasked", isThere: text(".notice") },
  { name: "families", path: "/?browse=families", isThere: text(".treemap a") },
  { name: "family", path: "/?family=qwen", isThere: text(".model-list li") },
  {
    name: "models",
    path: "/?browse=models&name=qwen&license=open&order_by=released_at+desc",
    isThere: text(".model-list li"),
  },
  { name: "tasks", path: "/?browse=tasks", isThere: text(".treemap a") },
  { name: "task", path: "/?task=audio", isThere: text(".model-list li") },
  {
    name: "model",
    path: "/?model=Qwen/Qwen3-8B&gpu=RTX+4070&context=16384",
    isThere: async (page) => {
      await page.waitForSelector(".memory-row");
      await page.waitForSelector(".estimate");
      await page.getByRole("button", { name: "Show hardware" }).click();
      await page.waitForSelector(".plan");
    },
  },
  { name: "model without speeds", path: "/?model=openai/whisper-large-v3", isThere: text(".memory-row") },
  { name: "no such model", path: "/?model=Qwen/Qwen3-9", isThere: text(".notice.is-not-found a") },
  {
    name: "compare",
    path: "/?compare=Qwen/Qwen3-8B&compare=openai/gpt-oss-20b&compare=google/gemma-3-4b-it&compare=meta-llama/Llama-3.1-8B-Instruct",
    isThere: text(".compare-table td .fit"),
  },
  { name: "live without a key", path: "/?live=&q=poems&hardware=cpu", isThere: text(".notice") },
  { name: "no such page", path: "/nowhere/at/all", isThere: text("a[href='/?browse=families']") },
  { name: "compare one", path: "/?compare=Qwen/Qwen3-8B", isThere: text(".compare-chosen") },
  { name: "compare nothing", path: "/?compare=", isThere: text(".compare-form") },
];

/** Chromium's console line for an error answer; the page explains it in words. */
export const isRefusal = (complaint: string) => /^Failed to load resource: .* status of 4\d\d/.test(complaint);
