/** The first sentence of a comment, without its full stop, and what follows it. Both are empty where there is none. */
export function splitComment(comment: string): { summary: string; rest: string } {
  const [first = ""] = comment.split("\n\n", 1);
  const sentence = /^.*?[.!?](?=\s|$)/s.exec(first)?.[0] ?? first;
  return { summary: sentence.replace(/\.$/, "").replaceAll("\n", " "), rest: comment.slice(sentence.length).trim() };
}
