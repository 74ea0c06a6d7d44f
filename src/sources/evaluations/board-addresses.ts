/** Who publishes boards that are read live, and where by default. The Hub's own come from the Hub's address. */
export const boardAddresses = {
  lmarena: "https://datasets-server.huggingface.co",
  euroeval: "https://raw.githubusercontent.com/EuroEval/leaderboards/main",
  "open-asr": "https://raw.githubusercontent.com/huggingface/open_asr_leaderboard/main",
  timm: "https://raw.githubusercontent.com/huggingface/pytorch-image-models/main",
  bfcl: "https://raw.githubusercontent.com/ShishirPatil/gorilla/gh-pages",
  vectara: "https://raw.githubusercontent.com/vectara/hallucination-leaderboard/main",
  openclip: "https://raw.githubusercontent.com/mlfoundations/open_clip/main",
} as const;
