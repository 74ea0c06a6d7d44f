import type {
  DescEnum,
  DescEnumValue,
  DescField,
  DescFile,
  DescMessage,
  DescMethod,
  DescService,
} from "@bufbuild/protobuf";

/** A declaration that can have a comment. */
export type Commented = DescMessage | DescField | DescEnum | DescEnumValue | DescService | DescMethod;

/** The comment on a declaration in CommonMark. Empty if there is none. */
export type CommentOf = (desc: Commented) => string;

/** Numbers of the fields in descriptor.proto that lead to a declaration. */
const step = {
  message: 4,
  enum: 5,
  service: 6,
  nestedMessage: 3,
  nestedEnum: 4,
  field: 2,
  value: 2,
  method: 2,
} as const;

/** Reads the comments of descriptors that were loaded with source info, which generated code lacks. */
export function commentReader(): CommentOf {
  const filesRead = new Map<DescFile, ReadonlyMap<string, string>>();
  return (desc) => {
    const file = fileOf(desc);
    let comments = filesRead.get(file);
    if (comments === undefined) {
      comments = readFile(file);
      filesRead.set(file, comments);
    }
    return comments.get(pathOf(desc).join(".")) ?? "";
  };
}

function readFile({ proto }: DescFile): ReadonlyMap<string, string> {
  const comments = new Map<string, string>();
  for (const { path, leadingComments, trailingComments } of proto.sourceCodeInfo?.location ?? []) {
    const text = leadingComments || trailingComments;
    if (text) {
      comments.set(path.join("."), paragraphs(text));
    }
  }
  return comments;
}

/** Joins the lines of a paragraph, which are wrapped for editors, and keeps those of a list. */
function paragraphs(comment: string): string {
  return comment
    .split("\n")
    .map((line) => line.replace(/^ /, "").trimEnd())
    .join("\n")
    .trim()
    .replace(/(?<!\n)\n(?![\n|>]|\s*(?:[-*]|\d+\.)\s)/g, " ");
}

function fileOf(desc: Commented): DescFile {
  if (desc.kind === "field" || desc.kind === "enum_value" || desc.kind === "rpc") {
    return fileOf(desc.parent);
  }
  return desc.file;
}

/** The path of a declaration in its file, as source info has it. */
function pathOf(desc: Commented): number[] {
  switch (desc.kind) {
    case "service":
      return [step.service, desc.file.proto.service.indexOf(desc.proto)];
    case "rpc":
      return [...pathOf(desc.parent), step.method, desc.parent.proto.method.indexOf(desc.proto)];
    case "message":
      return desc.parent === undefined
        ? [step.message, desc.file.proto.messageType.indexOf(desc.proto)]
        : [...pathOf(desc.parent), step.nestedMessage, desc.parent.proto.nestedType.indexOf(desc.proto)];
    case "field":
      return [...pathOf(desc.parent), step.field, desc.parent.proto.field.indexOf(desc.proto)];
    case "enum":
      return desc.parent === undefined
        ? [step.enum, desc.file.proto.enumType.indexOf(desc.proto)]
        : [...pathOf(desc.parent), step.nestedEnum, desc.parent.proto.enumType.indexOf(desc.proto)];
    case "enum_value":
      return [...pathOf(desc.parent), step.value, desc.parent.proto.value.indexOf(desc.proto)];
  }
}

/** The first sentence of a comment without its full stop, and the rest. Both are empty if there is no comment. */
export function splitComment(comment: string): { summary: string; rest: string } {
  const [first = ""] = comment.split("\n\n", 1);
  const sentence = /^.*?[.!?](?=\s|$)/s.exec(first)?.[0] ?? first;
  return { summary: sentence.replace(/\.$/, "").replaceAll("\n", " "), rest: comment.slice(sentence.length).trim() };
}

/** The name of a service without the word Service. */
export function tagName({ name }: DescService): string {
  return name.replace(/(?<=.)Service$/, "");
}
