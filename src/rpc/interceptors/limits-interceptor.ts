import { Code, ConnectError, createContextKey, type Interceptor } from "@connectrpc/connect";

/**
 * The headers that tell how the caller of a call stands with the limits, for its answer or its error. Asked for when
 * the call is done; empty where they say nothing.
 */
export const limitsKey = createContextKey<() => Promise<Readonly<Record<string, string>>>>(async () => ({}), {
  description: "limits",
});

/** Tells callers how they stand with the limits, in answers and in errors. Goes around all other interceptors. */
export const limitsInterceptor: Interceptor = (next) => async (req) => {
  const tell = async (header: Headers) => {
    // An error about a limit tells that one.
    if (header.has("ratelimit")) {
      return;
    }
    // Where the database does not answer, what the call came to is worth more than how its caller stands.
    const limits = await req.contextValues
      .get(limitsKey)()
      .catch(() => ({}));
    for (const [name, value] of Object.entries(limits)) {
      header.set(name, value);
    }
  };
  try {
    const res = await next(req);
    await tell(res.header);
    return res;
  } catch (thrown) {
    const error = ConnectError.from(thrown);
    // Those who are turned away for lack of time are not to wait for the database.
    if (error.code !== Code.Unavailable) {
      await tell(error.metadata);
    }
    throw error;
  }
};
