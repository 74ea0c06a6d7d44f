/**
 * Well-known models whose name says nothing of the lineage they were trained on, by a pattern for the words in their
 * name that are known (groups in it do not capture), and the family.
 */
// biome-ignore format: a table
export const renamed: ReadonlyArray<readonly [words: string, family: string]> = [
  ["vicuna|alpaca|wizardlm|stablebeluga|firefunction|saiga|llammlein|toolace|hermes|ilama|guanaco|airoboros|platypus2?", "llama"],
  ["tulu|meditron|goliath|xwin|nexusraven|ziya|mythomax|mythalion|mlewd|noromaid|tiefighter|psyfighter|orca-mini|orca-2", "llama"],
  ["euryale|stheno|anubis|llm-compiler", "llama"],
  // How people who merge and tune call their models: L3.3-70B-…, MN-12B-…, MS3.2-24B-….
  ["^l3(?:\\.[1-3])?(?=-)", "llama"],
  ["^mn(?=-)|^ms(?:3\\.[12])?(?=-2[24]b)", "mistral"],
  ["zephyr|vikhr-nemo|openchat|starling|sfr-embedding|openhermes|neural-chat|notux|notus|cydonia|magidonia|rocinante|kunoichi", "mistral"],
  ["gemmasutra", "gemma"],
  ["jan|intellect|sugoi|holo|carnice|qwopus|regtech|sakura-galtransl|readerlm|reader-lm|marco-o1|openthinker\\d?|sailor2?|sky-t1", "qwen"],
  ["ui-tars|tongyi-deepresearch|q3(?=-(?:8|14|30|32)b)", "qwen"],
  ["dolly-v[12]", "pythia"],
  ["koalpaca|kullm", "polyglot-ko"],
  ["codeparrot", "gpt2"],
  ["gpt4all-j", "gpt-j"],
  ["fimbulvetr", "solar"],
  ["illustrious|noobai|pony-diffusion|animagine|kohaku|juggernaut|dreamshaper|realvisxl|realistic-vision|novaanimexl|dvine82", "stable-diffusion"],
  ["ip-adapter|lcm-dreamshaper|openjourney|waifu-diffusion|dreamlike|anything-v\\d|protogen|counterfeit|analog-diffusion", "stable-diffusion"],
  ["nitro-diffusion|inkpunk|epicrealism|absolutereality|cyberrealistic|ghostmix|majicmix|rev-?animated|meinamix|abyssorangemix\\d?", "stable-diffusion"],
  ["chilloutmix|vintedois|redshift-diffusion|mo-di-diffusion|arcane-diffusion|pastel-mix|wai-(?:nsfw|ani|illustrious)|autismmix", "stable-diffusion"],
  ["sulphur", "ltx"],
  ["distil-(?:small|medium|large)", "whisper"],
  // LocalAI's names of Piper's voices: voice-en_US-amy-low.
  ["^voice-[a-z]{2}-[a-z0-9-]{1,60}-(?:low|medium|high)$", "piper"],
  ["openmed", "openmed"],
];
