/** Opens the encoder that the argument names, encodes a text, and prints the id and the vector's length. */
import { openEncoder } from "../../../src/embedding/open-encoder.ts";

const encoder = await openEncoder(process.argv[2]!);
const [vector] = await encoder.encode(["classify the sentiment of a text"]);
console.log(encoder.id, vector!.length);
// Not closed: an idle encoder must not keep the process alive.
