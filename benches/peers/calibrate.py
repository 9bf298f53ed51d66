"""Turns a peer's scores into probabilities, and finds where it had best refuse: out of fold, as kindly to the peer as can be.

Two maps are fitted for each peer and each source of titles, five times, each on four fifths of the titles and read on the last fifth:

- P(the first card is the right one), on the titles that `ece` and `auroc` are about (`match` and `not_in_catalogue`);
- P(the title sells one of our cards), on all titles; where it is below the threshold that got most titles of the other folds right, the peer refuses.

A map is a logistic of all features or an isotonic one of a single feature, whichever has the lower log loss on each of the four folds in turn when fitted to the
other three. Standard library only.
"""
import hashlib
import math

FOLDS = 5
MATCHED = {"match", "ambiguous"}
CHOICE_ROWS = 400
NEWTON_STEPS = 8
RIDGE = 1.0


def fold(title):
    """The fifth a title belongs to, the same on every machine."""
    return int(hashlib.sha256(title.encode()).hexdigest()[:8], 16) % FOLDS


def features(answer, clean):
    """What a score says: itself, its lead over the second, itself for a word of the title; its logarithm, its lead over the fifth, how many words, whether there
    is a number; and what titledex says of the sale, 0 for peers. None where nothing was found."""
    scores = [match["score"] for match in answer["matches"]]
    if not scores:
        return None
    length = 1 + len(clean["words"]) + len(clean["numbers"])
    top = scores[0]
    lead = (top - scores[1]) / abs(top or 1) if len(scores) > 1 else 1.0
    fifth = (top - scores[-1]) / abs(top or 1)
    return [top, lead, top / length, math.log(abs(top) + 1e-6), fifth, math.log(length), float(bool(clean["pairs"])), float(bool(clean["numbers"])), answer.get("sale", 0.0)]


def clip(p):
    return min(max(p, 0.002), 0.998)


def log_loss(model, rows):
    return -sum(math.log(clip(model(x)) if y else 1 - clip(model(x))) for x, y in rows) / max(1, len(rows))


def solve(a, b):
    """Gaussian elimination; `a` is positive definite."""
    n = len(b)
    m = [row[:] + [b[i]] for i, row in enumerate(a)]
    for i in range(n):
        for j in range(i + 1, n):
            f = m[j][i] / m[i][i]
            for k in range(i, n + 1):
                m[j][k] -= f * m[i][k]
    x = [0.0] * n
    for i in reversed(range(n)):
        x[i] = (m[i][n] - sum(m[i][k] * x[k] for k in range(i + 1, n))) / m[i][i]
    return x


def logistic(rows):
    """All features, standardised; Newton's method with a small ridge."""
    n = len(rows[0][0])
    means = [sum(x[i] for x, _ in rows) / len(rows) for i in range(n)]
    widths = [math.sqrt(sum((x[i] - means[i]) ** 2 for x, _ in rows) / len(rows)) or 1.0 for i in range(n)]

    def scaled(x):
        return [1.0, *((x[i] - means[i]) / widths[i] for i in range(n))]

    data = [(scaled(x), y) for x, y in rows]
    w = [0.0] * (n + 1)

    def p(z):
        t = sum(a * b for a, b in zip(w, z))
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, t))))

    for _ in range(NEWTON_STEPS):
        gradient = [-RIDGE * v if i else 0.0 for i, v in enumerate(w)]
        hessian = [[RIDGE if i == j else 0.0 for j in range(n + 1)] for i in range(n + 1)]
        for z, y in data:
            q = p(z)
            for i in range(n + 1):
                gradient[i] += (y - q) * z[i]
                wz = q * (1 - q) * z[i]
                for j in range(i + 1):
                    hessian[i][j] += wz * z[j]
        for i in range(n + 1):
            for j in range(i):
                hessian[j][i] = hessian[i][j]
        w = [a + b for a, b in zip(w, solve(hessian, gradient))]
    return lambda x: p(scaled(x))


