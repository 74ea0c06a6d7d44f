/** Gigabytes (10^9 bytes) in a unit, by the unit in lower case. `gb` as people write it, without telling GiB apart. */
export const gigabytesPerUnit: Readonly<Record<string, number>> = {
  gb: 1,
  gbs: 1,
  gig: 1,
  gigs: 1,
  gigabyte: 1,
  gigabytes: 1,
  gib: 1.073741824,
  go: 1,
  mb: 0.001,
  mbs: 0.001,
  meg: 0.001,
  megs: 0.001,
  megabyte: 0.001,
  megabytes: 0.001,
  mib: 0.001048576,
  kb: 0.000001,
  kilobyte: 0.000001,
  kilobytes: 0.000001,
  kib: 0.000001024,
};

/** The units that start a phrase; `go` is a word of its own in English. */
export const byteUnits = Object.keys(gigabytesPerUnit)
  .filter((unit) => unit !== "go")
  .join("|");

/** A size as people say it: 2 GB, 500 MB, 20 KB. */
export function sizeText(gigabytes: number): string {
  const [figure, unit] =
    gigabytes >= 1 ? [gigabytes, "GB"] : gigabytes >= 0.001 ? [gigabytes * 1e3, "MB"] : [gigabytes * 1e6, "KB"];
  return `${Number(figure.toPrecision(4))} ${unit}`;
}
