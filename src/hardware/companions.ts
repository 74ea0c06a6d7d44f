/**
 * Models that a diffusion pipeline needs beside its denoiser: text encoders and the image decoder (VAE), in 10^9
 * parameters, from the makers' model cards and `model_index.json`. They count where only the denoiser's parameters or
 * a single converted file are known; the download of a whole pipeline holds them already.
 */
const companions: readonly { pattern: RegExp; what: string; billions: number }[] = [
  { pattern: /flux[.-]?2/, what: "a Mistral Small text encoder and the VAE", billions: 24 },
  { pattern: /flux|chroma/, what: "T5-XXL's encoder, CLIP L and the VAE", billions: 4.97 },
  {
    pattern: /stable-diffusion-3|sd-?3|stable-diffusion-v3/,
    what: "T5-XXL's encoder, two CLIPs and the VAE",
    billions: 5.7,
  },
  {
    pattern: /sdxl|stable-diffusion-xl|pony|illustrious|animagine|juggernaut-?xl/,
    what: "two CLIPs and the VAE",
    billions: 0.9,
  },
  { pattern: /qwen-?image/, what: "Qwen2.5-VL 7B as text encoder and the VAE", billions: 8.4 },
  { pattern: /z-image/, what: "Qwen3 4B as text encoder and the VAE", billions: 4.1 },
  { pattern: /hidream/, what: "T5-XXL, Llama 3.1 8B, two CLIPs and the VAE", billions: 13.7 },
  { pattern: /wan-?2|wan2/, what: "UMT5-XXL's encoder and the VAE", billions: 5.8 },
  { pattern: /hunyuan-?video/, what: "a Llama 3 8B text encoder, CLIP and the VAE", billions: 8.4 },
  { pattern: /ltx/, what: "T5-XXL's encoder and the VAE", billions: 5.2 },
  { pattern: /cogvideo|mochi|pixart|auraflow|kolors/, what: "a T5 or GLM text encoder and the VAE", billions: 5 },
  { pattern: /sana/, what: "Gemma 2 2B as text encoder and the VAE", billions: 2.8 },
  { pattern: /lumina/, what: "Gemma 2 2B as text encoder and the VAE", billions: 2.7 },
  {
    pattern: /stable-diffusion|sd-?(1|2)|dreamshaper|realistic-vision|deliberate/,
    what: "CLIP and the VAE",
    billions: 0.21,
  },
];

/** Text encoders are usually kept at 16 bits, or at 8 beside a denoiser of fewer bits. */
const ENCODER_BYTES = 2;
const SMALL_ENCODER_BYTES = 1.06;

/** Gigabytes of a pipeline's other models, and what they are. */
export function companionsOf(name: string, bits: number): { gb: number; what: string } | undefined {
  const text = name.toLowerCase().replace(/[\s_]+/g, "-");
  const found = companions.find(({ pattern }) => pattern.test(text));
  if (!found) return undefined;
  return { gb: found.billions * (bits >= 12 ? ENCODER_BYTES : SMALL_ENCODER_BYTES), what: found.what };
}
