// Made from the Rust types by wasm/tests/types.rs; `UPDATE=1 cargo test -p titledex-wasm` writes it again.

/** All that titledex says about one title. */
export interface Answer {
  /** The title as given. */
  title: string;
  /** The attributes that the title states. */
  parsed: Parsed;
  /** The decision: a match or a refusal. */
  outcome: Outcome;
  /** What the title states and the first card contradicts. */
  conflicts?: Conflict[];
  /** The catalogue's cards that it can be, best first, one a card. */
  matches: Match[];
  /** The reason why the title was not read, or not as given. */
  error?: TitleError;
}

/** The type of an answer. */
export type OutcomeType = "match" | "ambiguous" | "not_in_catalogue" | "lot" | "sealed" | "other_game" | "not_a_card";

/** The answer's type and confidence. */
export interface Outcome {
  /** The type of the answer. */
  type: OutcomeType;
  /** Probability that `type` is right. */
  confidence: Probability;
  /**
   * For `ambiguous`: the fewest attributes that tell the cards apart that the title fits, of
   * `set`, `language`, `number`, `name`, `printing` (holo, reverse holo or neither), `rarity`,
   * `year`, `product` and `illustrator`; `language` if the title states another one than its card
   * has, and `name` if it names no card.
   */
  ambiguousOn?: Field[];
  /** Probability that the catalogue lacks the card. */
  notInCatalogue: Probability;
  /**
   * The reasons for an outcome that the words of the title decide, and against it, in log-odds
   * against one card: of `lot`, `sealed`, `other_game`, `not_a_card`, and of
   * `not_in_catalogue` if no catalogue holds such cards.
   */
  evidence?: Evidence[];
}

/** A card of the catalogue that the title can be. */
export interface Match {
  /** The card's id. */
  cardId: string;
  /** Its name: English if one is known, else as printed. */
  name: string;
  /**
   * How certain the English name is if the catalogue's source does not give it: `derived`, made
   * of the subject and its modifiers; `unsure`, the likeliest of several.
   */
  nameSource?: NameSource;
  /** Its name as printed, if that differs. */
  printedName?: string;
  /** Name of its set. */
  setName: string;
  /** Id of its set. */
  setId: string;
  /** Its number as printed: `4/102`. */
  cardNumber: string;
  /** Its rarity as the catalogue names it. */
  rarity?: string;
  /**
   * Language of the region whose print it is: `english` where one card stands for the prints of all
   * languages.
   */
  language: string;
  /** Probability that this is the card. */
  confidence: Probability;
  /** The printing that fits best. */
  marketplaceId: string;
  /** Label of that printing; absent if the catalogue knows none. */
  printing?: string;
  /** The card's other printings. */
  printings?: PrintingMatch[];
  /** The reasons for and against the card, in log-odds. */
  evidence: Evidence[];
  /** What marketplaces call `printing`; absent if the catalogue knows of none that sells it. */
  ids?: MarketIds;
  /** The game that the card is of: `pokemon`. */
  game: string;
}

/**
 * The numbers that marketplaces give a printing in their catalogues.
 *
 * Several printings may share one: marketplaces sell a card's editions, or its languages, as one
 * product in places.
 */
export interface MarketIds {
  /** Its product at TCGplayer. */
  tcgplayer?: number;
  /** Its product at Cardmarket. */
  cardmarket?: number;
}

/** How certain an English name is that the catalogue's source does not give. */
export type NameSource = "derived" | "unsure";

/** A printing of a matched card. */
export interface PrintingMatch {
  /** Its id. */
  marketplaceId: string;
  /** Its label. */
  printing: string;
  /** Probability that it is this printing, given the card. */
  confidence: Probability;
}

/** One reason for or against a card, in log-odds: +2.3 multiplies the odds by ten. */
export interface Evidence {
  /** The attribute that it is about. */
  field: Field;
  /** Log-odds, natural logarithm, rounded to two digits. */
  weight: LogOdds;
  /** The attribute that agrees, differs or is missing. */
  note: string;
}

