import { licenseFacts } from "../inventory/index.ts";
import type { Candidate } from "./candidate.ts";
import { byScore } from "./diversify.ts";

/** How many alternatives a result names. */
const MOST = 3;

/** A way in which another model for the same need differs, as a test of the other one. */
const differences: ReadonlyArray<(other: Candidate, than: Candidate) => boolean> = [
  // Clearly smaller.
  (other, than) => memory(other) <= 0.6 * memory(than),
  // Allows more.
  (other, than) => freedom(other) > freedom(than),
  // Larger, for those who have the machine, and at least as much used.
  (other, than) => memory(other) >= 1.8 * memory(than) && other.signals.adoption >= than.signals.adoption,
  // Handles more languages.
  (other, than) => other.model.languages.length >= than.model.languages.length + 10,
  // Newer.
  (other, than) => other.signals.freshness >= than.signals.freshness + 0.3,
];

/** An alternative serves the task at least this well, as a share of how well the result does. */
const SERVES_ALIKE = 0.8;

/**
 * Names of up to three other models that serve the same need and differ in a way worth knowing: the best one that is
 * smaller, more freely licensed, larger, multilingual or newer. Only models that suit, for the same task, and break no
 * more wishes; beside a model that the need names, the nearest of its task, as the need may tell nothing but the name.
 */
export function alternativesTo(candidate: Candidate, pool: readonly Candidate[]): string[] {
  const others = pool
    .filter(
      (other) =>
        (candidate.isNamed || (other.suitable && other.score >= 0.8 * candidate.score)) &&
        other.broken <= candidate.broken &&
        doesTheSame(other, candidate) &&
        isAnotherModel(other, candidate),
    )
    .sort(byScore);
  const names = differences.map((differs) => others.find((other) => differs(other, candidate))?.model.name);
  return [...new Set(names.filter((name) => name !== undefined))].slice(0, MOST);
}

function doesTheSame(other: Candidate, than: Candidate): boolean {
  // A model that the need names is no answer to one of its tasks.
  if (than.task === undefined) {
    return than.model.labels[0] === other.model.labels[0];
  }
  return other.task?.task === than.task.task && other.signals.task >= SERVES_ALIKE * than.signals.task;
}

function isAnotherModel(a: Candidate, b: Candidate): boolean {
  const base = ({ model }: Candidate) => model.baseModel?.toLowerCase();
  const packaged = (c: Candidate) => (c.model.repackaging ? (base(c) ?? c.model.key) : c.model.key);
  return packaged(a) !== packaged(b) && base(a) !== packaged(b) && base(b) !== packaged(a);
}

/** Memory in 10^9 bytes; NaN when unknown, so that no comparison with it holds. */
function memory(candidate: Candidate): number {
  return candidate.sizing?.estimate.memoryGb ?? Number.NaN;
}

function freedom({ model }: Candidate): number {
  const facts = licenseFacts(model.license);
  return facts === undefined ? Number.NaN : ["non-commercial", "commercial", "open", "permissive"].indexOf(facts.class);
}
