import { isNegated } from "./text/negation.ts";
import type { Rule } from "./text/phrases.ts";
import { type Text, words } from "./text/text.ts";
import type { Found } from "./wish.ts";

type Way = "offline" | "local" | "on-premises" | "no-cloud" | "private";

const privacy = (value: Way, from: number, to: number): Found => ({ wish: { kind: "privacy", value }, from, to });

/** Makes a rule whose phrases always express the wish, unless they are negated. */
const unlessNegated = (value: Way, phrases: readonly string[]): Rule => ({
  phrases,
  unlessNegated: true,
  read: (_text, from, to) => privacy(value, from, to),
});

/** Makes a rule whose phrases contain their own negation. */
const always = (value: Way, phrases: readonly string[]): Rule => ({
  phrases,
  read: (_text, from, to) => privacy(value, from, to),
});

/** If one of these words follows "offline", it is a term of commerce or of machine learning. */
const notOffline = words(
  "store stores retail retailer retailers shop shops shopping marketing sales customers event events conversion",
  "conversions reinforcement rl policy advertising channel channels business purchases orders evaluation payment payments",
);
const notCloud = words("shadow shadows cover gaps gap mask masks coverage formation type types");
/** Words after "local" for what runs on the user's machine. */
const localThings = words(
  "only llm llms model models ai inference deployment machine hosting execution processing assistant gguf ollama",
);
const lawTexts = words(
  "policy policies law laws statement statements notice notices act regulation regulations question questions clauses training articles",
);
const aboutWords = words("about explain explains explaining answers answer regarding summarise summarize read");
/** The places that data must not leave. */
const places = words(
  "server servers premises building network infrastructure device devices phone machine computer pc laptop data datacenter",
  "company hospital office house country tenant environment systems hardware site tablet clinic firm bank server's browser",
  "organisation organization internal intranet",
);
const placeBridges = words(
  "our my the their its this your a on of own any company local internal secure users user customer customers",
);

