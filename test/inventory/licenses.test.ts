import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalise } from "../../src/inventory/facts/normalise.ts";
import { isLicense, knownLicenses, licenseAllows, licenseFacts } from "../../src/inventory/licenses/licenses.ts";
import { declaredLicense, licenseOfLink, normaliseLicense } from "../../src/inventory/licenses/read-license.ts";
import { hubModels } from "../support/fixtures.ts";

/** The ids that the Hub offers to owners, except those without meaning: cc, unknown and other. */
// biome-ignore format: a table
const hubIds = [
  "apache-2.0", "mit", "openrail", "bigscience-openrail-m", "creativeml-openrail-m", "bigscience-bloom-rail-1.0",
  "bigcode-openrail-m", "afl-3.0", "artistic-2.0", "bsl-1.0", "bsd", "bsd-2-clause", "bsd-3-clause",
  "bsd-3-clause-clear", "c-uda", "cc0-1.0", "cc-by-2.0", "cc-by-2.5", "cc-by-3.0", "cc-by-4.0", "cc-by-sa-3.0",
  "cc-by-sa-4.0", "cc-by-nc-2.0", "cc-by-nc-3.0", "cc-by-nc-4.0", "cc-by-nd-4.0", "cc-by-nc-nd-3.0", "cc-by-nc-nd-4.0",
  "cc-by-nc-sa-2.0", "cc-by-nc-sa-3.0", "cc-by-nc-sa-4.0", "cdla-sharing-1.0", "cdla-permissive-1.0",
  "cdla-permissive-2.0", "wtfpl", "ecl-2.0", "epl-1.0", "epl-2.0", "etalab-2.0", "eupl-1.1", "eupl-1.2", "agpl-3.0",
  "gfdl", "gpl", "gpl-2.0", "gpl-3.0", "lgpl", "lgpl-2.1", "lgpl-3.0", "isc", "h-research", "intel-research",
  "lppl-1.3c", "ms-pl", "apple-ascl", "apple-amlr", "mpl-2.0", "odc-by", "odbl", "openmdw-1.0", "openmdw-1.1",
  "openrail++", "osl-3.0", "postgresql", "ofl-1.1", "ncsa", "unlicense", "zlib", "pddl", "lgpl-lr",
  "deepfloyd-if-license", "fair-noncommercial-research-license", "llama2", "llama3", "llama3.1", "llama3.2", "llama3.3",
  "llama4", "grok2-community", "gemma",
];

describe("licenseFacts", () => {
  it.each(hubIds)("knows %s", (id) => {
    expect(licenseFacts(id)?.title).toMatch(/\S/);
    expect(isLicense(id)).toBe(true);
  });

  it.each([
    ["apache-2.0", "permissive"],
    ["agpl-3.0", "open"],
    ["cc-by-sa-4.0", "open"],
    ["llama3.1", "commercial"],
    ["gemma", "commercial"],
    ["openrail++", "commercial"],
    ["cc-by-nd-4.0", "commercial"],
    ["cc-by-nc-4.0", "non-commercial"],
    ["qwen-research", "non-commercial"],
  ])("puts %s among the %s ones", (id, kind) => expect(licenseFacts(id)?.class).toBe(kind));

  it("reads versions of Creative Commons that the table lacks", () => {
    expect(licenseFacts("cc-by-sa-2.0")).toMatchObject({ class: "open", title: "CC BY-SA 2.0" });
    expect(licenseFacts("cc-by-nc-nd-2.5")?.class).toBe("non-commercial");
  });

  it("believes an id that says non-commercial, and no other word of an id", () => {
    expect(licenseFacts("ideogram-non-commercial-model-agreement")?.class).toBe("non-commercial");
    expect(licenseFacts("someones-research-license")?.class).toBe("non-commercial");
    expect(licenseFacts("acme-nc-1.0")?.class).toBe("non-commercial");
    for (const id of ["other", "acme-license", "proprietary", "sync-1.0", "commercial"]) {
      expect(licenseFacts(id)).toBeUndefined();
    }
    expect(licenseAllows("ideogram-non-commercial-model-agreement", "commercial")).toBe(false);
    expect(licenseAllows("acme-license", "commercial")).toBe(false);
    expect(licenseAllows("acme-license", "any")).toBe(true);
  });

  it("states the conditions of commercial use, if there are any", () => {
    const silent = knownLicenses.filter((id) => {
      const facts = licenseFacts(id);
      return facts !== undefined && ["open", "commercial"].includes(facts.class) && facts.conditions === undefined;
    });
    expect(silent).toEqual([]);
  });
});

