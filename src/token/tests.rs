//! Tokens and keys of titles.

use super::*;
use crate::normalise::normalise;

fn words(title: &str) -> Vec<String> {
    let line = tokenize(&normalise(title));
    line.tokens()
        .iter()
        .map(|t| line.text(t.at as usize, t.end as usize).to_owned())
        .collect()
}

#[test]
fn cuts_between_scripts_and_classes() {
    for (title, want) in [
        ("PSA10鑑定", "psa|10|鑑定"),
        ("リザードンex", "リザードン|ex"),
        ("わるいリザードン", "ワルイ|リザードン"),
        ("ロケット団のミュウツー", "ロケット|団|ノ|ミュウツー"),
        ("#4/102", "#|4|/|102"),
        ("1stEd", "1|st|ed"),
        ("4/102Holo", "4|/|102|holo"),
        ("GEMMT10", "gemmt|10"),
        ("TG12/TG30", "tg|12|/|tg|30"),
        ("Farfetch'd", "farfetchd"),
        ("Type: Null", "type|null"),
        ("BGS 9.5 / 8,5", "bgs|9.5|/|8.5"),
        ("12.5.2023", "12|5|2023"),
        ("8½", "8|½"),
        ("피카츄AR", "피카츄|ar"),
    ] {
        assert_eq!(words(title).join("|"), want, "{title}");
    }
}

#[test]
fn one_key_for_all_spellings() {
    for group in [
        ["Mr. Mime", "mr.mime", "MrMime"],
        ["Ho-Oh", "HO OH", "hooh"],
        ["Farfetch’d", "FARFETCH'D", "Farfetchd"],
        ["Type: Null", "type null", "TypeNull"],
        ["S-P", "s p", "SP"],
        ["Dark Charizard", "Darkcharizard", "dark-charizard"],
    ] {
        assert_eq!(key_of(group[0]), key_of(group[1]));
        assert_eq!(key_of(group[0]), key_of(group[2]));
    }
}