export const privacyRules: readonly Rule[] = [
  {
    phrases: ["offline", "off line"],
    unlessNegated: true,
    read: (text, from, to) => (notOffline.has(text.after(to)) ? undefined : privacy("offline", from, to)),
  },
  always("offline", [
    "no internet|wifi connection|access|link|connectivity?",
    "no network connection|access|link|connectivity",
    "no web access|connection|connectivity",
    "without a|an|any|the|working? internet|wifi|network|connectivity connection|access|link|connectivity?",
    "without being? online",
    "without a? connection to? the? internet",
  ]),
  unlessNegated("offline", ["air gapped", "airgapped"]),
  unlessNegated("on-premises", [
    "on prem|premise|premises",
    "onprem",
    "self host|hosted|hosting|hostable",
    "selfhosted",
    "on|inside|within our|my|their|your|the|a company|hospital|internal|own? own|internal|private|gpu server|servers|hardware|machines|infrastructure|network",
    "on|inside|within our|my|their server|servers|infrastructure|premises|network|datacenter|hardware|machines",
    "on|inside|within our|the|my|their own? data centre|center",
    "behind our|the|a firewall",
    "in house hosting|hosted|only|deployment",
  ]),
  unlessNegated("local", [
    "run|runs|running|host|hosted|deploy|deployed|works|work|working|process|processed|processing|executed|used|usable|stays|stay it|everything|them|entirely|fully|completely|this|all? locally",
    "runs|run|running local",
    "locally hosted|run|running|deployed|deployable|runnable",
    "fully|entirely|completely|strictly|purely local|locally",
    "on|from my|our own pc|computer|machine|machines|computers|laptop",
  ]),
  {
    phrases: ["local", "locally"],
    unlessNegated: true,
    read: (text, from, to) => {
      const isLocal = text.isSegment(from, to) || (text.word(from) === "local" && localThings.has(text.after(to)));
      return isLocal ? privacy("local", from, to) : undefined;
    },
  },
  {
    phrases: [
      "no cloud service|services|api|apis|provider|providers?",
      "without any|a|the? cloud service|services|api|apis|provider|providers?",
      "not|never|nothing in|into|to|via the cloud",
      "never|not|nothing sends|send|sent|uploads|upload|uploaded|goes|go audio|data|anything|it|images|text|our|my|the? data|files|audio? to|into the|a|any cloud|internet",
      "not|never|no|without|can't|cannot|don't upload|uploading|uploaded|send|sending|sent|share|sharing them|it|anything|data|our|my|files|documents|the|text? data|files|documents|text? to|with? a|an|the|any? cloud|third|external|outside|openai|internet|api service|services|party|parties|server|servers|provider?",
      "cannot|can't|mustn't|shouldn't|won't use|be|leave in|the? the? cloud",
      "instead of the|a cloud service|api?",
    ],
    read: (text, from, to) => (notCloud.has(text.after(to)) ? undefined : privacy("no-cloud", from, to)),
  },
  always("no-cloud", [
    "no third party|parties service|services|api|apis|servers?",
    "without third party|parties",
    "no external|remote|paid|hosted|openai|web service|services|api|apis|server|servers|calls",
    "without a|an|any? external|remote|paid|hosted|web api|apis|service|services",
    "no|without openai|chatgpt api|apis",
    "no|without a|an|any? api key|keys|calls",
  ]),
  {
    phrases: [
      "never|not|cannot|can't|mustn't|don't|doesn't|nothing|none|shouldn't|won't be|is|must|should|ever|may|can? leave|leaves|leaving",
      "no|without data|audio|text|image|images|recordings|document|documents|information|anything|patient|content leaves|leaving|leave",
      "stay|stays|remain|remains|kept|keep|staying|keeping data|everything|it|them? on|in|within|inside",
    ],
    read: (text, from, to) => {
      const place = placeAfter(text, to);
      return place === undefined || isNegated(text, from, from) ? undefined : privacy("private", from, place);
    },
  },
  unlessNegated("private", [
    "privacy preserving|friendly|first|matters|concerns|reasons|sensitive|critical|compliant|conscious",
    "privacy is|very|really|a very? important|crucial|key|essential|must|concern|priority",
    "for|respects|respecting|protects privacy reasons?",
    "data privacy",
    "must|should|has|be|is|fully|completely|strictly|keep|keeps|stay|stays|kept|remain to? be|it|everything|data|stay|them|this? private|confidential",
    "private|sensitive|confidential data|documents|document|files|notes|information|contracts|records|letters|emails",
    "contents|content|data|documents|files are|is confidential|sensitive|private|secret",
    "hipaa|gdpr|dsgvo|phi compliant|compliance|compatible|conformant|friendly|safe",
    "because of|due|under to? hipaa|gdpr",
  ]),
  {
    phrases: ["hipaa", "private", "confidential"],
    unlessNegated: true,
    read: (text, from, to) => {
      if (lawTexts.has(text.after(to)) || aboutWords.has(text.before(from))) {
        return undefined;
      }
      const isJoined =
        /^(?:and|but)$/.test(text.after(to)) && /^(?:offline|local|secure|on|runs|self)$/.test(text.after(to + 1));
      return isJoined || text.isSegment(from, to) ? privacy("private", from, to) : undefined;
    },
  },
];

/** The last token of the place after "leave" or "stay on": "our servers", "the data centre". */
function placeAfter(text: Text, to: number): number | undefined {
  for (let at = to + 1; at <= to + 5 && text.tokens[at]?.gap === 0; at++) {
    const word = text.word(at);
    if (places.has(word)) {
      const next = text.after(at);
      return /^(?:centre|center|room)$/.test(next) || places.has(next) ? at + 1 : at;
    }
    if (!placeBridges.has(word)) {
      return undefined;
    }
  }
  return undefined;
}
