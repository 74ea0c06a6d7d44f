/** What the program's exit status says. */
export const exitCodes = {
  done: 0,
  failed: 1,
  wrongUsage: 2,
  interrupted: 130,
  terminated: 143,
} as const;
