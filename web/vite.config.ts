import preact from "@preact/preset-vite";
import { defineConfig } from "vite";
import { compressAssets } from "./compress-assets.ts";

/** What `npm run dev:web` talks to. */
const service = process.env.MODELSCOUT_URL ?? "http://127.0.0.1:8080";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [preact(), compressAssets()],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    assetsDir: "assets",
    // Strict pages have no data: URLs, and every file is worth its own immutable name.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The oldest browsers that know light-dark(), which the styles are written with.
    target: ["chrome123", "firefox121", "safari17.5"],
    reportCompressedSize: false,
  },
  server: {
    // The service answers pages of its own host alone.
    proxy: Object.fromEntries(["/modelscout.v1.", "/models/", "/docs", "/openapi.json"].map((path) => [path, service])),
  },
});
