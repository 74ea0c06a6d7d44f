export { type Config, ConfigError, readConfig, type StreamLimit, type TrustedProxies } from "./config.ts";
export type { OtelConfig, OtelSampler, OtlpTarget } from "./otel.ts";
