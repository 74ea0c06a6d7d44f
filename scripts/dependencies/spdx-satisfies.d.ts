// The package has no types.
declare module "spdx-satisfies" {
  /** Whether these licences meet an SPDX expression. @throws Error for text that is not an SPDX expression. */
  export default function satisfies(expression: string, allowed: readonly string[]): boolean;
}
