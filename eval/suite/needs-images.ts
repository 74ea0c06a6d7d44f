import type { EvalNeed } from "./need.ts";

const draw = ["text-to-image"];
const edit = ["image-to-image", "image-text-to-image"];
const film = ["text-to-video", "image-to-video"];

/** Needs about making images, video and 3D shapes. */
export const imageNeeds: readonly EvalNeed[] = [
  { need: "make pictures from a text description", tasks: draw, outdated: ["CompVis/stable-diffusion-v1-4"] },
  {
    need: "I am a self-published author and want illustrations for children's books that I sell, so the licence has to permit commercial use",
    tasks: draw,
    wishes: { license: "commercial" },
  },
  {
    need: "change a photo by telling it what to change, e.g. make the jacket blue",
    tasks: edit,
    models: ["Qwen/Qwen-Image-Edit*", "black-forest-labs/FLUX*", "timbrooks/*"],
  },
  {
    need: "draw anime characters",
    tasks: draw,
    models: ["cagliostrolab/animagine*", "OnomaAIResearch/*", "circlestone-labs/Anima"],
  },
  {
    need: "posters with correctly spelled text in the image",
    tasks: draw,
    models: ["Qwen/Qwen-Image*", "Tongyi-MAI/Z-Image*", "stabilityai/stable-diffusion-3.5*"],
  },
  {
    need: "image generation for a graphics card with 8 GB",
    fields: { hardware: "gpu-8gb" },
    tasks: draw,
    also: edit,
  },
  {
    need: "text-to-image in one or a few steps, nearly instant",
    tasks: draw,
    models: ["*turbo*", "*schnell", "SimianLuo/*", "*Lightning*", "*klein*"],
  },
  {
    need: "bring old family photographs to life as little moving clips",
    tasks: ["image-to-video"],
    models: ["Wan-AI/*I2V*", "stabilityai/stable-video*", "Lightricks/*", "QuantStack/*", "Wan-AI/*TI2V*"],
  },
  {
    need: "short video clips from a prompt",
    tasks: ["text-to-video"],
    also: film,
    models: ["Wan-AI/*T2V*", "Lightricks/*", "Wan-AI/*TI2V*"],
  },
  {
    need: "generate a video together with matching sound and dialogue",
    tasks: film,
    models: ["Lightricks/LTX-2*", "OpenMOSS-Team/MOVA*", "SulphurAI/*"],
  },
  {
    need: "enlarge small old photos 4x without them getting blurry",
    tasks: ["image-to-image"],
    depth: 1,
    models: ["eugenesiow/edsr-base", "stabilityai/sd-x2*", "ByteDance-Seed/SeedVR2*"],
  },
  {
    need: "restore and upscale compressed home videos from the nineties",
    tasks: ["video-to-video"],
    depth: 1,
    models: ["*SeedVR2*"],
  },
  {
    need: "dubbing: adjust lip movements in a video to new speech",
    tasks: ["video-to-video"],
    depth: 1,
    models: ["ByteDance/LatentSync*"],
  },
  {
    need: "3D model from one picture for a game",
    tasks: ["image-to-3d"],
    models: ["microsoft/TRELLIS*", "stabilityai/TripoSR", "tencent/Hunyuan3D*"],
  },
  {
    need: "reconstruct a room in 3D with camera poses from a bunch of phone photos",
    tasks: ["image-to-3d", "depth-estimation"],
    depth: 2,
    models: ["facebook/VGGT*", "yyfz233/Pi3", "depth-anything/DA3-LARGE*"],
  },
  {
    need: "erase a tourist from my picture and fill in what is behind (inpainting)",
    tasks: ["image-to-image", "image-text-to-image"],
    models: ["black-forest-labs/FLUX.1-Fill*", "*inpainting", "Qwen/Qwen-Image-Edit*"],
  },
  {
    need: "controlnet to steer SDXL with a pose or sketch",
    tasks: ["text-to-image", "image-to-image"],
    depth: 1,
    models: ["xinsir/controlnet*"],
  },
  {
    need: "photorealistic pictures of food and interiors for a catalogue",
    fields: { license: "commercial", taskType: "image-gen" },
    tasks: draw,
    also: edit,
  },
  {
    need: "video generation model that is Apache licensed and fits a 24 GB card",
    tasks: film,
    wishes: { license: "apache-2.0", hardware: "gpu-24gb" },
    models: ["Wan-AI/*", "QuantStack/*"],
  },
  {
    need: "combine a person and a garment from two photos in one new picture",
    tasks: edit,
    models: ["Qwen/Qwen-Image-Edit*", "black-forest-labs/FLUX.2*", "unsloth/Qwen-Image-Edit*"],
  },
];
