import { describe, expect, it } from "vitest";
import { hardwareClasses } from "../../../src/hardware/index.ts";
import { capabilityNames } from "../../../src/inventory/facts/capabilities.ts";
import { taskTypes } from "../../../src/inventory/facts/task-types.ts";
import { priorities, wishKinds } from "../../../src/recommend/understand/wishes/wish.ts";
import { needLimits } from "../../../src/rpc/recommendation/need.ts";
import { fits, gpuSuggestions, hardwareClasses as shownClasses } from "../../../web/src/words/hardware.ts";
import {
  capabilityChoices,
  licenseChoices,
  priorityChoices,
  taskTypes as shownTypes,
  wishLabel,
} from "../../../web/src/words/need.ts";
import { sendHttp1 } from "../../support/clients/http.ts";
import { startApp } from "../../support/service/start-app.ts";

// The page's lists of values must match those of the service.

const { url } = await startApp({ records: [{ name: "acme/one", parameters: 7e9 }] });
const headers = { "content-type": "application/json" };
const post = (path: string, body: object) =>
  sendHttp1(url, { method: "POST", path, headers, body: JSON.stringify(body) });

describe("the page's words", () => {
  it("are those of the contract for hardware, with the same limits", () => {
    const shown = shownClasses.map(({ id, usableGb }) => [id, usableGb]);
    const known = Object.entries(hardwareClasses).map(([id, { usableGb }]) => [id, usableGb]);
    expect(shown.sort()).toEqual(known.sort());
    for (const { id, device } of shownClasses) {
      const { memoryGb, bandwidthGbS } = hardwareClasses[id];
      expect(device).toContain(`${memoryGb} GB`);
      expect(device).toContain(`${bandwidthGbS} GB/s`);
    }
  });

  it("are those of the contract for tasks, fits and wishes", () => {
    expect(Object.keys(shownTypes)).toEqual([...taskTypes]);
    expect(Object.keys(fits)).toEqual(["fits", "tight", "offload", "too-large"]);
    expect(wishKinds.filter((kind) => wishLabel(kind) === kind)).toEqual([]);
    expect(capabilityChoices.map(([word]) => word).sort()).toEqual([...capabilityNames].sort());
    expect(priorityChoices.map(([value]) => value)).toEqual(["", ...priorities]);
    expect(needLimits.descriptionCharacters).toBe(2_000);
  });

  it("are licences that the service accepts", async () => {
    for (const [license] of licenseChoices.slice(1)) {
      const { status } = await post("/models/recommend", { description: "poems", license });
      expect({ license, status }).toEqual({ license, status: 200 });
    }
  });

  it("are graphics cards that the service knows", async () => {
    for (const gpu of gpuSuggestions) {
      const { status } = await post("/models/estimate", { model_name: "acme/one", hardware: { gpu_name: gpu } });
      expect({ gpu, status }).toEqual({ gpu, status: 200 });
    }
  });
});
