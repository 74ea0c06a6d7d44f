const units = ["bytes", "kB", "MB", "GB", "TB"] as const;

/** A number of bytes for people, in powers of ten: "512 bytes", "1.2 MB". */
export function formatBytes(bytes: number): string {
  const power = bytes < 1_000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${Number((bytes / 1_000 ** power).toPrecision(3))} ${units[power]}`;
}
