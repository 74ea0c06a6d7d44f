/** How the texts of licences begin, or what only they say; the more particular one first. */
const texts: ReadonlyArray<readonly [words: RegExp, id: string]> = [
  [/llama 4 community license/i, "llama4"],
  [/llama 3\.3 community license/i, "llama3.3"],
  [/llama 3\.2 community license/i, "llama3.2"],
  [/llama 3\.1 community license/i, "llama3.1"],
  [/(?:meta )?llama 3 community license/i, "llama3"],
  [/llama 2 community license/i, "llama2"],
  [/gemma terms of use/i, "gemma"],
  [/qwen research license/i, "qwen-research"],
  [/tongyi qianwen (?:research )?license/i, "qwen"],
  [/deepseek license agreement/i, "deepseek"],
  [/creative commons attribution-?non-?commercial 4\.0/i, "cc-by-nc-4.0"],
  [/creative commons attribution-?share-?alike 4\.0/i, "cc-by-sa-4.0"],
  [/creative commons attribution 4\.0/i, "cc-by-4.0"],
  [/stability ai community license/i, "stabilityai-ai-community"],
  [/bigcode open ?rail-m|bigcode openrail-m/i, "bigcode-openrail-m"],
  [/gnu affero general public license\s+version 3/i, "agpl-3.0"],
  [/gnu lesser general public license\s+version 3/i, "lgpl-3.0"],
  [/gnu general public license\s+version 3/i, "gpl-3.0"],
  [/apache license,?\s+version 2\.0/i, "apache-2.0"],
  [/permission is hereby granted, free of charge, to any person obtaining a copy/i, "mit"],
  [/redistribution and use in source and binary forms[\s\S]{0,2000}neither the name/i, "bsd-3-clause"],
  [/redistribution and use in source and binary forms/i, "bsd-2-clause"],
];

/** What a licence says about itself stands at its beginning; long ones quote others further down. */
const BEGINNING_CHARS = 6_000;

/** The id of the licence that a text is; undefined for a text that is none we know. */
export function licenseOfText(text: string): string | undefined {
  const beginning = text.slice(0, BEGINNING_CHARS).replace(/\s+/g, " ");
  return texts.find(([words]) => words.test(beginning))?.[1];
}
