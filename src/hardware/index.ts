export { cardWords, vendorOf } from "./devices/catalog.ts";
export {
  cardClass,
  classOf,
  type HardwareClass,
  hardwareClasses,
  isHardwareClass,
  referenceClass,
} from "./devices/classes.ts";
export { type DeviceQuery, findCard, findDevice, MOST_KINDS, type UnknownDevice } from "./devices/find-device.ts";
export { priceClasses } from "./devices/prices.ts";
export { engineNames, findEngine } from "./estimate/engines.ts";
export { type EstimateOptions, estimateVariant, fitVariant, lacksLayout } from "./estimate/estimate.ts";
export { sentSpeed, speedText } from "./estimate/speed.ts";
export { throughputText } from "./estimate/throughput.ts";
export {
  bestVariant,
  capacityGb,
  type DeviceGroup,
  deviceGroups,
  groupOf,
  memoryInGroup,
  runsOn,
  type VariantLimits,
} from "./fit/best-variant.ts";
export {
  type HardwareOption,
  type HardwarePlan,
  type PlanRequest,
  planHardware,
  planLimits,
  readPlan,
} from "./fit/plan-hardware.ts";
export { effectiveBits } from "./model/bits.ts";
export { cacheTypes } from "./model/layout.ts";
export {
  deviceOf,
  type EstimateRequest,
  type EstimateResult,
  type EstimateViolation,
  estimateOf,
  estimateRequest,
  type FittedModel,
  type FittedVariant,
  fitVariants,
  type HardwareFields,
  knownDevice,
  readHardware,
  readRequest,
  requestLimits,
} from "./request.ts";
export type {
  AttentionLayout,
  Device,
  DeviceKind,
  Estimate,
  Fit,
  ModelFigures,
  SpeedRange,
  Throughput,
  ThroughputUnit,
  TimeRange,
  VariantFigures,
} from "./types.ts";
