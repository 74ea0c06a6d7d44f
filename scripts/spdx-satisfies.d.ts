// The package has no types of its own.
declare module "spdx-satisfies" {
  /** Whether an SPDX expression can be met with these licences alone. @throws Error when it is none. */
  export default function satisfies(expression: string, allowed: readonly string[]): boolean;
}
