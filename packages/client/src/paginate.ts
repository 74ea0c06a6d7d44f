import { type CallOptions, Code, ConnectError } from "@connectrpc/connect";
import { ModelscoutError } from "./error.ts";

/** The entries of an answer's list. */
type ItemOf<Response> = {
  [Field in Exclude<keyof Response, `$${string}`>]: Response[Field] extends readonly (infer Item)[] ? Item : never;
}[Exclude<keyof Response, `$${string}`>];

/**
 * Reads a list to its end, and asks for the next page when the last one has been read. It does not ask for more pages
 * after the loop has ended.
 *
 * ```ts
 * for await (const model of paginate(inventory.listFamilyModels, { family: "qwen" })) console.log(model.name);
 * ```
 *
 * @param list a method whose request has `pageToken`.
 * @param request where to begin (`pageToken`), and how many entries a page has (`pageSize`).
 * @throws ModelscoutError if a call fails, or if the service sends the same page token twice.
 */
export async function* paginate<
  Request extends { pageToken?: string | undefined },
  Response extends { nextPageToken: string },
>(
  list: (request: Request, options?: CallOptions) => Promise<Response>,
  request: Request,
  options?: CallOptions,
): AsyncGenerator<ItemOf<Response>, void, undefined> {
  let pageToken = request.pageToken;
  const tokens = new Set([pageToken]);
  do {
    const answer = await list({ ...request, pageToken }, options);
    // Every answer with a page token has exactly one list.
    const items = Object.entries(answer).find(([name, value]) => !name.startsWith("$") && Array.isArray(value))?.[1];
    yield* (items ?? []) as ItemOf<Response>[];
    pageToken = answer.nextPageToken;
    if (pageToken !== "" && tokens.has(pageToken)) {
      const message = "The service sent the same page token twice, so the list would not end";
      throw new ModelscoutError(new ConnectError(message, Code.Internal));
    }
    tokens.add(pageToken);
  } while (pageToken !== "");
}
