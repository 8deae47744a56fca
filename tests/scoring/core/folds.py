"""Generated sheets, standings and rulesets as JSON, with what the core makes of them: results, or a refusal.

static/js/check/ must give the same. Sheets are those of a public record, so their entries have no free text; the core
and static/js/check/sheet.js get some in its place.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from random import Random
from typing import Any

from scoring.core.entries import FREE_TEXT, Entry, Writer
from scoring.core.plus_minus import COUNTS
from scoring.core.qualifying import going_on
from scoring.core.ranking import Score, standings
from scoring.core.sheet import SheetLog, append, empty
from tests.rulesets import sheet_as
from tests.scoring.core.vectors import PLAYS, attempt_on, entry_id, seats_of
from tournaments.core.refusal import Refusal
from tournaments.rulesets.loader import PRESETS, preset
from tournaments.rulesets.reading import RulesetError
from tournaments.rulesets.schema import Qualifying, Ruleset
from tournaments.rulesets.sheets import HandPointsRules, PlusMinusRules
from tournaments.rulesets.tie_breaks import counted_for, tie_breaks_of

JSON = dict[str, Any]
Line = tuple[str, JSON, Writer]
"""Kind, data and author of an entry."""

JUNK: tuple[Any, ...] = (
    *(None, True, False, 0, 1, 2, -1, 7, 1.5, 10**6, 10**6 + 1, 2**31, 2**53 + 1, 10**30),
    *("", "1", "deal", "knock", "feuer", "solo", "rank", "none", "__proto__", "constructor", "\u0000", "ü"),
    *([], [1], [[]], [None], {}, {"1": 1}, {"__proto__": 1}, {"seat_number": 1}),
)
KEYS = (
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "length",
    "note",
    "reason",
    "0",
    "01",
    "1 ",
    "13",
)


def junk(chance: Random) -> Any:
    return json.loads(json.dumps(chance.choice(JUNK)))


def mutated(chance: Random, value: Any) -> Any:
    """Return a JSON value with one change somewhere in it."""
    if type(value) is int and chance.random() < 0.6:
        return value + chance.choice([-1, 1, 20])
    if not isinstance(value, dict | list) or not value or chance.random() < 0.1:
        return junk(chance)
    if isinstance(value, list):
        if chance.random() < 0.2:
            return value[::-1]
        index = chance.randrange(len(value))
        instead = chance.choice([[], [value[index]] * 2, [mutated(chance, value[index])]])
        return [*value[:index], *instead, *value[index + 1 :]]
    key = chance.choice(list(value))
    kept = {name: item for name, item in value.items() if name != key}
    change = chance.random()
    if change < 0.15:
        return kept
    if change < 0.22:
        return {**kept, chance.choice(KEYS): value[key]}
    if change < 0.34:
        return {**value, chance.choice(KEYS): chance.choice([value[key], junk(chance)])}
    return {**value, key: mutated(chance, value[key])}


# -- Sheets -----------------------------------------------------------------------------------------------------------


def sheet_of(chance: Random, length: int, *, malformed: float = 0.0) -> JSON:
    """Return the attempts on a sheet with the refusal of each, null if there is none, and the fold of the others.

    malformed: the share of entries that are changed to something that no program writes.
    """
    play = PLAYS[chance.choice(list(PLAYS))]
    ruleset = varied(chance, play.ruleset_of(chance))
    size = chance.choice([2, 12]) if chance.random() < 0.05 else play.size_of(chance)
    sheet = empty(ruleset, seats_of(size))
    attempts, refusals, steps = list[JSON](), list[str | None](), list[Any]()
    while len(attempts) < length:
        for entry in what_follows(chance, sheet, len(attempts)):
            attempt = public(entry)
            if chance.random() < malformed:
                attempt = spoilt(chance, attempt)
            attempts.append(attempt)
            try:
                sheet = append(sheet, with_text(attempt))
            except Refusal as refusal:
                refusals.append(refusal.code)
            else:
                refusals.append(None)
                steps.append(results(sheet))
    return {
        "ruleset": ruleset.to_dict(),
        "seats": size,
        "attempts": attempts,
        "refusals": refusals,
        "fold": {"phase": sheet.phase, "results": results(sheet), "steps": steps},
    }


def what_follows(chance: Random, sheet: SheetLog, number: int) -> Sequence[Entry]:
    """Return the next attempt; sometimes several: corrections of a deal, or those of a table that hands its sheet in."""
    deals = [fact.entry_id for fact in sheet.facts if fact.kind == "deal"]
    totals = TOTALS.get(sheet.ruleset.sheet.kind)
    if totals and not sheet.facts and chance.random() < 0.2:
        return numbered(number, [("totalled", totals(chance, sheet), "organiser")])
    what = chance.random()
    if what < 0.03:
        return numbered(number, handing_in(sheet))
    if what < 0.05 and deals:
        return numbered(number, correcting(chance, sheet, number, chance.choice(deals)))
    return [attempt_on(chance, sheet, number)]


def numbered(first: int, lines: Sequence[Line]) -> list[Entry]:
    return [Entry(entry_id(first + index), *line) for index, line in enumerate(lines)]


def handing_in(sheet: SheetLog) -> list[Line]:
    """Return all confirmations, the approvals that are missing, and the hand-in."""
    return [
        *(("confirmed", {"seat_number": seat}, "scribe") for seat in sheet.seats),
        *(("approved", {"entry": deal}, "organiser") for deal in sorted(sheet.kind.waiting(sheet.state))),
        ("submitted", {}, "scribe"),
    ]


def correcting(chance: Random, sheet: SheetLog, number: int, deal: str) -> list[Line]:
    """Return corrections of a deal, all of which are taken back in some order."""
    fact_data = PLAYS[sheet.ruleset.sheet.kind].fact_data
    numbers = range(number, number + chance.randint(1, 3))
    return [
        *(
            ("corrected", {"entry": deal, "data": fact_data(chance, sheet, "deal")}, "organiser")
            for _ in numbers
        ),
        *(
            ("voided", {"entry": entry_id(correction)}, "organiser")
            for correction in chance.sample(numbers, len(numbers))
        ),
    ]


def hands_at_the_limits(chance: Random, sheet: SheetLog) -> JSON:
    """Return totals of hands that are just possible, and some that just are not."""
    rules, hands = sheet_as(sheet.ruleset, HandPointsRules), sheet.ruleset.hands
    assert hands is not None
    feuer_points = hands.feuer_points or 0
    sums: dict[str, dict[str, int]] = {"points": {}, "schnauz": {}, "feuer": {}}
    for seat in map(str, sheet.seats):
        feuer = 0 if chance.random() < 0.8 else 1
        schnauz = chance.randint(0, rules.deals - feuer + (chance.random() < 0.1))
        least = schnauz * hands.schnauz_points + feuer * feuer_points
        most = least + (rules.deals - schnauz - feuer) * max(hands.schnauz_points, feuer_points)
        off = chance.choice([0] * 20 + [1])
        sums["points"][seat] = chance.choice([least - off, most + off])
        sums["schnauz"][seat], sums["feuer"][seat] = schnauz, feuer
    return sums


def games_at_the_limits(chance: Random, sheet: SheetLog) -> JSON:
    """Return totals of games, of which any number may be played and won."""
    one, other, *others = chance.sample([str(seat) for seat in sheet.seats], len(sheet.seats))
    rules = sheet_as(sheet.ruleset, PlusMinusRules)
    most = 3 * rules.deals * max(rules.solo.normal, rules.solo.durch, rules.solo.tout or 0)
    points = chance.choice([0, most, most + 1])
    counts = {name: dict.fromkeys(map(str, sheet.seats), 0) for name in COUNTS}
    for name in COUNTS:
        counts[name][one] = chance.randint(0, 2)
    counts["solo_played"][other] = chance.choice([0, 0, rules.deals - counts["solo_played"][one]])
    return {"points": {one: points, other: -points, **dict.fromkeys(others, 0)}, **counts}


TOTALS = {"hand_points": hands_at_the_limits, "plus_minus": games_at_the_limits}


def varied(chance: Random, ruleset: Ruleset) -> Ruleset:
    """Return a ruleset with other switches of the life cycle, and other points; sometimes a preset as it is."""
    if chance.random() < 0.2:
        kind = ruleset.sheet.kind
        return preset(chance.choice([name for name in PRESETS if preset(name).sheet.kind == kind]))
    points = chance.choice([ruleset.points, (6, 4, 3, 2, 1, 1), (10,), (5, 0, -5)])
    return replace(
        ruleset,
        scribe_takes_back=chance.choice(["any", "any", "latest_deal", "none"]),
        objections_end=chance.choice(["next_deal", "voided"]),
        confirmation=chance.choice(["required", "optional", "paper"]),
        points=points if ruleset.points else (),
    )


def spoilt(chance: Random, attempt: JSON) -> JSON:
    name = chance.choice(["data"] * 8 + ["kind", "id"])
    return {**attempt, name: mutated(chance, attempt[name])}


def public(entry: Entry) -> JSON:
    """Return an entry as a record has it."""
    text = FREE_TEXT.get(entry.kind)
    data = {key: value for key, value in entry.data.items() if key != text}
    return {"id": entry.id, "kind": entry.kind, "data": data, "by": entry.by}


def with_text(attempt: JSON) -> Entry:
    """Return an entry for the core, with some free text where its kind may have any."""
    kind, data = attempt["kind"], attempt["data"]
    text = FREE_TEXT.get(kind) if isinstance(kind, str) else None
    if text and isinstance(data, dict):
        data = {**data, text: "–"}
    by: Writer = attempt["by"]
    return Entry(attempt["id"], kind, data, by)


def results(sheet: SheetLog) -> list[JSON]:
    """Return the results of the seats; where players have lives, with those that they have left."""
    return [
        {
            "rank": score.rank,
            "points": score.points,
            "strokes": score.strokes,
            "counts": dict(score.counts),
        }
        | ({"lives_left": sheet.state.lives_left(seat)} if sheet.ruleset.sheet.kind == "survival" else {})
        for seat, score in zip(sheet.seats, sheet.results, strict=True)
    ]


# -- Standings --------------------------------------------------------------------------------------------------------


def standings_of(chance: Random) -> JSON:
    """Return standings in which many players are equal, with decisions about some of them."""
    ruleset = ranked_by(chance, preset(chance.choice(list(PRESETS))))
    players = chance.sample(range(1, 60), chance.randint(0, 25))
    rounds = chance.randint(0, 5)
    numbers = [number for number in range(1, rounds + 1) if chance.random() < 0.9]
    scores = [
        a_score(chance, ruleset, player, number)
        for number in numbers
        for player in [*players, 77]
        if chance.random() < 0.85
    ]
    chance.shuffle(scores)
    plain = rows(ruleset, players, scores, rounds, [])
    decisions = some_decisions(chance, plain)
    return {
        "ruleset": ruleset.to_dict(),
        "players": players,
        "scores": [asdict_of(score) for score in scores],
        "rounds": rounds,
        "decisions": decisions,
        "rows": rows(ruleset, players, scores, rounds, decisions),
    }


def ranked_by(chance: Random, ruleset: Ruleset) -> Ruleset:
    """Return a ruleset with another chain of tie-breaks, sometimes turned into a knockout."""
    kind = ruleset.sheet.kind
    if kind == "survival" and chance.random() < 0.3:
        smallest = ruleset.tables.smallest
        qualifying = Qualifying(go_on=smallest - 1, final=ruleset.tables.largest)
        ruleset = replace(ruleset, points=(), rounds=None, qualifying=qualifying, drawn_ahead=False)
    if chance.random() < 0.4:
        return ruleset
    known = sorted(tie_breaks_of(kind, in_knockout=ruleset.qualifying is not None))
    chain: Any = tuple(chance.sample(known, chance.randint(0, len(known))))
    return replace(ruleset, tie_break=chain)


def a_score(chance: Random, ruleset: Ruleset, player: int, number: int) -> Score:
    kind = ruleset.sheet.kind
    named = sorted(counted_for(kind))
    counts = {name: chance.randint(0, 1) for name in named}
    rank: int | None = chance.randint(1, 3)
    points = None if ruleset.qualifying else chance.choice(ruleset.points or (-1, 0, 1))
    if chance.random() < 0.1:
        rank, points = chance.choice([None, rank]), None
    strokes = counts.get("schnauz", 0) + counts.get("feuer", 0)
    return Score(player, number, points, strokes, rank, counts)


def asdict_of(score: Score) -> JSON:
    return {**score._asdict(), "counts": dict(score.counts)}


def rows(
    ruleset: Ruleset,
    players: Sequence[int],
    scores: Sequence[Score],
    rounds: int,
    decisions: Sequence[Sequence[int]],
) -> list[JSON]:
    ranked = standings(players, scores, rounds=rounds, ruleset=ruleset, decisions=decisions)
    return [json.loads(json.dumps(asdict(row))) for row in ranked]


def some_decisions(chance: Random, plain: Sequence[Mapping[str, Any]]) -> list[list[int]]:
    """Return decisions about all who share a rank, about some of them, and about more."""
    decisions = []
    for rank in {row["rank"] for row in plain if row["tied"]}:
        equal = [row["start_number"] for row in plain if row["rank"] == rank]
        others = [row["start_number"] for row in plain if row["rank"] != rank]
        for _ in range(chance.randint(0, 2)):
            named = chance.choice([equal, equal, equal[1:], [*equal, *others[:2], 99]])
            decisions.append(chance.sample(named, len(named)))
    chance.shuffle(decisions)
    return decisions


def table_of_a_knockout(chance: Random) -> JSON:
    """Return the ranks of a table, the cut, and who goes on."""
    ranks = {player: chance.randint(1, 7) for player in chance.sample(range(1, 99), chance.randint(0, 7))}
    qualifying = Qualifying(go_on=chance.randint(1, 6), final=7)
    return {
        "ranks": list(ranks.items()),
        "qualifying": asdict(qualifying),
        "on": sorted(going_on(ranks, qualifying)),
    }


# -- Rulesets ---------------------------------------------------------------------------------------------------------


def a_ruleset(chance: Random, *, changes: int) -> JSON:
    """Return a ruleset with so many changes, and how it is read; null if it is not possible."""
    play = PLAYS[chance.choice(list(PLAYS))]
    given = ranked_by(chance, varied(chance, play.ruleset_of(chance))).to_dict()
    for _ in range(changes):
        given = mutated(chance, given)
    return {"given": given, "read": read(given)}


def read(given: Any) -> JSON | None:
    try:
        return Ruleset.from_dict(given).to_dict()
    except (RulesetError, TypeError):
        return None
