import type { DescService } from "@bufbuild/protobuf";

/** What a service is called among readers: its name without the word Service. */
export function tagName({ name }: DescService): string {
  return name.replace(/(?<=.)Service$/, "");
}
