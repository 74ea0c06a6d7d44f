import { createTranscodingHandler } from "connect-transcoding";
import { routes } from "./library.ts";

export const handler = createTranscodingHandler({ routes }); // (request: Request) => Promise<Response>
