#!/usr/bin/env python3
"""Writes the catalogue and the titles in one neutral form that every peer reads.

  neutral.py cards CARDS.jsonl[.gz] SETS.jsonl.gz ALIASES.csv > cards.jsonl
  neutral.py cards embedded/tables/cards.csv embedded/tables/sets.csv dictionaries/pokemon/set_aliases.csv > cards.jsonl
  neutral.py titles LABELS.jsonl[.gz] … > titles.jsonl

The peers get what a careful user would give them: text that is folded in one way on both sides, CJK text as pairs of characters, numbers without their leading
zeros, and titles without grades and seller's words. None of that is counted in a peer's time. Standard library only.

A card: `id`, then tokens by field (FIELDS), `text` (for scorers of whole strings) and `plain` (English name, set, number and so on, as CardPydentity wants them).
A title: `title` as given, tokens under `words`, `numbers`, `pairs`, `years`, `dex`, `languages`, and `text`.
"""
import csv
import gzip
import json
import re
import sys
import unicodedata

# ---- text

CJK = "\u3005\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff\uac00-\ud7af"
LETTERS_OF_MEANING = {"δ": " delta ", "☆": " star ", "★": " star ", "&": " & ", "＆": " & ", "♀": " female ", "♂": " male "}
WORD = re.compile(f"[{CJK}]+|[^\\W_{CJK}]+")


def fold(text):
    """Widths, case, diacritics and apostrophes."""
    for mark, word in LETTERS_OF_MEANING.items():
        text = text.replace(mark, word)
    text = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).lower())
    # the voiced marks of kana are combining marks too, and say something
    text = "".join(c for c in text if not unicodedata.combining(c) or c in "\u3099\u309a")
    return unicodedata.normalize("NFC", re.sub("['’`´]", "", text))


def tokens(text):
    """Words; CJK text as pairs of characters. Each once, in order."""
    out = []
    for word in WORD.findall(fold(text)):
        if re.match(f"[{CJK}]", word) and len(word) > 1:
            out += [word[at : at + 2] for at in range(len(word) - 1)]
        else:
            out.append(number(word))
    return list(dict.fromkeys(out))


def number(text):
    """`004` as `4`, `TG01` as `tg1`, `SWSH020` as `swsh20`."""
    return re.sub(r"(?<!\d)0+(?=\d)", "", fold(text).replace(" ", ""))


def joined(pair):
    """`4/102` as one word, which scorers of whole strings do not take apart."""
    return pair.replace("/", "x")


# ---- cards

FIELDS = ["name", "native", "foreign", "set", "code", "alias", "rarity", "language", "year", "number", "pair", "dex", "product", "printing"]
LANGUAGES = {"en": "english", "ja": "japanese", "ko": "korean", "fr": "french", "de": "german", "it": "italian", "es": "spanish", "pt": "portuguese",
             "zh-tw": "chinese", "zh-cn": "chinese", "th": "thai", "id": "indonesian", "es-mx": "spanish"}
NATIVE = {"ja", "ko", "zh-tw", "zh-cn", "th"}
# what titles write for a rarity of the catalogue
RARITY_WORDS = {"double rare": "rr", "ultra rare": "sr", "illustration rare": "ar art", "special illustration rare": "sar sir special art", "hyper rare": "hr",
                "character rare": "chr", "character super rare": "csr", "mega hyper rare": "mur", "secret rare": "secret", "ace spec rare": "ace spec",
                "sr": "super rare", "ar": "art rare", "sar": "special art rare", "ur": "ultra rare", "hr": "hyper rare", "promo": "promo プロモ", "p": "promo"}


def rows(path):
    opener = gzip.open if str(path).endswith(".gz") else open
    with opener(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)


# ---- the embedded catalogue's own tables

def table(path):
    with open(path, encoding="utf-8", newline="") as lines:
        yield from csv.DictReader(lines)


def names_of(row):
    return {column[5:]: text for column, text in row.items() if column.startswith("name_") and text}


def sets_of_table(path):
    """Sets of `sets.csv` as `sets.jsonl.gz` has them."""
    for row in table(path):
        yield {"id": row["id"], "code": row["code"], "names": names_of(row), "englishName": row["english"] or None, "releaseDate": row["released"],
               "officialCount": int(row["official"]) if row["official"] else None, "abbreviation": {"official": row["abbreviation"]}}


