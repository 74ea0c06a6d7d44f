import { Mismatch } from "./mismatch.ts";

const MISMATCH = new Mismatch('field paths separated by commas, such as "title,author.name"');
const PATH = /^(?:\*|[A-Za-z_]\w*(?:\.(?:\*|[A-Za-z_]\w*))*)$/;

/**
 * Checks the text of a google.protobuf.FieldMask, with paths in snake_case or lowerCamelCase, and returns it in
 * lowerCamelCase. `*` is allowed as a path and as a step of one. Refuses the few snake_case names that have no
 * camelCase form (`a_1`), because ProtoJSON cannot carry them.
 */
export function fieldMaskValue(text: string): string | Mismatch {
  if (text === "") {
    return text;
  }
  const paths = text.split(",").map((path) => path.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()));
  return paths.every((path) => PATH.test(path) && !path.includes("_")) ? paths.join(",") : MISMATCH;
}
