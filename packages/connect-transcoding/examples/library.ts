import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import { type Book, Library } from "./gen/library_pb.ts";

const books = new Map<string, Book>();

export function routes(router: ConnectRouter): void {
  router.service(Library, {
    getBook: ({ name }) => books.get(name) ?? Promise.reject(new ConnectError(`no book ${name}`, Code.NotFound)),
    createBook: (book) => books.set(book.name, book) && book,
    listBooks: async function* ({ title }) {
      yield* [...books.values()].filter((book) => book.title.includes(title));
    },
  });
}
