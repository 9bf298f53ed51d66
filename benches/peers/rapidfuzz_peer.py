#!/usr/bin/env python3
"""RapidFuzz: `token_set_ratio` of the cleaned title against the text of every card.

  rapidfuzz_peer.py CARDS TITLES
"""
from rapidfuzz import fuzz, process, utils

from common import TOP, answer, run


def build(cards):
    """The texts of all cards, processed once."""
    texts = [utils.default_process(card["text"]) for card in cards]

    def find(title):
        found = process.extract(utils.default_process(title["text"]), texts, scorer=fuzz.token_set_ratio, processor=None, limit=TOP)
        return answer(title["title"], [(cards[at]["id"], score) for _, score, at in found])

    return find


if __name__ == "__main__":
    run(build)
