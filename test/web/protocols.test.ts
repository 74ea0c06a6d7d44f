import { expect, it } from "vitest";
import { launchChromium } from "../support/browser/chromium.ts";
import { startApp } from "../support/service/start-app.ts";
import { isRefusal } from "./support/views.ts";
import { watchedPage } from "./support/watched-page.ts";

const { url } = await startApp({
  isUnlimited: false,
  env: { MODELSCOUT_FREE_PER_DAY: "1000", MODELSCOUT_BURST: "off" },
});
const browser = await launchChromium();

it.each([
  ["Connect", /^application\/json/],
  ["gRPC-Web", /^application\/grpc-web\+proto/],
])("does everything over %s, chosen on the page", async (protocol, type) => {
  const { page, complaints, calls, elsewhere } = await watchedPage(browser, url, "/?compare=");
  await page.getByRole("button", { name: /Key and connection/ }).click();
  await page.getByLabel(protocol, { exact: true }).check();
  await page.getByRole("button", { name: "Close" }).click();
  calls.length = 0;
  await page.getByRole("link", { name: "Search", exact: true }).click();
  await page.waitForSelector(".type-strip svg a");
  await page.getByLabel("What do you need a model for?").fill("transcribe meetings");
  await page.getByRole("button", { name: "Recommend" }).click();
  await page.waitForSelector(".card");
  await page.locator(".card .model-name").first().click();
  await page.waitForSelector(".memory-row");
  await page.getByRole("button", { name: "RTX 3060" }).click();
  await page.waitForSelector(".estimate");
  await page.getByRole("link", { name: "Families" }).first().click();
  await page.waitForSelector(".treemap a");
  await page.goto(`${url}/?family=whispr`);
  await page.getByRole("alert").getByRole("link", { name: "whisper" }).click();
  await page.waitForSelector(".model-list li");
  await page.goto(`${url}/?q=chat&license=mitt`);
  await page.waitForSelector("#license-id-problem");
  expect(await page.locator("#license-id-problem").textContent()).toContain("did you mean mit?");
  const methods = new Set(calls.map(({ method }) => method));
  for (const method of [
    "Recommend",
    "GetModel",
    "EstimateHardware",
    "ListFamilies",
    "ListTaskModels",
    "SearchModels",
  ]) {
    expect(methods).toContain(method);
  }
  for (const call of calls) {
    expect(call.type).toMatch(type);
  }
  expect(await page.locator(".footer").textContent()).toContain(protocol);
  expect({ complaints: complaints.filter((text) => !isRefusal(text)), elsewhere }).toEqual({
    complaints: [],
    elsewhere: [],
  });
});