/**
 * An attribute that the title states and the first card contradicts.
 *
 * ```
 * use titledex::{Engine, Options};
 * let engine = Engine::new(titledex_embedded::catalogue()?);
 * let answer = engine.answer("1999 Charizard Base Set 4/103 Holo", &Options::new());
 * assert_eq!((&*answer.conflicts[0].stated, &*answer.conflicts[0].held), ("103", "102"));
 * # Ok::<(), titledex::Error>(())
 * ```
 */
export interface Conflict {
  /** The attribute. */
  field: Field;
  /** Its value in the title. */
  stated: string;
  /**
   * The card's, or that of its printing: `none` if it has no such stamp, pattern or error, and
   * `standard` of a size.
   */
  held: string;
}

/**
 * Log-odds, natural logarithm: what evidence adds. +0.7 doubles the odds, +2.3 multiplies them by
 * ten, and 0 says nothing.
 *
 * Rounded to two digits, so that every platform writes the same.
 */
export type LogOdds = number;

/** The reason why a title was not read, or not as given. */
export interface TitleError {
  /** `too_long`, `invalid_utf8`; of the command's files also `bad_row`. */
  code: string;
  /** The limit and what was met. */
  message: string;
}

/** A probability in 0..=1, rounded to four digits so that every platform writes the same. */
export type Probability = number;

/**
 * The attributes that a title states. One that it does not state is `None` and left out of JSON:
 * there are no defaults, and the catalogue adds nothing.
 */
export interface Parsed {
  /** The kind of thing that is sold. */
  kind: Kind;
  /**
   * The game or sport that the title names, else the game of the likeliest card: `pokemon`,
   * `onepiece`, `baseball`.
   */
  game?: string;
  /** Card name: canonical English if one exists, else as printed. */
  name?: string;
  /** Collector number as printed, without `#`: `4`, `TG12`, `SWSH020`. */
  number?: string;
  /** The text after the slash: `102`, `TG30`, `SV-P`. */
  total?: string;
  /** The set that the words name. */
  set?: SetReading;
  /** The year stated. */
  year?: number;
  /** Language of the card, stated or carried by the script of the title. */
  language?: string;
  /** Edition, finish and all else that tells printings of one card apart. */
  printing?: PrintingReading;
  /** Rarity as stated. */
  rarity?: string;
  /** The grade on the slab. */
  grade?: Grade;
  /** Condition of a raw card: `M`, `NM`, `EX`, `LP`, `GD`, `PL`, `MP`, `HP`, `PO`, `DMG`. */
  condition?: Condition;
  /** Copies or cards in the lot, when stated. */
  quantity?: number;
  /**
   * The readings of words with their places, in the order of the title. A word is in one: the
   * total is in that of the number, and what follows from another reading has none.
   */
  spans: Reading[];
  /** Readings of words that another reading explains better. */
  alternatives?: Reading[];
  /** Words that no rule explains. */
  unread: Unread[];
  /** No word names `game`: it is that of the likeliest card. */
  gameInferred?: boolean;
}

/** The kind of thing that is sold. */
export type Kind = "single" | "lot" | "sealed" | "other";

/** An attribute of a title or a card. */
export type Field = "name" | "number" | "set" | "year" | "language" | "edition" | "finish" | "pattern" | "stamp" | "treatment" | "error" | "size" | "rarity" | "grader" | "grade" | "label" | "qualifier" | "certNumber" | "autograph" | "condition" | "quantity" | "kind" | "game" | "hp" | "level" | "dexNumber" | "illustrator" | "origin" | "population" | "wish" | "noise" | "total" | "printing" | "product";

/** One reading of some bytes of the title. */
export interface Reading extends Span {
  /** The field that it is read as. */
  field: Field;
  /** The canonical value. */
  value: string;
  /** The bytes of the title. */
  text: string;
  /** Confidence in this reading against the others of the same bytes, 0 to 1. */
  confidence: number;
}

