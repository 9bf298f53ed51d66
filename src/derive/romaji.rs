//! Katakana → Latin letters, as sellers write Japanese names: Hepburn, with long vowels written
//! once, twice or left out.

use once_cell::sync::OnceCell;

/// Two kana that make one syllable, and single kana.
const SYLLABLES: &[(&str, &str)] = &[
    ("キャ", "kya"),
    ("キュ", "kyu"),
    ("キョ", "kyo"),
    ("シャ", "sha"),
    ("シュ", "shu"),
    ("ショ", "sho"),
    ("シェ", "she"),
    ("チャ", "cha"),
    ("チュ", "chu"),
    ("チョ", "cho"),
    ("チェ", "che"),
    ("ニャ", "nya"),
    ("ニュ", "nyu"),
    ("ニョ", "nyo"),
    ("ヒャ", "hya"),
    ("ヒュ", "hyu"),
    ("ヒョ", "hyo"),
    ("ミャ", "mya"),
    ("ミュ", "myu"),
    ("ミョ", "myo"),
    ("リャ", "rya"),
    ("リュ", "ryu"),
    ("リョ", "ryo"),
    ("ギャ", "gya"),
    ("ギュ", "gyu"),
    ("ギョ", "gyo"),
    ("ジャ", "ja"),
    ("ジュ", "ju"),
    ("ジョ", "jo"),
    ("ジェ", "je"),
    ("ビャ", "bya"),
    ("ビュ", "byu"),
    ("ビョ", "byo"),
    ("ピャ", "pya"),
    ("ピュ", "pyu"),
    ("ピョ", "pyo"),
    ("ファ", "fa"),
    ("フィ", "fi"),
    ("フェ", "fe"),
    ("フォ", "fo"),
    ("ティ", "ti"),
    ("ディ", "di"),
    ("デュ", "dyu"),
    ("トゥ", "tu"),
    ("ドゥ", "du"),
    ("ウィ", "wi"),
    ("ウェ", "we"),
    ("ウォ", "wo"),
    ("ヴァ", "va"),
    ("ヴィ", "vi"),
    ("ヴェ", "ve"),
    ("ヴォ", "vo"),
    ("ツァ", "tsa"),
    ("ア", "a"),
    ("イ", "i"),
    ("ウ", "u"),
    ("エ", "e"),
    ("オ", "o"),
    ("カ", "ka"),
    ("キ", "ki"),
    ("ク", "ku"),
    ("ケ", "ke"),
    ("コ", "ko"),
    ("サ", "sa"),
    ("シ", "shi"),
    ("ス", "su"),
    ("セ", "se"),
    ("ソ", "so"),
    ("タ", "ta"),
    ("チ", "chi"),
    ("ツ", "tsu"),
    ("テ", "te"),
    ("ト", "to"),
    ("ナ", "na"),
    ("ニ", "ni"),
    ("ヌ", "nu"),
    ("ネ", "ne"),
    ("ノ", "no"),
    ("ハ", "ha"),
    ("ヒ", "hi"),
    ("フ", "fu"),
    ("ヘ", "he"),
    ("ホ", "ho"),
    ("マ", "ma"),
    ("ミ", "mi"),
    ("ム", "mu"),
    ("メ", "me"),
    ("モ", "mo"),
    ("ヤ", "ya"),
    ("ユ", "yu"),
    ("ヨ", "yo"),
    ("ラ", "ra"),
    ("リ", "ri"),
    ("ル", "ru"),
    ("レ", "re"),
    ("ロ", "ro"),
    ("ワ", "wa"),
    ("ヲ", "wo"),
    ("ン", "n"),
    ("ガ", "ga"),
    ("ギ", "gi"),
    ("グ", "gu"),
    ("ゲ", "ge"),
    ("ゴ", "go"),
    ("ザ", "za"),
    ("ジ", "ji"),
    ("ズ", "zu"),
    ("ゼ", "ze"),
    ("ゾ", "zo"),
    ("ダ", "da"),
    ("ヂ", "ji"),
    ("ヅ", "zu"),
    ("デ", "de"),
    ("ド", "do"),
    ("バ", "ba"),
    ("ビ", "bi"),
    ("ブ", "bu"),
    ("ベ", "be"),
    ("ボ", "bo"),
    ("パ", "pa"),
    ("ピ", "pi"),
    ("プ", "pu"),
    ("ペ", "pe"),
    ("ポ", "po"),
    ("ヴ", "vu"),
    ("ァ", "a"),
    ("ィ", "i"),
    ("ゥ", "u"),
    ("ェ", "e"),
    ("ォ", "o"),
    ("ャ", "ya"),
    ("ュ", "yu"),
    ("ョ", "yo"),
];

/// The syllables that begin with `first`, in the order of [`SYLLABLES`].
fn syllables(first: char) -> &'static [(&'static str, &'static str)] {
    static BEGINNING: OnceCell<Vec<Vec<(&'static str, &'static str)>>> = OnceCell::new();
    let place = |kana: char| (kana as usize).wrapping_sub('ァ' as usize);
    let all = BEGINNING.get_or_init(|| {
        let mut all = vec![Vec::new(); place('ヺ') + 1];
        for &(from, to) in SYLLABLES {
            if let Some(list) = from
                .chars()
                .next()
                .and_then(|kana| all.get_mut(place(kana)))
            {
                list.push((from, to));
            }
        }
        all
    });
    all.get(place(first)).map_or(&[], Vec::as_slice)
}

/// The spellings of a katakana key in Latin letters; none if it has letters other than kana and
/// Latin ones.
///
/// `カイリュー` gives `kairyu`, `kairyuu`; Latin letters (`ex`) stay.
pub(crate) fn romaji(key: &str) -> Vec<String> {
    let mut short = String::new();
    let mut long = String::new();
    let mut rest = key;
    let mut double = false;
    let mut kana = false;
    while let Some(c) = rest.chars().next() {
        match c {
            'ー' => {
                if let Some(vowel) = long.chars().next_back() {
                    long.push(vowel);
                }
            }
            'ッ' => double = true,
            _ if c.is_ascii_alphanumeric() => {
                short.push(c);
                long.push(c);
            }
            _ => {
                let Some((from, to)) = syllables(c).iter().find(|(from, _)| rest.starts_with(from))
                else {
                    return Vec::new();
                };
                kana = true;
                let first = if to.starts_with("ch") {
                    't'
                } else {
                    to.chars().next().unwrap_or('n')
                };
                for out in [&mut short, &mut long] {
                    if double {
                        out.push(first);
                    }
                    out.push_str(to);
                }
                double = false;
                rest = &rest[from.len()..];
                continue;
            }
        }
        rest = &rest[c.len_utf8()..];
    }
    if !kana {
        return Vec::new();
    }
    let mut all = vec![short, long];
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn romaji_has_the_spellings_of_sellers() {
        assert_eq!(romaji("カイリュー"), ["kairyu", "kairyuu"]);
        assert_eq!(romaji("シビシラス"), ["shibishirasu"]);
        assert_eq!(romaji("ピッピ"), ["pippi"]);
        assert_eq!(
            romaji("ナンジャモノハラバリーex"),
            ["nanjamonoharabariex", "nanjamonoharabariiex"]
        );
        assert!(romaji("団").is_empty());
        assert!(romaji("ex").is_empty());
    }
}