def isotonic(rows, at):
    """The best rising step function of one feature (pool adjacent violators)."""
    blocks = []
    for value, y in sorted((x[at], y) for x, y in rows):
        blocks.append([value, float(y), 1])
        while len(blocks) > 1 and (blocks[-2][0] == blocks[-1][0] or blocks[-2][1] / blocks[-2][2] >= blocks[-1][1] / blocks[-1][2]):
            value, right, count = blocks.pop()
            blocks[-1][1] += right
            blocks[-1][2] += count
    steps = [(value, right / count) for value, right, count in blocks]

    def p(x):
        low, high = 0, len(steps)
        while low < high:
            middle = (low + high) // 2
            if steps[middle][0] <= x[at]:
                low = middle + 1
            else:
                high = middle
        return steps[max(0, low - 1)][1]

    return p


# top score, lead, top score for a word
MAPS = {"logistic": logistic, **{f"isotonic({name})": (lambda rows, at=at: isotonic(rows, at)) for at, name in enumerate(["score", "lead", "score a word"])}}


def fit(rows_by_fold, held_out):
    """The better map on the folds but the one held out, and its name."""
    folds = [rows for f, rows in enumerate(rows_by_fold) if f != held_out]
    every = [row for rows in folds for row in rows]
    if len({y for _, y in every}) < 2:
        share = sum(y for _, y in every) / max(1, len(every))
        return (lambda x: share), "constant"

    def loss(name):
        losses = 0.0
        for check in folds:
            # enough to tell which map is better; the map itself is fitted to all
            rest = [row for rows in folds if rows is not check for row in rows[:CHOICE_ROWS]]
            losses += log_loss(MAPS[name](rest), check) * len(check) if rest else 0.0
        return losses

    name = min(MAPS, key=loss)
    return MAPS[name](every), name


def threshold(model, rows):
    """Below which to refuse, so that most of the rows come out right."""
    scored = sorted((model(x), y) for x, y in rows)
    right = sum(y for _, y in scored)
    best, cut = right, 0.0
    for at, (p, y) in enumerate(scored):
        right += -1 if y else 1
        if right > best and (at + 1 == len(scored) or scored[at + 1][0] > p):
            best, cut = right, p + 1e-12
    return cut


def log_odds(p):
    return math.log(clip(p) / (1 - clip(p)))


def as_peer(answer):
    """An answer of titledex as a peer's would be: its confidences are scores, and it refuses only where it has found nothing."""
    outcome, matches = answer["outcome"], answer["matches"]
    sold = {"match": outcome["confidence"], "ambiguous": 1 - outcome["notInCatalogue"]}.get(outcome["type"], 1 - outcome["confidence"])
    kind = "match" if matches else outcome["type"]
    found = [{"cardId": match["cardId"], "score": log_odds(match["confidence"])} for match in matches]
    return {"title": answer["title"], "outcome": {"type": kind}, "matches": found, "sale": log_odds(sold)}


def calibrate(labels, answers, clean):
    """The peer's answers with `confidence` in place of `score`, refusing below the best threshold; and how often each map was chosen."""
    card_rows, sale_rows = ([[] for _ in range(FOLDS)] for _ in range(2))
    known = {}
    for label in labels:
        title = label["title"]
        x = known[title] = features(answers[title], clean[title])
        if x is None:
            continue
        first = answers[title]["matches"][0]["cardId"]
        sale_rows[fold(title)].append((x, int(label["outcome"] in MATCHED)))
        if label["outcome"] in ("match", "not_in_catalogue"):
            card_rows[fold(title)].append((x, int(label["outcome"] == "match" and first in label["cards"])))
    out, chosen = {}, {}
    for held_out in range(FOLDS):
        card, card_name = fit(card_rows, held_out)
        sale, sale_name = fit(sale_rows, held_out)
        cut = threshold(sale, [row for f in range(FOLDS) if f != held_out for row in sale_rows[f]])
        for name in (card_name, f"refusal {sale_name}"):
            chosen[name] = chosen.get(name, 0) + 1
        for title, x in known.items():
            if fold(title) != held_out:
                continue
            answer = answers[title]
            kind = answer["outcome"]["type"] if x is not None and sale(x) >= cut else "not_in_catalogue"
            if x is None and answer["outcome"]["type"] not in MATCHED:
                kind = answer["outcome"]["type"]
            p = card(x) if x is not None else 0.0
            matches = [{"cardId": m["cardId"], "confidence": round(p if at == 0 else (1 - p) / len(answer["matches"]), 6)} for at, m in enumerate(answer["matches"])]
            out[title] = {"title": title, "outcome": {"type": kind}, "matches": matches}
    return out, chosen
