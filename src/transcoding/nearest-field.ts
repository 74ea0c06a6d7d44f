import type { DescMessage } from "@bufbuild/protobuf";
import { nearestName } from "./nearest-name.ts";

/** The real field nearest to an unknown name, in the spelling (snake_case or lowerCamelCase) of that name. */
export function nearestField(desc: DescMessage, name: string): string | undefined {
  const camelCase = /[A-Z]/.test(name) && !name.includes("_");
  return nearestName(
    name,
    desc.fields.map((field) => (camelCase ? field.jsonName : field.name)),
  );
}
