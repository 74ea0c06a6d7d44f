/** One lineage: the words by which its models are known, and how its lines are told apart. */
export interface Lineage {
  family: string;
  /**
   * Words in names and architecture tags, lower case. A word begins where no letter stands before it, and ends where
   * none follows but a version (`llama3`, `minilmv2`).
   */
  names: readonly string[];
  /**
   * The word is also a common architecture or ingredient (`bert`, `vit`), so another lineage in the same name and
   * the architecture tag come before it.
   */
  generic?: true;
  /** The word also counts at the end of a longer one: `clinicalbert`, `fashionclip`. */
  suffix?: true;
  /**
   * Families whose architecture this one has, or is told to have: its name is the more telling of the two (xlm-roberta
   * beside the tag roberta).
   */
  over?: readonly string[];
  /** A line of its own although its models are built on another lineage: its name wins over the base model. */
  ownLine?: true;
  /** Accounts whose models with this word in their name belong here whatever they are built on. */
  owners?: readonly string[];
  /** What stands between the parts of a series. Default "-". */
  join?: string;
  /** Words that tell lines of the family apart; the one that stands first in the name is part of the series. */
  lines?: readonly string[];
  /** Finds the line where word, version and `lines` do not: what it captures, put together, is the series. */
  series?: RegExp;
  /** Series that are also written otherwise: sdxl is stable-diffusion-xl. */
  spellings?: Readonly<Record<string, string>>;
  /** A number behind the word is a size or a layer count, not a version. */
  unversioned?: true;
  /** Accounts all of whose models are of this lineage, whatever their names. */
  accounts?: readonly string[];
}
