import {
  type AppliedCard,
  type Circumstance,
  choiceOf,
  circumstancesInWords,
  hasGoodChoice,
  loadCatalogue,
  placesOf,
  purposes,
  SERVES,
  servingOf,
} from "../catalogue/index.ts";
import { boardOf, placeInWords, type Standing, standingInWords, standingsOf } from "../evaluations/index.ts";
import { licenseFacts, type Model } from "../inventory/index.ts";
import type { Candidate } from "./candidate.ts";
import { formatGb } from "./format-figures.ts";
import type { Profile } from "./profile.ts";
import { cardOf } from "./score/card-of.ts";
import { circumstancesOf } from "./score/features/need-features.ts";
import { betterMeasured } from "./score/measured.ts";

/** A sentence with its importance; only the order of importance matters. */
export interface WeightedSentence {
  weight: number;
  sentence: string;
}

/** States of a model that must first be trained. */
const untrained: ReadonlySet<string> = new Set(["base", "backbone"]);
/** States of a model that does nothing by itself. */
const partial: ReadonlySet<string> = new Set(["adapter", "component"]);
/** If a better model needs at least this many times the memory, the sentence names the memory as a cost. */
const CLEARLY_MORE = 1.25;
/** The most boards that reasons name. */
const MOST_BOARDS = 2;

/** Whether the catalogue says that a model serves a purpose of a task well. A current chat model also reads pictures. */
export function doesTask(model: Model, task: string | undefined): boolean {
  const card = cardOf(model);
  return Object.keys(card?.purposes ?? {}).some(
    (id) => servingOf(card, id) >= SERVES && purposes().get(id)?.tasks[0] === task,
  );
}

/** The wanted purposes that the catalogue says a model serves, each as a reason. */
export function purposeReasons({ model, isNamed }: Candidate, profile: Profile): WeightedSentence[] {
  const card = cardOf(model);
  if (card === undefined || isNamed) {
    return [];
  }
  const known = purposes();
  const served = profile.meantPurposes.flatMap((id) => {
    const name = known.get(id)?.name;
    const grade = card.purposes[id];
    if (name === undefined || servingOf(card, id) < SERVES) {
      return [];
    }
    return [{ id, name, grade: grade === 3 ? 3 : grade === 2 ? 2 : undefined }];
  });
  // The likeliest purpose decides, whatever its grade: a model may be made for something that the need hardly means.
  const [first] = served;
  if (first === undefined) {
    return [];
  }
  const from = card.inherited_from;
  if (from !== undefined && (card.inherited_as === "line" || card.inherited_as === "base")) {
    const kinship = card.inherited_as === "line" ? "a model of the same line" : "from which it was trained";
    return [
      {
        weight: 0.55,
        sentence: `The catalogue does not have it, but lists ${from}, ${kinship}, as good at this: ${first.name}.`,
      },
    ];
  }
  const inherited = from === undefined ? "" : ` (according to the entry of ${from}, which it repackages)`;
  if (first.grade === undefined) {
    return [
      {
        weight: 0.5,
        sentence: `The uses that the catalogue lists for it imply this one too: ${first.name}${inherited}.`,
      },
    ];
  }
  const circumstance = namedCircumstance(card, first.id, profile);
  if (circumstance !== undefined && card.superseded_by === undefined) {
    const where = circumstancesInWords[circumstance];
    return [
      { weight: 0.97, sentence: `The catalogue names it among the best for this ${where}: ${first.name}${inherited}.` },
    ];
  }
  if (choiceOf(card, first.id) === 3 && card.superseded_by === undefined) {
    return [
      { weight: 0.97, sentence: `It is among the catalogue's first choices for this: ${first.name}${inherited}.` },
    ];
  }
  return [
    first.grade === 3
      ? { weight: 0.97, sentence: `The catalogue lists it as made for this: ${first.name}${inherited}.` }
      : { weight: 0.58, sentence: `The catalogue lists it as good at this: ${first.name}${inherited}.` },
  ];
}

/** The last place in the list of a circumstance that a reason mentions. */
const NAMED_PLACE = 3;

/** The first circumstance of a need for which the catalogue names a model among the very best of a purpose. */
function namedCircumstance(card: AppliedCard, purpose: string, profile: Profile): Circumstance | undefined {
  const places = placesOf(card, purpose);
  return circumstancesOf(profile).find((name) => (places[name] ?? Number.POSITIVE_INFINITY) <= NAMED_PLACE);
}

/** The catalogue's points in favour of a model, as reasons. They say that they are an editorial judgement. */
export function strengthReasons({ model, suitable }: Candidate): WeightedSentence[] {
  const strengths = cardOf(model)?.strengths;
  return strengths === undefined || !suitable
    ? []
    : [{ weight: 0.33, sentence: `Its strengths, as the catalogue judges: ${strengths.join("; ")}.` }];
}

/** What independent boards found for tasks of the need, as reasons. */
export function measuredReasons({ model, suitable }: Candidate, profile: Profile): WeightedSentence[] {
  if (!suitable) {
    return [];
  }
  return standingsFor(model, profile)
    .filter(({ percentile }) => percentile === undefined || percentile >= 0.5)
    .slice(0, MOST_BOARDS)
    .map((standing, at) => {
      // If quality is the priority, the best fitting board decided the order.
      const isDecisive = at === 0 && profile.priority === "quality" && isIndependent(standing);
      return { weight: isDecisive ? 0.98 : 0.5, sentence: measuredSentence(standing) };
    });
}

