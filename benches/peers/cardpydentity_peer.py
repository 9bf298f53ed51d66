#!/usr/bin/env python3
"""CardPydentity 0.2.0 on our catalogue.

  cardpydentity_peer.py CARDS TITLES

Its own data is a file of English cards on a server; it takes ours through its `register_source`. Three things are mended, so that it can be run at all, and nothing else:

- without `n/n` in the title and with set totals in the data it fails with a TypeError (`in False`): an empty tuple takes the place of `False`;
- without the word Pokemon it knows no category: it is asked first, and `pokemon` given where it names none (another game of its own is taken as `not_a_card`);
- `process.extract` of fuzzywuzzy is given to RapidFuzz, whose scorer is the same one and many times faster, on the ASCII text that fuzzywuzzy makes.

The program first answers CHECK titles with the package as it comes (but for the first two), and its time and agreement are reported with the costs.
"""
import collections
import contextlib
import io
import json
import sys
import time

from cardpydentity import load, matcher
from fuzzywuzzy import utils
from rapidfuzz import fuzz, process

from common import TOP, answer, rows

CHECK = 4
BEST = 200


def sources(cards):
    """The catalogue in the package's own shape: sets with their prints."""
    series, totals = {}, {}
    for card in cards:
        plain = card["plain"]
        name = ("Japanese " if plain["japanese"] else "") + plain["setName"]
        group = {"id": plain["set"], "name": name, "year": plain["year"], "total_cards": plain["total"], "prints": []}
        print_of = {"id": card["id"], "name": plain["name"], "number": plain["number"], "rarity": plain["rarity"]}
        series.setdefault(plain["set"], group)["prints"].append(print_of)
        totals.setdefault(plain["set"], collections.Counter())[plain["printedTotal"]] += 1
    for key, group in series.items():
        group["total_base"] = totals[key].most_common(1)[0][0] or group["total_cards"]
    return list(series.values())


class Fast:
    """`string_match` of the package with RapidFuzz; each option's processed text is kept."""

    def __init__(self):
        self.processed = {}

    def text(self, option):
        if option not in self.processed:
            self.processed[option] = utils.full_process(option, force_ascii=True)
        return self.processed[option]

    def __call__(self, text, options, limit):
        texts = [self.text(option) for option in options]
        found = process.extract(utils.full_process(text, force_ascii=True), texts, scorer=fuzz.token_set_ratio, processor=None, limit=BEST)
        whole = sorted(((round(score), at) for _, score, at in found), key=lambda pair: (-pair[0], pair[1]))
        return [(options[at], score) for score, at in whole[:limit]]


def identify(title):
    """What the package answers: the outcome, and its ten cards with their scores."""
    category = matcher.Matcher.get_category_simple(title)
    if category not in (None, "pokemon"):
        return "not_a_card", []
    with contextlib.redirect_stdout(io.StringIO()):
        found = matcher.Matcher(title, "pokemon").match()
    return "match", [(one["card"]["id"], one["score"]) for one in found]


def timed(titles):
    start = time.process_time()
    answers = [identify(title) for title in titles]
    return answers, (time.process_time() - start) * 1e6 / max(1, len(titles))


def main():
    cards, titles = rows(sys.argv[1]), [row["title"] for row in rows(sys.argv[2])]
    start = time.process_time()
    data = sources(cards)
    load.register_source("pokemon", lambda: data)
    built = time.process_time() - start
    read_pair = matcher.extract_card_tuple
    matcher.extract_card_tuple = lambda text: read_pair(text) or ()
    checked = [title for title in titles if matcher.Matcher.get_category_simple(title) in (None, "pokemon")][:CHECK]
    slow, micros = timed(checked)
    matcher.string_match = Fast()
    answers, fast_micros = timed(titles)
    at = {title: found for title, (_, found) in zip(titles, answers)}
    agreed = sum(found[:1] == at[title][:1] for title, (_, found) in zip(checked, slow))
    for title, (kind, found) in zip(titles, answers):
        print(json.dumps(answer(title, found[:TOP], kind), ensure_ascii=False))
    print(json.dumps({"build_seconds": built, "micros_a_title": micros, "micros_with_rapidfuzz": fast_micros, "checked": len(checked), "agreed": agreed}), file=sys.stderr)


if __name__ == "__main__":
    main()
