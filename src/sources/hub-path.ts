/** A model's name as a path of the Hub: what is special in addresses is escaped. */
export function hubPath(name: string): string {
  return name.split("/").map(encodeURIComponent).join("/");
}
