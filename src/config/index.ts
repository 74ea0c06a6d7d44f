export { type Config, ConfigError, readConfig } from "./config.ts";
export type { OtelConfig, OtelSampler, OtlpTarget } from "./otel.ts";
export type { StreamLimit, TrustedProxies } from "./server.ts";
