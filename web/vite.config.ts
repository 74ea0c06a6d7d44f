import preact from "@preact/preset-vite";
import { defineConfig } from "vite";
import { compressAssets } from "./compress-assets.ts";

/** The service that `npm run dev:web` calls. */
const service = process.env.MODELSCOUT_URL ?? "http://127.0.0.1:8080";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [preact(), compressAssets()],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    assetsDir: "assets",
    // The Content-Security-Policy forbids data: URLs, and each file gets its own immutable name.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The oldest browsers with light-dark(), which the styles use.
    target: ["chrome123", "firefox121", "safari17.5"],
    reportCompressedSize: false,
  },
  server: {
    // The service answers only pages of its own host.
    proxy: Object.fromEntries(["/modelscout.v1.", "/models/", "/docs", "/openapi.json"].map((path) => [path, service])),
  },
});
