import { words } from "./phrases.ts";
import type { Text } from "./text.ts";
import type { Found } from "./wish.ts";

/** Words that push away what follows. */
const negators = words("no not without except excluding");
/** What may stand before them: they begin a clause of their own. */
const starters = words("but and please");
/** What may stand between them and the thing. */
const articles = words("a an any the");
/** What may stand behind the thing. */
const followers = words("or nor and please");
/** Words that are no things, or that say how something is to be done. */
const noThings = words(
  "only just more less most least much many very that this these those there them they thing things problem idea matter need",
  "needed necessary required important wanted allowed possible other others else same such like later yet sure really always",
  "before after when where while because with from into what which whom here then than even also exactly longer good",
  "fast slow large small long short simple heavy cheap expensive training trained data internet network cloud server online",
  "code text image images audio video human humans people person exceptions limits matter questions strings",
);
/** Shorter words are hardly names of things. */
const SHORTEST = 4;

/**
 * Things in one word that a clause of its own pushes away, whatever they are: "pictures, no anime", "but not Chinese".
 * Only where no other wish stands.
 */
export function findUnwanted(text: Text, told: readonly Found[]): Found[] {
  const found: Found[] = [];
  for (let at = 0; at < text.tokens.length - 1; at++) {
    if (!negators.has(text.word(at)) || !(text.startsSegment(at) || starters.has(text.before(at)))) continue;
    const to = articles.has(text.after(at)) ? at + 2 : at + 1;
    const what = text.word(to);
    if (what.length < SHORTEST || noThings.has(what) || /\d/.test(what) || /(?:ly|ing|ed)$/.test(what)) continue;
    if (!text.joined(at, to) || !(text.endsSegment(to) || followers.has(text.after(to)))) continue;
    if (told.some((other) => other.from <= to && other.to >= at)) continue;
    found.push({ wish: { kind: "avoid", value: what, what }, from: at, to });
  }
  return found;
}
