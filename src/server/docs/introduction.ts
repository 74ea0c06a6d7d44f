import { needLimits } from "../../rpc/recommendation/need.ts";
import { checkLimits } from "../../transcoding/index.ts";

/** What stands before the operations, in CommonMark. */
export function introduction(): string {
  return `Say in plain English what you need a model for; get a ranked list of real models, with reasons, trade-offs,
alternatives and what it takes to run them.

## Protocols

Every operation is served as REST, as described here, and by the same names over gRPC, gRPC-Web and Connect on the same
port. \`proto/modelscout/v1/\` is the contract. REST bodies take field names in snake_case and in lowerCamelCase, and
answers are in snake_case; fields that the contract does not know are refused, with the nearest that it knows. A field
that is unknown is absent, never 0. GET operations answer HEAD too.

## Access

Without a key a caller is Free; \`X-API-Key\` carries a key. A key that is not valid is refused, never served as Free.

| tier | recommendations | sees |
| --- | --- | --- |
| Free | 10 a day | model, score, reasons, trade-offs, download size |
| Basic | 1,000 a day | the full payload |
| Pro | without limit | the full payload, and the operations of Pro |

Whoever runs the service may have set other figures. Days are those of UTC. \`GET /models/usage\` tells what is left. A description may have
${needLimits.descriptionCharacters.toLocaleString("en")} characters, a body with a need 64 KiB after decompression; calls without a need take
16 KiB, those of a batch 1 MiB, and batches in the background 32 MiB.

## Errors

An error is \`{"error": {"code", "status", "message", "details"}}\`. Everything that is wrong with a request is told at
once; of more than ${checkLimits.violationsTold} violations the first ones are listed, and the message says how many more there are. The
\`ErrorInfo\` among the details has a reason that programs can rely on; messages are for people. The schema
\`Error\` lists all reasons.
`;
}
