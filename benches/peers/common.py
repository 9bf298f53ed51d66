"""What the peers in Python share: reading the neutral files, timing, writing answers."""
import json
import sys
import time

TOP = 5


def rows(path):
    """The rows of a file of JSON Lines."""
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def answer(title, found, kind="match"):
    """An answer in the protocol's shape, with the peer's own scores."""
    return {"title": title, "outcome": {"type": kind}, "matches": [{"cardId": card, "score": score} for card, score in found[:TOP]]}


def run(build):
    """Builds an index of the cards (first argument), answers the titles (second) on one thread; answers to standard output, costs (processor time) to standard error."""
    cards, titles = rows(sys.argv[1]), rows(sys.argv[2])
    start = time.process_time()
    find = build(cards)
    built = time.process_time() - start
    start = time.process_time()
    answers = [find(title) for title in titles]
    taken = time.process_time() - start
    for one in answers:
        print(json.dumps(one, ensure_ascii=False))
    print(json.dumps({"build_seconds": built, "micros_a_title": taken * 1e6 / len(titles)}), file=sys.stderr)
