import type { Profile } from "../../profile.ts";

/** The features of a need that say under which circumstances a model must work. */
export const circumstanceNames = [
  "needMemory",
  "needDevice",
  "needPriority",
  "needSize",
  "needSpeed",
  "needTraining",
] as const;

/** The values of `circumstanceNames`, in their order. Memory is in 10^9 bytes, -1 if none is known. */
export function circumstancesOf(profile: Profile): number[] {
  const { memoryGb, priority, sizePreference, manner } = profile;
  return [
    memoryGb ?? -1,
    deviceOf(profile),
    priority === undefined ? 0 : priority === "quality" ? 1 : -1,
    sizePreference === undefined ? 0 : sizePreference === "large" ? 1 : -1,
    speedOf(profile),
    trainingRanks[manner.training],
  ];
}

const trainingRanks = { none: -1, untold: 0, possible: 1, wanted: 2 } as const;

/** Devices with little memory and no large processor. */
const smallDevices: ReadonlySet<string> = new Set([
  "phone",
  "browser",
  "raspberry-pi",
  "microcontroller",
  "jetson-nano",
]);

/** 2 for a small device, 1 for a computer without a graphics card, 0 for other hardware; -1 when none is named. */
function deviceOf({ must, wished, wishes }: Profile): number {
  if (wishes.some((wish) => wish.kind === "hardware" && smallDevices.has(wish.device ?? ""))) {
    return 2;
  }
  const device = must.device ?? wished.device;
  return device === undefined ? -1 : Number(device.kind === "cpu");
}

/** 2 for a wish for answers at once, 1 for a wish for speed, else 0. */
function speedOf({ wishes, priority }: Profile): number {
  const speeds = wishes.filter((wish) => wish.kind === "speed");
  return speeds.some(({ preference }) => preference === "realtime")
    ? 2
    : Number(speeds.length > 0 || priority === "speed");
}
