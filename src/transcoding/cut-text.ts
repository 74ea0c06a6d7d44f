/** A text with no more than so many characters: where it has more, its end is cut off. */
export function cutEnd(text: string, maxCharacters: number): string {
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters - 1).toWellFormed()}…` : text.toWellFormed();
}

/** A text with no more than so many characters: where it has more, its middle is left out. */
export function cutMiddle(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) {
    return text.toWellFormed();
  }
  const tail = Math.floor((maxCharacters - 1) / 2);
  const head = maxCharacters - 1 - tail;
  return `${text.slice(0, head).toWellFormed()}…${text.slice(-tail).toWellFormed()}`;
}
