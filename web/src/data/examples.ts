/** Needs to start from, one for each kind of work. */
export const examples = [
  "transcribe long meetings on a laptop without a GPU",
  "a support chatbot that answers in German, under 6 GB, commercial use",
  "product photos from a text, on a 24 GB card",
  "find similar support tickets, permissive licence",
  "complete Python code in my editor on an 8 GB GPU",
  "read text from scanned receipts",
  "describe photos for blind people",
  "forecast electricity demand for next week",
] as const;
