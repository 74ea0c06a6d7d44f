import { beforeAll, describe, expect, it } from "vitest";
import { program } from "../../support/run-program.ts";

const { run } = program();

beforeAll(async () => {
  await run(["models", "families"]);
});

describe("plan", () => {
  it("lists devices with launch prices beside today's, the classes, and the rules", async () => {
    const { code, stdout, stderr } = await run(["plan", "Qwen/Qwen3-32B", "--gpu", "RTX 3060"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(
      /^Qwen\/Qwen3-32B\n\nTODAY +MEMORY +AT LAUNCH +AS +NEEDS +FIT +SPEED\nRTX 3060 +12 GB +329 USD, 2021-02 /,
    );
    expect(stdout).toMatch(
      /^RX 7900 XTX +24 GB +999 USD, 2022-12 +Q\S+ +[\d.]+ GB +(fits|tight) +\d+ to \d+ tokens\/s$/m,
    );
    expect(stdout).toMatch(/^2 x RTX 3060 +2 x 12 GB +658 USD, 2021-02 /m);
    expect(stdout).toMatch(/^CLASSES OF HARDWARE /m);
    expect(stdout).toMatch(/^- Prices: the makers' launch prices/m);
  });

  it("prints the JSON of POST /models/hardware", async () => {
    const args = ["plan", "own", "--parameters", "8B", "--min-tokens-per-second", "50", "--max-devices", "1", "--json"];
    const { options, classes, today } = JSON.parse((await run(args)).stdout);
    expect(options[0]).toMatchObject({ kind: "gpu", device_count: 1, meets_speed: true, price: { currency: "USD" } });
    expect(classes).toHaveLength(4);
    expect(today).toBeUndefined();
  });

  it("takes this machine as today's device", async () => {
    const { code, stdout, stderr } = await run(["plan", "Qwen/Qwen3-8B", "--detect"]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^Found: /m);
    expect(stdout).toMatch(/^TODAY /m);
  });

  it("tells all that is wrong under the names of the options", async () => {
    const args = ["Qwen/Qwen3-8B", "--gpu", "RTX 9999", "--max-devices", "9", "--cache-type", "q8", "--context", "0"];
    const { code, stdout, stderr } = await run(["plan", ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain('--gpu: "RTX 9999" is not known. Nearest: RTX ');
    expect(stderr).toContain('--max-devices: is "9"; must be a whole number from 1 to 8');
    expect(stderr).toContain('--cache-type: is "q8"; must be one of f32, ');
    expect(stderr).toContain('--context: is "0"; must be a whole number from 1 to');
    const unknown = await run(["plan", "Qwen/Qwen3-8"]);
    expect(unknown.stderr).toContain('There is no model "Qwen/Qwen3-8"; the nearest names: Qwen/Qwen3-8B');
  });
});