describe("normaliseLicense", () => {
  it.each([
    ["Apache License 2.0", "apache-2.0"],
    ["Apache License, Version 2.0", "apache-2.0"],
    ["The Apache License v2.0", "apache-2.0"],
    ["APACHE-2", "apache-2.0"],
    ["MIT License (MIT)", "mit"],
    ["The MIT License", "mit"],
    ["new BSD", "bsd-3-clause"],
    ["BSD 3-Clause License", "bsd-3-clause"],
    ["GPL-3.0-or-later", "gpl-3.0"],
    ["gpl-3.0+", "gpl-3.0"],
    ["GNU General Public License v3.0", "gpl-3.0"],
    ["CC BY-NC-SA 4.0", "cc-by-nc-sa-4.0"],
    ["CC-BY-4.0 International", "cc-by-4.0"],
    ["CC0", "cc0-1.0"],
    ["llama3_1", "llama3.1"],
    ["LLAMA 3.1 COMMUNITY LICENSE AGREEMENT", "llama3.1"],
    ["Meta Llama 3 Community License Agreement", "llama3"],
    ["Gemma Terms of Use", "gemma"],
    ["creativeml-openrail++-m", "openrail++"],
    ["LFM-Open-License-v1.0", "lfm1.0"],
    ["falcon-llm", "falcon-llm-license"],
    ["deepseek-license", "deepseek"],
    ["qwen-license-agreement", "qwen"],
    ["qwen-research-license-agreement", "qwen-research"],
    ["tongyi-qianwen-license-agreement", "tongyi-qianwen"],
    ["tencent-hunyuan-a13b-community", "tencent-hunyuan-community"],
    ["exaone-ai-model-license-agreement-1.1-nc", "exaone"],
    ["nvidia-open-model-license-agreement", "nvidia-open-model-license"],
    ["Stability AI Community License", "stabilityai-ai-community"],
    ["license:mit", "mit"],
  ])("%s is %s", (written, id) => expect(normaliseLicense(written)).toBe(id));

  it("keeps an unknown id, in lower case, and does not read a text as an id", () => {
    expect(normaliseLicense("Acme-Licence")).toBe("acme-licence");
    expect(normaliseLicense("other")).toBe("other");
    for (const nothing of [undefined, "", "  ", "unknown", "None", "n/a", "Permission is hereby granted. ".repeat(9)]) {
      expect(normaliseLicense(nothing)).toBeUndefined();
    }
  });

  it("leaves the ids of the table as they are", () => {
    expect(knownLicenses.filter((id) => normaliseLicense(id) !== id)).toEqual([]);
  });

  it("reads any text, and its own result unchanged", () => {
    const parts = fc.constantFrom(
      "license",
      "-",
      " ",
      "community",
      "v2.0",
      "(",
      ")",
      "+",
      "llama",
      "cc-by",
      "nc",
      "3.1",
      "é",
    );
    const text = fc.oneof(
      fc.string({ maxLength: 300 }),
      fc.array(parts, { maxLength: 60 }).map((all) => all.join("")),
    );
    fc.assert(
      fc.property(text, (written) => {
        const id = normaliseLicense(written);
        if (id !== undefined) {
          expect(normaliseLicense(id)).toBe(id);
        }
        licenseFacts(id);
        licenseOfLink(written);
      }),
    );
  });
});

