import type { Rule } from "./text/phrases.ts";
import { type Text, words } from "./text/text.ts";
import type { Found } from "./wish.ts";

const wish = (license: string, from: number, to: number): Found => ({
  wish: { kind: "license", value: license, license },
  from,
  to,
});

/** Makes a rule whose phrases always wish for a licence, unless they are negated. */
const unlessNegated = (license: string, phrases: readonly string[]): Rule => ({
  phrases,
  unlessNegated: true,
  read: (text, from, to) => (text.word(from - 1) === "non" ? undefined : wish(license, from, to)),
});

/** If one of these words follows "open source", it is a topic and not a licence. */
const openSourceMatters = words(
  "intelligence code repo repos repository repositories project projects software library libraries contributor contributors",
  "maintainer maintainers community communities developer developers package packages contributions components dependencies",
  "investigators investigation investigations licences licenses",
);
const licenceWord = "licence|license|licences|licenses|licensed|licensing|licenced";

/** Licences: the id, phrases that always name it, and words that name it only in the right context. */
const named: readonly { id: string; sure: readonly string[]; bare: readonly string[] }[] = [
  { id: "apache-2.0", sure: ["apache 2|2.0", "apache2", `apache v2|2|2.0? ${licenceWord}`], bare: ["apache"] },
  { id: "mit", sure: [`mit style? ${licenceWord}`], bare: ["mit"] },
  { id: "bsd-3-clause", sure: [`bsd 3? clause? style? ${licenceWord}`, "bsd 3 clause"], bare: ["bsd"] },
  { id: "gpl-3.0", sure: ["gpl v3|3|3.0", "gplv3", `gpl ${licenceWord}`], bare: [] },
  { id: "cc0-1.0", sure: ["cc0"], bare: [] },
  { id: "cc-by-4.0", sure: ["cc by 4|4.0?"], bare: [] },
  { id: "cc-by-sa-4.0", sure: ["cc by sa 4|4.0?"], bare: [] },
];

const licenceNames = words("apache apache2 mit bsd");

/** What only a licence for commercial use lets people do: "a licence that lets us ship the weights". */
const trade = words(
  "commercial commercially product products production sell sells sold selling resell ship ships shipped shipping paid pay pays",
  "paying customer customers client clients company companies startup startups business businesses firm firms enterprise",
  "industrial industry redistribute redistribution redistributing bundle bundled broadcast broadcasting broadcasts printed",
  "printing charge charging admission publisher publishers release releases vendor contractor app game shop fee fees",
);
/** Words of people whom a licence for research serves, or who do not mind: "an academic licence is fine". */
const unpaid = words("academic research personal hobby private matter matters irrelevant whatever any unimportant");
/** Words that exclude what is named beside them. */
const exclusions = words(
  "no not isn't aren't wasn't don't doesn't can't cannot won't mustn't without avoid avoids against never nothing neither",
  "forbids forbid forbidden blocked block blocks refuse refuses refused reject rejects rejected excluded excludes exclude",
  "excluding out banned bans impossible disqualifies disqualified unacceptable free problem problems issue trouble allergic",
);
/** Words that exclude only without "no": "GPL is a problem", "GPL is no problem". */
const troubles = words("problem problems issue trouble");
/** The farthest that a word may be from "licence", and an exclusion from the licence that it excludes. */
const [FAR, NEAR] = [18, 6];

/** The first of some words after a position in the same sentence. */
function nextOf(text: Text, from: number, most: number, wanted: ReadonlySet<string>): number | undefined {
  for (let at = from + 1; at <= from + most && at < text.tokens.length && text.tokens[at]?.gap !== 2; at++) {
    if (wanted.has(text.word(at))) {
      return at;
    }
  }
  return undefined;
}

/** Whether an exclusion is near a licence, without a comma between: "AGPL is out of the question". */
function isExcluded(text: Text, from: number, to: number): boolean {
  for (let at = to + 1; at <= to + NEAR && text.joined(to, at); at++) {
    if (exclusions.has(text.word(at))) {
      return !isNoTrouble(text, at);
    }
  }
  for (let at = from - 1; at >= from - NEAR && text.joined(at, from); at--) {
    if (exclusions.has(text.word(at))) {
      return true;
    }
  }
  return false;
}

