/**
 * The first of the codings that an Accept-Encoding takes; undefined for none, as without the header. A quality of 0
 * refuses; otherwise the order is ours, since all of them are made already.
 */
export function acceptedCoding<T extends string>(header: string | undefined, codings: Iterable<T>): T | undefined {
  const accepted = new Map(
    (header ?? "")
      .toLowerCase()
      .split(",")
      .map((entry) => {
        const [name = "", ...parameters] = entry.split(";").map((part) => part.trim());
        const quality = parameters.find((parameter) => parameter.startsWith("q="));
        return [name, quality === undefined || Number(quality.slice(2)) > 0] as const;
      }),
  );
  return [...codings].find((coding) => accepted.get(coding) ?? accepted.get("*") ?? false);
}
