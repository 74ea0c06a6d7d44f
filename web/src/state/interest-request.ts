import type { MessageInitShape } from "@bufbuild/protobuf";
import type { InterestSchema } from "../../../src/client.ts";
import type { NeedDraft } from "./need-draft.ts";
import { readNeed } from "./read-need.ts";
import type { Violation } from "./violation.ts";

/** Characters of a name that the service takes. */
const MAX_NAME = 100;

/** The interest that waits for models for a need, named after its first words. */
export function interestRequest(
  need: NeedDraft,
): { interest: MessageInitShape<typeof InterestSchema> } | { violations: Violation[] } {
  const read = readNeed(need);
  if ("violations" in read) {
    return read;
  }
  const { description, taskType, maxSizeGb, hardware, license, languages, minContextLength, ignore } = read.request;
  const name = shortened(description.trim().replaceAll(/\s+/g, " "));
  return {
    interest: { name, description, taskType, maxSizeGb, hardware, license, languages, minContextLength, ignore },
  };
}

function shortened(text: string): string {
  const characters = [...text];
  return characters.length <= MAX_NAME ? text : `${characters.slice(0, MAX_NAME - 1).join("")}…`;
}
