import type { Rule } from "./text/phrases.ts";
import { words } from "./text/text.ts";
import type { Found } from "./wish.ts";

interface Domain {
  domain: string;
  /** Phrases that name the domain, or things that only it has. */
  phrases: readonly string[];
  /** If one of these words follows, the phrase means something else. */
  unlessAfter?: ReadonlySet<string>;
  /** If one of these words comes before, the phrase means something else. */
  unlessBefore?: ReadonlySet<string>;
}

const none: ReadonlySet<string> = new Set();

/** The domains that models are made for, or that texts and images come from. */
const table: readonly Domain[] = [
  {
    domain: "medical",
    phrases: [
      "medical|medicine|clinical|clinic|clinics|clinician|clinicians|biomedical|healthcare|hospital|hospitals|patient|patients|doctor|doctors|physician|physicians|nurse|nurses|radiology|radiologist|radiologists|radiograph|radiographs|pathology|pathologist|oncology|oncologist|dermatology|dermatologist|cardiology|dentist|dentists|dental|pharmacy|pharmacist|pharmaceutical|pharma|mri|ehr|surgeon|surgeons|surgery|diagnosis|diagnoses|histology|retina|psychiatric|veterinary",
      "health care|record|records|data",
      "x ray|rays",
      "ct scan|scans",
      "icd 10|coding|codes?",
      "adverse drug event|events|reaction|reactions",
    ],
    unlessAfter: words("martens who zhivago strange"),
  },
  {
    domain: "legal",
    phrases: [
      "legal|legally|lawyer|lawyers|attorney|attorneys|paralegal|paralegals|court|courts|litigation|legislation|statutes|judgments|judgements|notary|patent|patents|jurisdiction|lawsuit",
      "law firm|firms|practice|office|school|court",
      "case law",
      "contract|contracts clause|clauses|review|analysis|law",
      "terms of service",
    ],
    unlessAfter: words("age tender yard"),
    unlessBefore: words("tennis basketball food"),
  },
  {
    domain: "finance",
    phrases: [
      "finance|financial|banking|bank|banks|fintech|trading|trader|traders|investor|investors|investment|investments|accounting|accountant|accountants|insurance|insurer|insurers|audit|auditor|auditors|fund|hedge|10k|bookkeeping|loan|loans|mortgage|invoice|invoices|stocks",
      "stock market|prices|price|exchange|trading",
      "earnings call|calls|report|reports",
      "annual reports|report",
      "credit card|risk|score|scoring|scores",
      "sec filing|filings",
      "tax return|returns|law|advice",
    ],
    unlessAfter: words("holiday holidays angle account"),
    unlessBefore: words("snow river blood sand data food memory fog piggy power west"),
  },
  {
    domain: "science",
    phrases: [
      "scientific|academic|arxiv|physics|astronomy|astronomer|astronomers|astrophysics|scholarly|scientist|scientists|geology",
      "research|journal paper|papers|article|articles",
      "materials science",
    ],
    unlessBefore: words("data computer"),
  },
  {
    domain: "biology",
    phrases: [
      "biology|biologist|biologists|biological|protein|proteins|genomic|genomics|genome|genomes|dna|rna|genetic|genetics|gene|genes|enzyme|enzymes|bioinformatics|microscopy|microbiology|ecology|ecologist|ecologists|biochemistry",
      "amino acid|acids",
      "single cell",
      "cell images|pictures|nuclei|microscopy",
      "species identification|recognition",
    ],
  },
  {
    domain: "chemistry",
    phrases: [
      "chemistry|chemical|chemicals|chemist|chemists|molecule|molecules|molecular|smiles|cheminformatics|compounds",
      "drug discovery|design",
      "crystal structure|structures",
    ],
    unlessAfter: words("emoji on"),
  },
  {
    domain: "education",
    phrases: [
      "education|educational|teacher|teachers|classroom|classrooms|school|schools|pupil|pupils|student|students|university|homework|curriculum|tutor|tutoring|teaching|lecturers|exam|exams",
      "e learning",
      "language learners|learner",
    ],
    unlessAfter: words("of bus buses"),
    unlessBefore: words("old"),
  },
  {
    domain: "e-commerce",
    phrases: [
      "ecommerce|shopify|marketplace|marketplaces|retailer|retailers|supermarket|supermarkets",
      "e commerce",
      "online|web|internet shop|store|shops|stores|retailer",
      "webshop|webshops",
      "product catalogue|catalog|listing|listings|reviews|descriptions|pictures|photos|images|search",
      "shopping",
    ],
  },
  {
    domain: "geospatial",
    phrases: [
      "geospatial|satellite|satellites|gis|cartography|landsat|lidar",
      "sentinel 1|2",
      "remote sensing",
      "aerial photo|photos|photograph|photographs|image|images|imagery|picture|pictures|view",
      "land cover|use",
      "earth observation",
    ],
    unlessAfter: words("tv dish radio channel"),
  },
  {
    domain: "agriculture",
    phrases: [
      "agriculture|agricultural|farmer|farmers|farm|farms|farming|crop|crops|livestock|cattle|orchard|orchards|vineyard|agronomist|agronomists|agronomy|harvest|tractor",
      "plant disease|diseases",
      "leaf disease|diseases",
    ],
    unlessBefore: words("server render wind link click content image picture fish auto smart square random center"),
    unlessAfter: words("out tool pictures box marks"),
  },
  {
    domain: "manufacturing",
    phrases: [
      "manufacturing|factory|factories|manufacturer|manufacturers|conveyor|welding|welds|weld|machining|cnc",
      "assembly|production line|lines",
      "circuit board|boards",
      "predictive maintenance",
      "industrial inspection|machine|machines|parts|defects|sensors|equipment",
    ],
    unlessAfter: words("reset settings pattern function"),
  },
  {
    domain: "customer-support",
    phrases: [
      "helpdesk|helpdesks",
      "customer support|service|care|questions|inquiries|enquiries|calls|tickets|complaints",
      "help desk",
      "support ticket|tickets|agent|agents|team|chat|inbox|requests|emails",
      "call|contact centre|center|centres|centers",
      "service desk",
    ],
  },
  {
    domain: "journalism",
    phrases: [
      "journalism|journalist|journalists|newspaper|newspapers|newsroom|newsrooms|broadcaster|broadcasters|reporter|reporters",
      "news article|articles|headline|headlines|agency|site|desk|story|stories",
    ],
  },
  {
    domain: "gaming",
    phrases: [
      "videogame|videogames|gamer|gamers|npc|npcs|roguelike|rpg|minecraft|unity",
      "video|computer|board|mobile|indie|online|our|my|horror|adventure|role game|games|playing",
      "game dev|developer|developers|studio|character|characters|engine|assets|world|sprites",
      "dungeon master",
    ],
  },
  {
    domain: "cybersecurity",
    phrases: [
      "cybersecurity|malware|phishing|ransomware|infosec|exploit|exploits|siem",
      "cyber security|attack|attacks|threat|threats",
      "security log|logs|alert|alerts|analyst|analysts|operations",
      "intrusion detection",
      "threat intelligence",
    ],
  },
  {
    domain: "real-estate",
    phrases: [
      "realtor|realtors|landlord|landlords",
      "real estate",
      "estate agent|agents|agency|agencies",
      "property listing|listings|adverts",
    ],
  },
  {
    domain: "human-resources",
    phrases: [
      "recruiter|recruiters|recruiting|recruitment|hr|resume|resumes|cv|cvs|resumés",
      "human resources",
      "job applications|applicants|adverts|ads|postings|descriptions|candidates",
    ],
    unlessAfter: words("the from after playback"),
  },
  {
    domain: "travel",
    phrases: [
      "tourism|tourist|tourists|airline|airlines|hotel|hotels|hospitality|airport|airports",
      "travel agency|agencies|guide|guides|app|booking|bookings|planning",
    ],
  },
  {
    domain: "automotive",
    phrases: [
      "automotive|dashcam|dashcams|adas",
      "self driving",
      "autonomous driving|car|cars|vehicle|vehicles",
      "car manufacturer|maker|dealer|dealers|dealership",
      "traffic camera|cameras|light|lights|sign|signs",
    ],
  },
  {
    domain: "government",
    phrases: [
      "government|municipal|municipality|municipalities|ministry|parliament|parliamentary|authorities|council",
      "public sector|administration",
      "city hall",
    ],
    unlessBefore: words("student"),
  },
  {
    domain: "energy",
    phrases: [
      "solar panel|panels|farm|farms|power|plant",
      "wind turbine|turbines|farm|farms|power",
      "power grid|plant|plants|line|lines",
      "electricity demand|load|consumption|meters?",
      "energy demand|consumption|company|sector|supplier|production",
      "smart meter|meters",
      "oil and gas",
    ],
  },
  {
    domain: "music",
    phrases: [
      "musician|musicians|musical|composer|songwriter|songwriters|dj|djs",
      "music studio|producer|producers|teacher|school|industry|archive|library",
    ],
  },
  {
    domain: "film",
    phrases: [
      "filmmaker|filmmakers|film|movie maker|makers|studio|production|director|trailer|scripts",
      "film|films archive|editor|editors|crew|school",
    ],
  },
  {
    domain: "wildlife",
    phrases: [
      "wildlife|zoo|zoologist|zoologists|ornithologist|ornithologists|birdwatchers|birdwatching|poachers|conservationists",
      "camera trap|traps",
      "nature reserve|reserves|conservation",
      "bird call|calls|species|songs|song",
    ],
  },
  {
    domain: "culture",
    phrases: [
      "museum|museums|archive|archives|archival|heritage|archaeologist|archaeologists|archaeology|genealogists|genealogy|historian|historians|gallery",
    ],
    unlessAfter: words("feature tag"),
  },
];

/** The domains that a wish can name. */
export const domains: readonly string[] = table.map(({ domain }) => domain);

/** The single words that name a domain; empty for one that is not in `domains`. */
export function domainWords(domain: string): readonly string[] {
  const phrases = table.find((row) => row.domain === domain)?.phrases ?? [];
  return phrases.filter((phrase) => !phrase.includes(" ")).flatMap((phrase) => phrase.split("|"));
}

export const domainRules: readonly Rule[] = table.map(
  ({ domain, phrases, unlessAfter = none, unlessBefore = none }): Rule => ({
    phrases,
    unlessNegated: true,
    read: (text, from, to): Found | undefined => {
      if (unlessAfter.has(text.after(to)) || unlessBefore.has(text.before(from))) {
        return undefined;
      }
      return { wish: { kind: "domain", value: domain, domain }, from, to };
    },
  }),
);
