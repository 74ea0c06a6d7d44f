export { readWishes } from "./read-wishes.ts";
export type {
  AvoidWish,
  ContextWish,
  DomainWish,
  HardwareClass,
  HardwareWish,
  LanguageWish,
  LicenseWish,
  PrivacyWish,
  SizeWish,
  SpeedWish,
  Wish,
  WishKind,
} from "./wish.ts";
export { wishKinds } from "./wish.ts";
