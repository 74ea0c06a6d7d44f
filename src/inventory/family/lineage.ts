/** One lineage: the words that name its models, and the words that distinguish its lines. */
export interface Lineage {
  family: string;
  /**
   * Words in names and architecture tags, in lower case. A word has no letter before it, and none after it except a
   * version (`llama3`, `minilmv2`).
   */
  names: readonly string[];
  /**
   * The word is also a common architecture or ingredient (`bert`, `vit`), so another lineage in the same name and the
   * architecture tag win over it.
   */
  generic?: true;
  /** The word also counts at the end of a longer one: `clinicalbert`, `fashionclip`. */
  suffix?: true;
  /**
   * Families whose architecture this one has, or whose tag it gets. Its own name is more specific and wins (xlm-roberta
   * beside the tag roberta).
   */
  over?: readonly string[];
  /** A separate lineage although its models are built on another one: its name wins over the base model. */
  ownLine?: true;
  /** Accounts whose models with this word in their name belong here, whatever their base model. */
  owners?: readonly string[];
  /** The separator of the parts of a series. Default "-". */
  join?: string;
  /** Words that distinguish lines of the family. The first one in a name is part of the series. */
  lines?: readonly string[];
  /** Finds the series where word, version and `lines` do not suffice: its captures, joined, are the series. */
  series?: RegExp;
  /** Other spellings of series: sdxl is stable-diffusion-xl. */
  spellings?: Readonly<Record<string, string>>;
  /** A number after the word is a size or a number of layers, not a version. */
  unversioned?: true;
  /** Accounts all of whose models are of this lineage, whatever their names. */
  accounts?: readonly string[];
}
