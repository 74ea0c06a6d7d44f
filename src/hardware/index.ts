export { bestVariant, type VariantLimits } from "./best-variant.ts";
export { effectiveBits } from "./bits.ts";
export { type CacheType, cacheTypes } from "./cache-types.ts";
export { type HardwareClass, hardwareClasses, isHardwareClass } from "./classes.ts";
export { type EstimateOptions, estimateVariant } from "./estimate.ts";
export { type DeviceQuery, findDevice, type UnknownDevice } from "./find-device.ts";
export { type FittedModel, type FittedVariant, fitVariants } from "./fit-variants.ts";
export { type EstimateRequest, type EstimateResult, estimateRequest, type FieldViolation } from "./request.ts";
export { requestLimits } from "./request-limits.ts";
export type {
  Attention,
  Device,
  DeviceKind,
  Estimate,
  Fit,
  ModelFigures,
  SpeedRange,
  VariantFigures,
} from "./types.ts";
