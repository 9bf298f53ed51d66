"""The figures of the peers, by slice, and the tables of docs/ACCURACY.md. Standard library only; the figures themselves are those of `../shared/eval/score.py`."""
import collections
import importlib.util
import json
import re

from lib import show, table

FIGURES = {"card_top1": +1, "card_top5": +1, "correct_refusal": +1, "false_refusal": -1, "ece": -1, "auroc": +1, "precision_at_0.9": +1, "coverage_at_0.9": +1}
COUNTS = {"card_top1": "in_catalogue_titles", "correct_refusal": "refusable_titles"}
NAMES = {"titledex": "titledex", "tantivy": "tantivy", "minisearch": "MiniSearch", "fuse": "Fuse.js", "rapidfuzz": "RapidFuzz", "cardpydentity": "CardPydentity"}
OURS = "titledex"
# figures that the maps of calibrate.py make
MAPPED = ("correct_refusal", "false_refusal", "ece", "auroc", "precision_at_0.9", "coverage_at_0.9")
SLICE_TITLES = 20


def reference(path):
    """The reference scorer, as a module."""
    spec = importlib.util.spec_from_file_location("score", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Slices:
    """What kind of title a label is, by facts of the catalogue and of the labels, never by an answer."""

    def __init__(self, cards, fitted, golden, clean):
        self.clean = clean
        self.numbers, self.sets, self.names = {}, {}, {}
        self.same_number, self.same_set = collections.Counter(), collections.Counter()
        for card in cards:
            name, number, group = card["plain"]["name"].casefold(), "".join(card["number"]), card["plain"]["set"]
            self.names[card["id"]], self.numbers[card["id"]], self.sets[card["id"]] = name, number, group
            self.same_number[name, number] += 1
            self.same_set[name, group] += 1
        # titles of each card among the labels that our weights were fitted to
        self.titles = collections.defaultdict(set)
        for label in fitted:
            for card in label.get("cards") or []:
                self.titles[card].add(label["title"])
        for row in golden:
            for card in row["expect"].get("cards") or []:
                self.titles[card].add(row["title"])

    def numbered(self, label):
        if "number" in label:
            return bool(label["number"])
        numbers = self.clean[label["title"]]["numbers"]
        return any(self.numbers.get(card) in numbers for card in label["cards"])

    def hard(self, label):
        """No number in the title, or another card of the catalogue has the name and the number, or the name and the set."""
        shared = any(
            self.same_number[self.names.get(card), self.numbers.get(card)] > 1 or self.same_set[self.names.get(card), self.sets.get(card)] > 1 for card in label["cards"]
        )
        return shared or not self.numbered(label)

    def of(self, label):
        """The slices of a `match` label."""
        seen = any(self.titles[card] - {label["title"]} for card in label["cards"])
        script = "Japanese" if re.search(r"[\u3040-\u30ff\u4e00-\u9fff]", label["title"]) else "Latin"
        return [
            "card seen" if seen else "card unseen",
            "hard" if self.hard(label) else "easy",
            "with number" if self.numbered(label) else "without number",
            f"language: {label.get('language') or 'not stated'}",
            f"script: {script}",
            f"venue: {label.get('venue') or '?'}",
        ]


def rounded(value):
    return None if value is None else round(value, 4)


def measure(scorer, labels, answers):
    """The figures of one peer on the labels that it answered."""
    result, _ = scorer.score([(label, answers[label["title"]]) for label in labels])
    counts = {name: result[count] for name, count in COUNTS.items()}
    return {"titles": len(labels), **{name: rounded(result[name]) for name in FIGURES}, "counts": counts}


def top1(labels, answers):
    """How many of the `match` labels have the right card first, and how many there are."""
    hits = [answers[label["title"]]["matches"][:1] and answers[label["title"]]["matches"][0]["cardId"] in label["cards"] for label in labels]
    return sum(map(bool, hits)), len(hits)


def compare(scorer, labels, answers, mapped, costs, slices):
    """All figures of one source: overall and by slice, each next to titledex on the same titles, as it is and with `mapped` answers."""
    out = {"peers": {}, "slices": {}}
    for peer, mine in answers.items():
        answered = [label for label in labels if label["title"] in mine]
        figures = measure(scorer, answered, mine)
        there = {"titledex_there": measure(scorer, answered, answers[OURS]), "mapped_there": measure(scorer, answered, mapped)}
        out["peers"][peer] = {**figures, "cost": costs[peer], **there}
    groups = collections.defaultdict(list)
    for label in labels:
        if label["outcome"] == "match":
            for name in slices.of(label):
                groups[name].append(label)
    venues = collections.Counter(f"venue: {label.get('venue') or '?'}" for label in labels)
    for name in sorted(groups):
        group = groups[name]
        if max(len(group), venues[name]) < SLICE_TITLES:
            continue
        out["slices"][name] = {"titles": len(group), "peers": {}}
        for peer, mine in answers.items():
            answered = [label for label in group if label["title"] in mine]
            hits, count = top1(answered, mine)
            ours, _ = top1(answered, answers[OURS])
            out["slices"][name]["peers"][peer] = {"titles": count, "hits": hits, "titledex_hits": ours}
    return out


def cell(mine, figure):
    """A figure, with the number of titles if it is not obvious."""
    count = mine["counts"].get(figure)
    return show(mine[figure]) + (f" ({count})" if count else "")


def sentence(kind, found):
    return f"{kind}: " + ("; ".join(found) if found else "none") + "."


def against(figures, there, names):
    """The figures of `names` in which a peer is ahead of what titledex has `there`, and those in which it is level, on the titles that both answered."""
    ahead, level = [], []
    for name in names:
        for peer, mine in figures["peers"].items():
            value, ours = mine[name], mine[there][name]
            if peer == OURS or value is None or ours is None:
                continue
            if (value - ours) * FIGURES[name] > 0:
                ahead.append(f"{NAMES[peer]} `{name}` ({show(value)} to {show(ours)})")
            elif value == ours:
                level.append(f"{NAMES[peer]} `{name}`")
    return ahead, level


def standing(figures):
    """In which figures a peer is ahead of titledex, and in which it is level."""
    ahead, level = against(figures, "titledex_there", FIGURES)
    mapped, _ = against(figures, "mapped_there", MAPPED)
    return [
        sentence("A peer is ahead of titledex on the same titles", ahead),
        sentence("Level", level),
        sentence("A peer is ahead of titledex with maps", mapped),
    ]


def overall(name, figures):
    """The table of one source."""
    peers = figures["peers"]
    rows = [["titles", *(str(mine["titles"]) for mine in peers.values())]]
    rows += [[f"`{figure}`", *(cell(mine, figure) for mine in peers.values())] for figure in FIGURES]
    rows += [[f"titledex with maps, `{figure}`", *(show(mine["mapped_there"][figure]) for mine in peers.values())] for figure in MAPPED[:3]]
    rows.append(["titledex `card_top1` on the same titles", *(show(mine["titledex_there"]["card_top1"]) for mine in peers.values())])
    rows.append(["µs of processor time a title", *(f"{mine['cost']['micros_a_title']:,.0f}" for mine in peers.values())])
    return [f"#### `{name}`", "", *table(["figure", *(NAMES[peer] for peer in peers)], rows), "", *standing(figures), ""]


def by_slice(name, figures):
    """Top-1 by slice for one source: the table, the slices in which a peer is ahead, and those in which it is level."""
    peers = list(figures["peers"])
    rows, ahead, level = [], [], []
    for part, found in figures["slices"].items():
        cells = []
        for peer in peers:
            mine = found["peers"][peer]
            count, hits, ours = mine["titles"], mine["hits"], mine["titledex_hits"]
            cells.append("–" if not count else f"{hits / count:.3f}" + (f" ({count})" if count != found["titles"] else ""))
            if peer != OURS and count and hits >= ours:
                (ahead if hits > ours else level).append(f"{NAMES[peer]} on {part} ({hits} to {ours} of {count})")
        rows.append([part, str(found["titles"]), *cells])
    head = [f"`card_top1` of `{name}`", "titles", *(NAMES[peer] for peer in peers)]
    return table(head, rows), sentence(f"In slices of `{name}` a peer is ahead of titledex on the same titles", ahead), sentence("Level", level)


def tables(report):
    """The tables of docs/ACCURACY.md."""
    lines = ["In brackets: of how many titles. The lines below a table are computed from it.", ""]
    for name, figures in report.items():
        lines += overall(name, figures)
    first, *others = report.items()
    shown, ahead, level = by_slice(*first)
    lines += ["#### By slice", "", *shown, "", ahead, level]
    for other in others:
        lines += ["", by_slice(*other)[1]]
    return lines


def save(path, report):
    path.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
