import type { Board } from "../board.ts";

const percent = { higherIsBetter: true, range: [0, 100], decimals: 1, aspect: "quality" } as const;

const timm = {
  collection: "timm",
  tasks: ["image-classification", "image-feature-extraction"],
  languages: [],
  license: "Apache-2.0",
  attribution: "timm (pytorch-image-models, Hugging Face)",
  url: "https://github.com/huggingface/pytorch-image-models/tree/main/results",
} as const;

const openClip = {
  collection: "openclip",
  license: "MIT",
  attribution: "OpenCLIP",
  url: "https://github.com/mlfoundations/open_clip/tree/main/docs",
} as const;

function timmSpeeds(id: string, device: string, how: string): Board {
  return {
    id,
    name: `timm speed list for the ${device}`,
    measures: `speed of classifying images ${how}`,
    purposes: ["image classification"],
    metric: "images per second",
    higherIsBetter: true,
    range: [0, 1_000_000],
    words: "{} images a second",
    decimals: 0,
    aspect: "speed",
    device,
    ...timm,
  };
}

/** Boards of models that look at images. */
export const visionBoards: readonly Board[] = [
  {
    id: "timm-imagenet",
    name: "timm results on ImageNet",
    measures: "classification of photographs into 1,000 kinds of things",
    purposes: ["image classification"],
    metric: "top-1 accuracy in %",
    words: "{} % of images classified right",
    ...percent,
    ...timm,
  },
  {
    id: "timm-imagenet-real",
    name: "timm results on ImageNet with reassessed labels",
    measures: "classification of photographs into 1,000 kinds of things, by labels that were checked again",
    purposes: ["image classification"],
    metric: "top-1 accuracy in %",
    words: "{} % of images classified right",
    ...percent,
    ...timm,
  },
  timmSpeeds("timm-infer-rtx3090", "NVIDIA GeForce RTX 3090", "with mixed precision, in large batches"),
  timmSpeeds("timm-infer-cpu", "Intel Core i7-12700H", "one at a time, in 32 bits, on a processor"),
  {
    id: "openclip-zero-shot",
    name: "OpenCLIP results on 38 data sets",
    measures: "classification of images without training, and search, over 38 data sets",
    tasks: ["zero-shot-image-classification", "feature-extraction", "image-feature-extraction"],
    purposes: ["zero-shot image classification"],
    languages: ["en"],
    metric: "mean over 38 data sets in %",
    words: "a mean of {} %",
    ...percent,
    ...openClip,
  },
  {
    id: "openclip-retrieval",
    name: "OpenCLIP results for retrieval",
    measures: "finding images by English text, and texts by image",
    tasks: ["zero-shot-image-classification", "feature-extraction", "image-feature-extraction"],
    purposes: ["image search"],
    languages: ["en"],
    metric: "mean recall in %",
    words: "a mean recall of {} %",
    ...percent,
    ...openClip,
  },
  {
    id: "openclip-multilingual-retrieval",
    name: "OpenCLIP results for multilingual retrieval",
    measures: "finding images by text in 36 languages, and texts by image",
    tasks: ["zero-shot-image-classification", "feature-extraction", "image-feature-extraction"],
    purposes: ["image search"],
    // biome-ignore format: a list of codes
    languages: [
      "ar", "bn", "cs", "da", "de", "el", "en", "es", "fa", "fi", "fr", "he", "hi", "hr", "hu", "id", "it", "ja",
      "ko", "mi", "nl", "no", "pl", "pt", "ro", "ru", "sv", "sw", "te", "th", "tl", "tr", "uk", "vi", "zh",
    ],
    metric: "mean recall in %",
    words: "a mean recall of {} %",
    ...percent,
    ...openClip,
  },
  {
    id: "roboflow-detection",
    collection: "roboflow",
    name: "Roboflow leaderboard for object detection",
    measures: "how exactly a model finds 80 kinds of things in photographs (COCO)",
    tasks: ["object-detection"],
    purposes: ["object detection"],
    languages: [],
    metric: "mAP 50:95 in %",
    words: "a mean average precision of {} %",
    ...percent,
    license: "MIT",
    attribution: "Roboflow model leaderboard",
    url: "https://leaderboard.roboflow.com",
  },
];
