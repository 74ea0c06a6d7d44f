/** A model's name as a path of the Hub: what is special in addresses is escaped. JSON can have half a surrogate pair. */
export function hubPath(name: string): string {
  return name.toWellFormed().split("/").map(encodeURIComponent).join("/");
}
