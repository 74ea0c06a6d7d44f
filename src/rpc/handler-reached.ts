import { createContextKey } from "@connectrpc/connect";

/** Whether a call came as far as its handler; before, its message was read, and what fails is the caller's. */
export const handlerReachedKey = createContextKey<boolean>(false, { description: "handler reached" });
