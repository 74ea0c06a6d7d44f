import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { onTestFinished } from "vitest";

/** Window sizes in which the page is tested. */
export const windows = {
  desktop: { viewport: { width: 1280, height: 900 } },
  phone: { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
} as const satisfies Record<string, BrowserContextOptions>;

/** A page that records everything that goes wrong. */
export interface WatchedPage {
  readonly page: Page;
  /** Console errors and warnings, exceptions, and violations of the Content-Security-Policy. */
  readonly complaints: string[];
  /** Requests to another host than the service. */
  readonly elsewhere: string[];
  /** Content types of the calls that the page made, such as application/json, by method. */
  readonly calls: { readonly method: string; readonly type: string; readonly key: string | undefined }[];
}

/** Opens a path of the service in a new browser profile, which is closed after the test. */
export async function watchedPage(
  browser: Browser,
  url: string,
  path: string,
  options: BrowserContextOptions = windows.desktop,
): Promise<WatchedPage> {
  const context = await browser.newContext({ reducedMotion: "reduce", ...options });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const watched: WatchedPage = { page, complaints: [], elsewhere: [], calls: [] };
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") {
      watched.complaints.push(message.text());
    }
  });
  page.on("pageerror", (error) => watched.complaints.push(error.message));
  page.on("request", (request) => {
    const target = new URL(request.url());
    if (target.origin !== url) {
      watched.elsewhere.push(request.url());
    }
    if (!target.pathname.startsWith("/modelscout.v1.")) {
      return;
    }
    const headers = request.headers();
    watched.calls.push({
      method: target.pathname.split("/").at(-1) as string,
      type: headers["content-type"] ?? "",
      key: headers["x-api-key"],
    });
  });
  await page.goto(url + path);
  await page.waitForSelector("h1");
  return watched;
}
