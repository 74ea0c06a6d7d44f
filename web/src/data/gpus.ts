/** Graphics cards and chips that the calculator suggests; the service knows many more. */
export const gpuSuggestions = [
  "RTX 3060",
  "RTX 3090",
  "RTX 4060",
  "RTX 4070",
  "RTX 4090",
  "RTX 5090",
  "RX 7900 XTX",
  "A100 80GB",
  "H100",
  "L4",
  "T4",
  "M1",
  "M3 Max",
  "M4 Pro",
] as const;
