import type { Board } from "../board.ts";

/** Boards of models for data that is neither text, sound nor images. */
export const otherBoards: readonly Board[] = [
  {
    id: "gift-eval",
    collection: "gift-eval",
    name: "GIFT-Eval results for forecasting",
    measures: "errors of forecasts over 97 settings of time series",
    tasks: ["time-series-forecasting"],
    purposes: ["forecasting"],
    languages: [],
    metric: "geometric mean of MASE",
    higherIsBetter: false,
    range: [0, 1_000],
    words: "a mean scaled error (MASE) of {}",
    decimals: 2,
    aspect: "quality",
    license: "Apache-2.0",
    attribution: "GIFT-Eval (Salesforce AI Research); mean computed by modelscout, not normalised",
    url: "https://huggingface.co/spaces/Salesforce/GIFT-Eval",
  },
];