def cards_of_table(path):
    """Cards of `cards.csv` as `cards.jsonl.gz` has them."""
    for row in table(path):
        printings = [label.split("=")[0] for label in row["printings"].split("|") if label]
        yield {"id": row["id"] or f"{row['set']}-{row['number']}", "set": row["set"], "region": "asia" if row["set"].startswith("asia:") else "international",
               "number": "u0" if "x" in row["flags"] else row["number"], "denominator": row["total"], "names": names_of(row), "englishName": row["english"] or None,
               "rarity": row["rarity"] or None, "rarityMark": row["mark"] or None, "dexId": [int(dex) for dex in row["dex"].split("|") if dex],
               "product": row["product"], "variants": [{"type": label} for label in printings]}


def year_of(group):
    """The year of the first release."""
    dates = group.get("releaseDate") or ""
    dates = dates.values() if isinstance(dates, dict) else [dates]
    years = sorted(date[:4] for date in dates if date)
    return years[0] if years else ""


def aliases_of(path):
    """Other names of a set that are its own to a fair degree."""
    out = {}
    for row in table(path):
        if row["kind"] != "year" and float(row.get("confidence", 1)) >= 0.3:
            out.setdefault(row.get("setId") or row["canonical"], []).extend([row["alias"]] if "alias" in row else row["aliases"].split("|"))
    return out


def unique(texts):
    return list(dict.fromkeys(text for text in texts if text))


def card_row(card, group, aliases):
    names = card["names"]
    native = unique([names[key] for key in names if key in NATIVE])
    foreign = unique([names[key] for key in names if key not in NATIVE and key != "en"])
    english = names.get("en") or card.get("englishName") or (foreign or native)[0]
    asian = card["region"] == "asia"
    set_english = group.get("englishName") or group["names"].get("en") or next(iter(group["names"].values()), group["id"])
    short = group["id"].split(":")[-1]
    codes = unique([short, group["code"], *group.get("abbreviation", {}).values()])
    rarities = unique([card.get("rarity"), card.get("rarityMark")])
    rarities += [RARITY_WORDS[r.lower()] for r in rarities if r.lower() in RARITY_WORDS]
    languages = unique([LANGUAGES[key] for key in names if key in LANGUAGES]) or ["japanese"]
    if asian:
        languages = [language for language in languages if language != "english"] or ["japanese"]
    variants = card.get("variants", [])
    printings = unique([v["type"] for v in variants] + [v.get("subtype") for v in variants] + [s for v in variants for s in v.get("stamp", [])])
    total = card.get("denominator") or (str(group["officialCount"]) if group.get("officialCount") else "")
    printed = "" if card["number"].startswith("u0") else card["number"]
    pair = f"{number(printed)}/{number(total)}" if printed and total else ""
    year = year_of(group)
    set_words = tokens(" ".join(unique([set_english, *group["names"].values()])))
    text = " ".join(unique([year, languages[0] if asian else "", set_english, codes[0] if asian else "", english, *native[:1], f"{printed}/{total}" if pair else printed,
                            *rarities[:1], *printings[:2], joined(pair)]))
    return {
        "id": card["id"],
        "name": tokens(english),
        "native": tokens(" ".join(native)),
        "foreign": tokens(" ".join(foreign)),
        "set": set_words,
        "code": [number(code) for code in codes],
        "alias": [t for t in tokens(" ".join(aliases)) if t not in set_words],
        "rarity": tokens(" ".join(rarities)),
        "language": languages,
        "year": [year] if year else [],
        "number": [number(printed)] if printed else [],
        "pair": [pair] if pair else [],
        "dex": [str(d) for d in card.get("dexId", card.get("dexIdInferred", []))],
        "product": tokens(card.get("product", "")),
        "printing": tokens(" ".join(printings)),
        "text": " ".join(t for t in fold(text).split()),
        "plain": {"name": english, "native": native[:1], "number": printed, "rarity": (rarities or [""])[0], "set": group["id"], "setName": set_english,
                  "year": year, "total": group.get("totalCount"), "printedTotal": total, "japanese": asian},
    }


def write_cards(cards, sets, aliases):
    groups = {group["id"]: group for group in (sets_of_table if sets.endswith(".csv") else rows)(sets)}
    other = aliases_of(aliases)
    for card in (cards_of_table if cards.endswith(".csv") else rows)(cards):
        if not card.get("digital"):
            yield card_row(card, groups[card["set"]], other.get(card["set"], []))