describe("licenseOfLink", () => {
  it.each([
    ["https://www.apache.org/licenses/LICENSE-2.0", "apache-2.0"],
    ["https://opensource.org/license/mit", "mit"],
    ["https://opensource.org/licenses/BSD-3-Clause", "bsd-3-clause"],
    ["https://choosealicense.com/licenses/gpl-3.0/", "gpl-3.0"],
    ["https://spdx.org/licenses/MPL-2.0.html", "mpl-2.0"],
    ["https://creativecommons.org/licenses/by-nc-sa/4.0/deed.en", "cc-by-nc-sa-4.0"],
    ["https://creativecommons.org/publicdomain/zero/1.0/", "cc0-1.0"],
    ["https://llama.meta.com/llama3/license/", "llama3"],
    ["https://www.llama.com/llama3_2/license/", "llama3.2"],
    ["https://github.com/meta-llama/llama-models/blob/main/models/llama3_3/LICENSE", "llama3.3"],
    ["https://ai.google.dev/gemma/terms", "gemma"],
    [
      "https://www.nvidia.com/en-us/agreements/enterprise-software/nvidia-open-model-license/",
      "nvidia-open-model-license",
    ],
    ["https://huggingface.co/spaces/CompVis/stable-diffusion-license", "creativeml-openrail-m"],
    ["https://mistral.ai/licenses/MRL-0.1.md", "mrl"],
  ])("%s leads to %s", (link, id) => {
    expect(licenseOfLink(link)).toBe(id);
    expect(isLicense(id)).toBe(true);
  });

  it("ignores a file with an unknown text", () => {
    for (const link of ["LICENSE", "https://huggingface.co/someone/model/blob/main/LICENSE", "", undefined]) {
      expect(licenseOfLink(link)).toBeUndefined();
    }
  });
});

describe("declaredLicense", () => {
  it("reads the name beside other, then the id, the tags and the link", () => {
    expect(declaredLicense({ id: "other", name: "qwen-research" })).toBe("qwen-research");
    expect(declaredLicense({ id: "other", name: "gemma-terms-of-use", link: "LICENSE" })).toBe("gemma");
    expect(declaredLicense({ id: "other", tags: ["license:other", "license:llama3.1"] })).toBe("llama3.1");
    expect(declaredLicense({ id: "other", link: "https://llama.meta.com/llama3/license/" })).toBe("llama3");
    expect(declaredLicense({ tags: ["license:other", "license_name:llama4"] })).toBe("llama4");
    expect(declaredLicense({ tags: ["license:other", "license_link:https://ai.google.dev/gemma/terms"] })).toBe(
      "gemma",
    );
    expect(declaredLicense({ id: "mit", name: "someones-own", tags: ["license:apache-2.0"] })).toBe("mit");
  });

  it("is the declared id if nothing is more specific, and absent if nothing is declared", () => {
    expect(declaredLicense({ id: "other", name: "acme-terms", link: "LICENSE.md" })).toBe("other");
    expect(declaredLicense({ id: "acme-licence" })).toBe("acme-licence");
    expect(declaredLicense({ tags: ["license:unknown", "mit"] })).toBeUndefined();
    expect(declaredLicense({ id: null, name: null, link: null })).toBeUndefined();
  });
});

describe("of the hub's most downloaded models", () => {
  it("every licence in a tag is known", () => {
    const unknown = new Set<string>();
    for (const { id, tags } of hubModels()) {
      const { license } = normalise({ name: id, tags }, { source: "test", seenAt: 0 });
      if (license !== undefined && license !== "other" && licenseFacts(license) === undefined) {
        unknown.add(license);
      }
      if (license === undefined || license === "other") {
        expect(tags.filter((tag) => /^license:(?!other$|unknown$)/.test(tag))).toEqual([]);
      }
    }
    expect([...unknown]).toEqual([]);
  });
});
