//! [`Column`]: the columns of a pack.

/// Columns, each with numbers of one kind. [`TEXTS`] and those after it have the strings, by the
/// language of the names that they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(super) enum Column {
    Rows,
    About,
    CardLocals,
    CardName,
    CardId,
    CardText,
    CardSet,
    CardNumber,
    CardNumberText,
    CardTotal,
    CardTotalText,
    CardProduct,
    CardIllustrator,
    CardPrintings,
    CardFlags,
    CardHp,
    CardRarity,
    CardMark,
    CardLanguage,
    SetId,
    SetCode,
    SetName,
    SetLocalName,
    SetSeries,
    SetFirst,
    SetCount,
    SetReleased,
    SetOfficial,
    SetAsia,
    SetFlags,
    CoreKey,
    CoreText,
    CoreFirst,
    CoreCount,
    CoreDex,
    NameText,
    NameCore,
    NameRest,
    NameMarks,
    NameCards,
    ProductText,
    ProductFirst,
    ProductCount,
    ProductYear,
    ProductWord,
    WordCards,
    ArtistName,
    ArtistCards,
    PrintingCount,
    PrintingLabel,
    PrintingSlug,
    LocalCount,
    LocalLanguage,
    LocalString,
    NumberCount,
    NumberString,
    Rarity,
    Language,
    Code,
    IdPredicted,
    LexiconKept,
    LexiconShared,
    LexiconRest,
    LexiconKind,
    LexiconId,
    Derived,
    Raw,
}

/// The first column of strings.
pub(super) const TEXTS: usize = 80;
/// Number of columns of strings: one for strings that are not names, then one for each language,
/// the last for all others.
pub(super) const TEXT_COLUMNS: usize = 16;
/// Number of columns. Between the last of [`Column`] and [`TEXTS`] are the sections that are stored
/// as they are.
pub(super) const COLUMNS: usize = TEXTS + TEXT_COLUMNS;