/** Words that no rule explains. */
export interface Unread extends Span {
  /** The bytes of the title. */
  text: string;
}

/** The set that a title names. */
export interface SetReading {
  /** Its name in the catalogue, English if one exists. */
  name: string;
  /** Its id in the catalogue. */
  id: string;
  /** Other sets that the same words name. */
  alternatives?: string[];
}

/** The attributes that distinguish printings of one card. */
export interface PrintingReading {
  /** `1st edition`, `unlimited`, `shadowless`, `4th print`. */
  edition?: string;
  /**
   * `holo`, `reverse holo`, `non-holo`, and of games whose foils are not called holo, `foil` and
   * `non-foil` as stated.
   */
  finish?: Finish;
  /** `poke ball`, `master ball`, `cosmos`, `cracked ice`, … */
  pattern?: string;
  /** `prerelease`, `staff`, `pokemon center`, … */
  stamps?: string[];
  /** `full art`, `alternate art`, `gold`, `no rarity`, … */
  treatment?: string[];
  /** `miscut`, `misprint`, `no symbol`, … */
  errors?: string[];
  /** `jumbo`, `mini`. */
  size?: string;
}

/** The grade on a slab. */
export interface Grade {
  /** `PSA`, `BGS`, `CGC`, `SGC`, `TAG`, `ACE`, … */
  grader: string;
  /** `GRADER_A` = PSA, `GRADER_B` = BGS, `GRADER_C` = CGC, `GRADER_D` = SGC; absent for the rest. */
  graderCode?: GraderCode;
  /** The number on the label. */
  value?: GradeValue;
  /** The word on the label. */
  label?: string;
  /** `OC`, `MK`, `MC`, `ST`, `PD`, `OF`. */
  qualifier?: string;
  /** Certificate number. */
  certNumber?: string;
  /** Grade of the signature. */
  autograph?: GradeValue;
}

/** A grade in halves: `9.5` is 19. Written to JSON as a number. */
export type GradeValue = number;

/** Condition of a raw card. */
export type Condition = "M" | "NM" | "EX" | "LP" | "GD" | "PL" | "MP" | "HP" | "PO" | "DMG";

/** How the foil lies on a card. */
export type Finish = "holo" | "reverse holo" | "non-holo" | "foil" | "non-foil";

/** One of the four graders that have a code. */
export type GraderCode = "GRADER_A" | "GRADER_B" | "GRADER_C" | "GRADER_D";

/**
 * A half-open byte range into the title as given.
 *
 * Both ends are on character boundaries of the title. Normalising never moves a span: it records
 * the origin of each byte.
 */
export interface Span {
  /** First byte. */
  start: number;
  /** One past the last byte. */
  end: number;
}

/** Options for reading a title. */
export interface ParseOptions {
  /** At most this many cards, 1 to 50; 5 by default. */
  maxSuggestions?: number | undefined;
  /** Look for misspelt names, sets and words; true by default. */
  fuzzyMatching?: boolean | undefined;
  /** Give probabilities, else they are 0; true by default. */
  includeConfidence?: boolean | undefined;
  /**
   * Leave out how the title was read and weighed: spans, alternatives, unread words, printings
   * other than the likeliest and evidence are empty; false by default.
   */
  brief?: boolean | undefined;
}

/** The contents of a catalogue. */
export interface CatalogueInfo {
  /** The name that it was built with. */
  name: string;
  /** Version of the index format. */
  format: number;
  /** Number of cards. */
  cards: number;
  /** Number of sets. */
  sets: number;
  /** The ids of its games. */
  games: string[];
  /** Number of printings. A card whose printings are unknown counts as one. */
  printings: number;
  /** Size of the index in memory. */
  bytes: number;
}

/** The reason for a refusal, in `code` of the error. */
export type ModuleErrorCode = "not_a_catalogue" | "version" | "corrupt" | "bad_argument" | "bad_option" | "internal";