# ---- titles

GRADERS = "psa|bgs|bvg|beckett|cgc|sgc|tag(?! team)|ace|ags|pca|sfg|ars|gma|hga|mnt|edge|pg"
GRADE = re.compile(rf"\b({GRADERS})\s*(?:grad\w*\s*)?[^\d/#|]{{0,22}}?(?<![\d/#.])(?:10|[1-9](?:\.5)?)(?![\d/.])|\b(?:{GRADERS})\b")
NOISE = re.compile(
    r"\b(?:poke?mon|pocket monsters?|cards?|carte|karte|karten|carta|tcg|ccg|trading|game|graded|grading|slab|gem|gm|mint|mt|nm|nm-mt|lp|mp|hp|exc|near|lightly|"
    r"moderately|heavily|played|excellent|good|condition|zustand|neuf|wotc|wizards|nintendo|rare!|free|ship|shipping|fast|sale|look|wow|new|clean|pack|fresh|"
    r"authentic|genuine|the pokemon company|pop|comes|with|toploader|heritageauctions|ebay|in hand|only|not|pristine|swirl)\b"
    r"|ポケモンカード(?:ゲーム)?|ポケカ|送料無料|匿名配送|即購入(?:ok|可)?|極?美品|状態[a-d]-?|狙い|相当|最安値|未開封|鑑定品?|枚"
)
PAIR = re.compile(r"(?<![\w/])([a-z]{0,6}\d{1,4}[a-z]?)\s?/\s?([a-z]{0,3}\d{1,4}|[a-z]{1,4}-p|p)(?![\w])")
NUMBER = re.compile(r"(?<![\w./])(?:[a-z]{0,6}\d{1,4}[a-z]?)(?![\w/%])")
YEAR = re.compile(r"(?<![\d/#])(199[6-9]|20[0-3]\d)(?![\d/])")
DEX = re.compile(r"\bno\.?\s?(\d{1,3})\b")
CERT = re.compile(r"(?<!\d)\d{7,}(?!\d)|\b\d{2,3}\s?[hk]p\b|\b[hk]p\s?\d{2,3}\b")
TITLE_LANGUAGES = {
    "japanese": r"\b(?:japan(?:ese)?|jpn?|jap|giapponese|japonais(?:e)?|japanisch(?:e)?)\b|日本語|[\u3040-\u30ff]", "korean": r"\b(?:korean?|kor)\b|[\uac00-\ud7af]",
    "chinese": r"\b(?:chinese|chn|s-chinese|t-chinese)\b|中文|简体|繁體", "german": r"\b(?:german|deutsche?|karte|zustand)\b", "french": r"\b(?:french|francais(?:e)?|carte|vf)\b",
    "italian": r"\b(?:italian[oa]?|ita)\b", "spanish": r"\b(?:spanish|espanol)\b", "portuguese": r"\b(?:portuguese|portugues)\b",
    "thai": r"\bthai\b", "indonesian": r"\bindonesian?\b",
}


def title_row(title):
    text = fold(title)
    languages = [name for name, pattern in TITLE_LANGUAGES.items() if re.search(pattern, text)] or ["english"]
    text = CERT.sub(" ", text)
    pairs = [f"{number(a)}/{number(b)}" for a, b in PAIR.findall(text)]
    years = YEAR.findall(text)
    dex = [number(n) for n in DEX.findall(text)]
    clean = NOISE.sub(" ", GRADE.sub(" ", text))
    rest = YEAR.sub(" ", PAIR.sub(" ", clean))
    numbers = unique([p.split("/")[0] for p in pairs] + [number(n) for n in NUMBER.findall(rest)])
    words = [t for t in tokens(rest) if not t.isdigit()]
    clean = " ".join([*clean.replace("/ ", "/").split(), *map(joined, unique(pairs))])
    return {"title": title, "words": words, "numbers": numbers, "pairs": unique(pairs), "years": unique(years), "dex": unique(dex), "languages": languages,
            "text": clean}


def write_titles(labels):
    for title in dict.fromkeys(label["title"] for path in labels for label in rows(path)):
        yield title_row(title)


def main():
    kind, *paths = sys.argv[1:]
    for row in write_cards(*paths) if kind == "cards" else write_titles(paths):
        print(json.dumps(row, ensure_ascii=False))


if __name__ == "__main__":
    main()
