import { ConfigError, readConfig } from "../../../src/config/config.ts";

/** The faults that the program names in some settings; none if it starts with them. */
export function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) {
      return error.faults;
    }
    throw error;
  }
  return [];
}