/** Whether the words from a place on are "no problem", "not a problem" or "isn't an issue". */
function isNoTrouble(text: Text, from: number): boolean {
  const article = /^an?$/.test(text.word(from + 1)) ? 1 : 0;
  return /^(?:no|not|isn't)$/.test(text.word(from)) && troubles.has(text.word(from + 1 + article));
}

/** Words that name the licence itself: what it must allow follows from them. */
const licenceKinds = words("open free libre permissive apache mit bsd 2.0 2 osi approved");

export const licenseRules: readonly Rule[] = [
  {
    phrases: [licenceWord],
    read: (text, from) => {
      const kind = text.before(from);
      if (licenceKinds.has(kind) || unpaid.has(kind)) {
        return undefined;
      }
      const at = nextOf(text, from, FAR, trade);
      const refused = nextOf(text, from, FAR, unpaid);
      // "Not academic-only" asks for more than a licence for research.
      const isRefused = refused !== undefined && text.word(refused - 1) !== "not" && (at === undefined || refused < at);
      return at === undefined || isRefused || text.word(at - 1) === "non" ? undefined : wish("commercial", from, at);
    },
  },
  {
    phrases: ["redistribution|redistribute|redistributable|redistributed"],
    unlessNegated: true,
    read: (_text, from, to) => wish("commercial", from, to),
  },
  {
    phrases: ["noncommercial", "non commercial", "research|academic only", "cc by nc"],
    read: (text, from, to) => (isExcluded(text, from, to) ? wish("commercial", from, to) : undefined),
  },
  {
    phrases: ["agpl|agplv3|gpl|copyleft"],
    read: (text, from, to) => (isExcluded(text, from, to) ? wish("permissive", from, to) : undefined),
  },
  unlessNegated("commercial", [
    `commercial use|usage|purposes|purpose|product|products|app|apps|application|applications|service|services|${licenceWord}|project|projects|software|deployment|offering|rights|setting|settings|friendly|saas|website|game|tool|platform`,
    "commercially usable|friendly|licensed|licenced|permissible|viable|allowed|safe|available",
    "use|used|usable|deploy|exploit it|them|this? commercially",
    "for profit use|product|app",
    "sell it|them",
    "sell the|this output|outputs|app|product|results|software|model|service|game",
    "sell|sells|selling a|an|our|my? app|software|saas|product|service|subscription|subscriptions built|based|with|using|on|that|which?",
    "resell|monetise|monetize|monetised|monetized",
    "company|our|my paid|commercial product|app",
    "company product|products",
    "product|app|software|saas|service|tool|game|plugin we|i|that|which i|we? sell|ship|license|resell",
    "paid|proprietary|closed product|app|software|service|source|subscription",
    "paying customers|clients",
    "royalty free",
  ]),
  unlessNegated("permissive", [
    `permissive|permissively ${licenceWord}|terms|model|models|weights|use|open`,
    "liberal|unrestrictive|unrestricted licence|license|licensing",
  ]),
  {
    phrases: [
      "no|without|not|non any? copyleft|gpl|agpl",
      `no|without restrictive|restrictions|strings ${licenceWord}|attached`,
    ],
    read: (_text, from, to) => wish("permissive", from, to),
  },
  {
    phrases: ["permissive", "commercial"],
    unlessNegated: true,
    read: (text, from, to) =>
      text.isSegment(from, to) && text.tokens.length > 1 ? wish(text.word(from), from, to) : undefined,
  },
  unlessNegated("open", [
    `open|openly|free|libre|osi ${licenceWord}`,
    `osi approved|compatible ${licenceWord}?`,
    "foss|opensource",
    "public domain licence|license|model|weights",
    "creative commons licence|license|licensed?",
    "truly|fully open|free source?",
  ]),
  {
    phrases: ["open source|sourced"],
    unlessNegated: true,
    read: (text, from, to) => {
      if (openSourceMatters.has(text.after(to))) {
        return undefined;
      }
      return wish("open", from, to);
    },
  },
  ...named.flatMap(({ id, sure, bare }): Rule[] => [
    unlessNegated(id, sure),
    {
      phrases: bare.length > 0 ? bare : [`${id}-never`],
      unlessNegated: true,
      read: (text, from, to) => (isLicenceHere(text, from, to) ? wish(id, from, to) : undefined),
    },
  ]),
];

/** Whether "Apache" or "MIT" is a licence: alone between commas, beside another one, or after "under" or "licence". */
function isLicenceHere(text: Text, from: number, to: number): boolean {
  if (text.isSegment(from, to) && text.tokens.length > 1 && text.isCapitalised(from)) {
    return true;
  }
  const before = text.word(from - 1);
  if (/^(?:licen[cs]e|licensed|licenced|under)$/.test(before) && text.endsSegment(to)) {
    return true;
  }
  const next = text.word(to + 1);
  const joint = next === "or" || next === "and" ? text.word(to + 2) : next;
  const jointBefore = before === "or" || before === "and" ? text.word(from - 2) : before;
  if (licenceNames.has(joint)) {
    return true;
  }
  return licenceNames.has(jointBefore) || jointBefore === "2.0" || jointBefore === "2";
}

/**
 * Merges a choice of licences ("Apache or MIT") into the class that contains them all. A wish for a class is kept beside
 * one for a licence of that class.
 */
export function mergeLicenses(found: Found[]): Found[] {
  const ids = found.filter(({ wish }) => wish.kind === "license" && named.some(({ id }) => id === wish.value));
  const first = ids[0];
  const last = ids.at(-1);
  if (first === undefined || last === undefined || ids.length < 2) {
    return found;
  }
  const permissive = ids.every(
    ({ wish }) =>
      wish.value === "apache-2.0" || wish.value === "mit" || wish.value === "bsd-3-clause" || wish.value === "cc0-1.0",
  );
  const license = permissive ? "permissive" : "open";
  const between = found.some(({ wish, from }) => wish.kind !== "license" && from > first.from && from < last.from);
  const joint: Found = {
    wish: { kind: "license", value: license, license },
    from: first.from,
    to: between ? first.to : last.to,
  };
  return found.filter((each) => !ids.includes(each) || each === first).map((each) => (each === first ? joint : each));
}