/** The points of the catalogue and the boards against a model. */
export function knowledgeTradeoffs({ model, suitable }: Candidate, profile: Profile): WeightedSentence[] {
  const card = cardOf(model);
  const out: WeightedSentence[] = [...unservedTradeoffs({ suitable }, profile)];
  if (card !== undefined) {
    if (partial.has(card.readiness)) {
      out.push({ weight: 1.2, sentence: "It is a part of a system and does nothing by itself." });
    } else if (untrained.has(card.readiness) && !isForUntrained(card, profile)) {
      out.push({ weight: 0.75, sentence: "It must be trained on your own data before it is useful." });
    } else if (card.readiness === "test") {
      out.push({ weight: 1.2, sentence: "Its weights are only for testing software." });
    }
    if (card.superseded_by !== undefined) {
      out.push({ weight: 0.57, sentence: `The catalogue now prefers ${card.superseded_by} at a similar size.` });
    }
    const [purpose] = profile.meantPurposes;
    const choice = purpose === undefined ? undefined : choiceOf(card, purpose);
    const isCompared = suitable && card.superseded_by === undefined && choice !== undefined;
    const isBeaten = isCompared && choice < 2 && purpose !== undefined && hasGoodChoice(purpose);
    if (isBeaten && namedCircumstance(card, purpose, profile) === undefined) {
      const name = purposes().get(purpose)?.name ?? purpose;
      out.push({ weight: 0.56, sentence: `The catalogue has clearly better choices for this: ${name}.` });
    }
    if (card.weaknesses !== undefined) {
      out.push({ weight: 0.34, sentence: `Its weaknesses, as the catalogue judges: ${card.weaknesses.join("; ")}.` });
    }
    if (card.needs_beside !== undefined) {
      out.push({ weight: 0.33, sentence: `It does not run alone; it needs: ${card.needs_beside}.` });
    }
  }
  const standings = standingsFor(model, profile);
  const low = standings.find(({ percentile }) => percentile !== undefined && percentile < 0.5);
  if (low !== undefined) {
    out.push({ weight: 0.52, sentence: measuredSentence(low) });
  } else if (suitable && !standings.some(isIndependent)) {
    // The reasons may contain claims of its authors, so this is also said about such claims.
    const others = model.evaluations?.some((figure) => isIndependent(figure) && boardOf(figure.board) !== undefined);
    const sentence = others
      ? "No independent measurement for this need is known."
      : "No independent measurement is known.";
    out.push({ weight: profile.priority === "quality" ? 0.54 : 0.1, sentence });
  }
  return out;
}

/** Whether the need asks for a model without training for a task: to train it, or for what it does without training. */
function isForUntrained(card: AppliedCard, { manner, meantPurposes: [first] }: Profile): boolean {
  // Only the catalogue's own grade is about the untrained model. An implied grade is about the trained model.
  const isListed = first !== undefined && card.purposes[first] !== undefined && servingOf(card, first) >= SERVES;
  return manner.training === "wanted" || isListed;
}

/** Whether somebody other than the authors of the model measured or reproduced a figure. */
function isIndependent({ evidence }: Pick<Standing, "evidence">): boolean {
  return evidence !== "claimed";
}

/** The first alternative that is measurably better, with what it costs. */
export function betterAlternatives(
  candidate: Candidate,
  { boards }: Profile,
  alternatives: readonly Candidate[],
): WeightedSentence[] {
  for (const other of alternatives) {
    const found = betterMeasured(other.model, candidate.model, boards);
    if (found !== undefined) {
      const { better, than } = found;
      const places = `${placeInWords(better)} on the ${better.facts.name}, and this one ${placeInWords(than)}`;
      const costs = costsOf(other, candidate);
      const sentence = `The alternative ${other.model.name} measures better (${places})${costs === "" ? "" : `, but ${costs}`}.`;
      return [{ weight: 0.53, sentence }];
    }
  }
  return [];
}

/** What a model costs more than another one, in words; empty if nothing is known. */
function costsOf(other: Candidate, than: Candidate): string {
  const [memory, less] = [other.sizing?.estimate.memoryGb, than.sizing?.estimate.memoryGb];
  const costs: string[] = [];
  if (memory !== undefined && less !== undefined && memory >= CLEARLY_MORE * less) {
    costs.push(`needs ${formatGb(memory)} of memory instead of ${formatGb(less)}`);
  }
  const [license, freer] = [other, than].map(({ model }) => licenseFacts(model.license));
  if (license?.class === "non-commercial" && freer !== undefined && freer.class !== "non-commercial") {
    costs.push("its licence forbids commercial use");
  }
  return costs.join(", and ");
}

/** The answer names a purpose without models only if its confidence is at least this. */
const SURELY_MEANT = 0.5;

/** Says that the catalogue knows no model for the most likely purpose. */
function unservedTradeoffs({ suitable }: Pick<Candidate, "suitable">, { purposes: read }: Profile): WeightedSentence[] {
  const [first] = read;
  if (suitable || first === undefined || first.confidence < SURELY_MEANT) {
    return [];
  }
  const name = purposes().get(first.purpose)?.name;
  return name === undefined || loadCatalogue().modelsFor(first.purpose).length > 0
    ? []
    : [{ weight: 1.6, sentence: `The catalogue lists no open model for this: ${name}.` }];
}

function measuredSentence(standing: Standing): string {
  const phrase = standingInWords(standing);
  return standing.place === undefined || !isIndependent(standing) ? `${phrase}.` : `It is ${phrase}.`;
}

/** The figures of boards that compare models for the wanted purposes and languages, those of the best fitting first. */
function standingsFor({ evaluations }: Candidate["model"], { boards }: Profile): Standing[] {
  return evaluations === undefined
    ? []
    : boards.flatMap(({ board }) => {
        const figure = evaluations.findLast((evaluation) => evaluation.board === board.id);
        return figure === undefined ? [] : standingsOf([figure]);
      });
}
