"""The standings for the public and for the organiser."""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

from scoring.core.ranking import Score, Standing, standings
from scoring.models import Publication
from tournaments.core.names import public_name
from tournaments.models import Round, Tournament
from tournaments.rulesets.schema import Ruleset
from tournaments.rulesets.tie_breaks import column_of


@dataclass(frozen=True, slots=True)
class Reached:
    """In a knockout, the last round in which a player had a seat, and their rank at that table. is_out: they do not go on."""

    round_number: int
    rank: int
    is_final: bool
    is_out: bool


TieNote = Literal[
    "", "strokes", "strokes_there", "chain", "shared", "decided", "shared_in_all", "decided_in_all"
]

LONG_NAME = 34


@dataclass(frozen=True, slots=True)
class StandingsRow(Standing):
    """A row of the standings, with the name that its reader may see.

    named: "full", "short" or
    "number", as the name is shown here; a player shown as a number has no club either. reached: in a
    knockout, None for a player without a table. tallies: the values beside the points, by
    `Leaderboard.tally_names`. moved: ranks gained since the round before the latest that counts, on the wall
    screen; negative if lost. note: the reason for the rank among rows with equal points, on public pages;
    broken_by: the tie-breaks that separate the row from any of them. is_signed: points are written with plus or minus.
    """

    name: str
    club: str
    withdrawn: bool
    named: str = "full"
    reached: Reached | None = None
    tallies: tuple[tuple[str, str], ...] = ()
    moved: int = 0
    note: TieNote = ""
    broken_by: tuple[str, ...] = ()
    is_signed: bool = False

    @property
    def has_played(self) -> bool:
        return any(points is not None for points in self.by_round)

    @property
    def is_number(self) -> bool:
        return self.named == Tournament.Names.NUMBER

    @property
    def is_long(self) -> bool:
        return len(self.name) > LONG_NAME

    @property
    def explains(self) -> bool:
        """Whether the note gets a line of its own, as it decides about the prizes."""
        return bool(self.note) and self.rank <= 3


@dataclass(frozen=True, eq=False)
class Leaderboard:
    """The standings for one kind of reader.

    rounds: how many are drawn. final: every round of the ruleset is closed or the tournament was ended early, and no
    later result is withheld. ended_after: the number of rounds played if it was ended early, else 0.
    is_frozen: the public does not see later results. is_knockout: the round reached counts, not points.
    tally_names: the columns beside the points (see `tally_names`). scores: the source of the rows, round by
    round.
    """

    tournament: Tournament
    rounds: int
    final: bool
    is_frozen: bool
    rows: tuple[StandingsRow, ...]
    ended_after: int = 0
    is_knockout: bool = False
    tally_names: tuple[str, ...] = ()
    scores: tuple[Score, ...] = ()

    @property
    def winners(self) -> tuple[StandingsRow, ...]:
        """The winners once the standings are final; several if a tie is undecided."""
        return tuple(row for row in self.rows if row.rank == 1) if self.final else ()

    @cached_property
    def counted(self) -> tuple[int, ...]:
        """The number of results of each round, up to the latest with any."""
        counts = Counter(score.round_number for score in self.scores if score.is_decided)
        return tuple(counts[number] for number in range(1, max(counts, default=0) + 1))

    @cached_property
    def rounds_won(self) -> Counter[int]:
        """The number of rounds won at a table, by start number."""
        return Counter(score.start_number for score in self.scores if score.rank == 1)

    @cached_property
    def has_results(self) -> bool:
        return any(row.has_played for row in self.rows)


def visible_standings(slug: str, *, full_names: bool = False, with_moves: bool = False) -> Leaderboard:
    """Return the public standings: the only source of public HTML, JSON, events and exports.

    Counts accepted sheets and obeys the freeze. full_names: as on a paired wall screen, with full names by default
    instead of the tournament's setting for the web; a player's own choice still applies. with_moves: with the ranks
    gained or lost, as on every wall screen. One query. Raises Tournament.DoesNotExist.
    """
    frame = _frame(slug, is_public=True)
    results = _public_results(frame)
    names = Tournament.Names.FULL if full_names else frame.names
    return _leaderboard(frame, results, names=names, with_moves=with_moves)


def current_standings(tournament: Tournament, *, wall_names: bool = False) -> Leaderboard:
    """Return the organiser's standings: every accepted sheet, frozen or not.

    wall_names: names as on the wall screen, for the notices that the organiser prints.
    """
    frame = _frame(tournament.slug, is_public=False)
    return _leaderboard(frame, _results(frame), names=Tournament.Names.FULL if wall_names else None)


def winners_of(slugs: Collection[str], *, full_names: bool = True) -> dict[str, list[str]]:
    """Return the winners, by slug, of those tournaments whose final standings are public. One query.

    full_names: as the organiser reads them, instead of as public pages name people.
    """
    final = [frame for frame in _frames(slugs, is_public=True) if _is_final(frame)] if slugs else []
    boards = (
        _leaderboard(frame, _public_results(frame), names=None if full_names else frame.names)
        for frame in final
    )
    return {board.tournament.slug: [row.name for row in board.winners if row.has_played] for board in boards}


def is_frozen(tournament: Tournament) -> bool:
    return freeze_in_force(tournament) is not None


def freeze_in_force(tournament: Tournament) -> Publication | None:
    """Return the publication that freezes the public standings; None if every accepted sheet is public."""
    latest = tournament.publications.order_by("-id").first()
    return latest if latest is not None and latest.is_frozen else None


def released_entries(freeze: Publication) -> dict[tuple[int, int], int]:
    """Return the sequence of the last entry that is public, by round and table; of other tables none is."""
    return {(round_, table): last for round_, table, last in (freeze.results or {}).get("sheets", ())}


def released_results(tournament: Tournament, *, before: int | None = None) -> dict[str, Any]:
    """Return the data of the current standings, as a publication stores it.

    It includes the state of each sheet: [round, table, sequence of its last entry]. All are read at the same
    moment. before: only the rounds before this one, and no decision.
    """
    frame = _frame(tournament.slug, is_public=False, with_sheets=True)
    results, sheets = _results(frame), json.loads(frame.sheets or "[]")
    if before is not None:
        scores = [score for score in results["scores"] if Score._make(score).round_number < before]
        results |= {"scores": scores, "decisions": []}
        sheets = [sheet for sheet in sheets if sheet[0] < before]
    return {**results, "sheets": sheets}


def tied_groups(tournament: Tournament) -> list[list[int]]:
    """Return the start numbers of each shared rank among those who have played, best rank first."""
    groups: dict[int, list[int]] = {}
    for row in current_standings(tournament).rows:
        if row.tied and row.has_played:
            groups.setdefault(row.rank, []).append(row.start_number)
    return list(groups.values())


# Read by hand, since the ORM takes longer to write this statement than PostgreSQL to execute them.
_FRAME = """
SELECT tournament.*,
  (
    SELECT MAX(COALESCE(closed_at, released_at, drawn_at)) FROM tournaments_round WHERE tournament_id = tournament.id
  ) AS active_at,
  ARRAY(SELECT state FROM tournaments_round WHERE tournament_id = tournament.id ORDER BY number) AS round_states,
  (
    SELECT json_agg("order" ORDER BY id)::text FROM scoring_decision
    WHERE tournament_id = tournament.id AND revoked_at IS NULL
  ) AS decided,
  (
    SELECT COUNT(*) FROM tournaments_table WHERE round_id = (
      SELECT id FROM tournaments_round WHERE tournament_id = tournament.id ORDER BY number DESC LIMIT 1
    )
  ) AS last_tables,
  COALESCE(publication.is_frozen, false) AS is_frozen,
  publication.results::text AS published,
  (
    SELECT json_agg(json_build_array(start_number, name, names, club, withdrawn_at IS NOT NULL) ORDER BY start_number)::text
    FROM tournaments_participant person
    WHERE tournament_id = tournament.id AND excluded_at IS NULL AND (
      (withdrawn_at IS NULL AND presence <> 'announced') OR EXISTS (
        SELECT FROM tournaments_seat WHERE tournament_id = tournament.id AND participant_id = person.id
      )
    )
  ) AS people,
  CASE WHEN NOT %(is_public)s OR publication.is_frozen IS NOT TRUE THEN (
    SELECT json_agg(json_build_array(
      person.start_number, played.number, result.points, result.strokes, result.rank, result.counts
    ))::text
    FROM scoring_seatresult result JOIN tournaments_seat seat ON seat.id = result.seat_id
    JOIN tournaments_participant person ON person.id = seat.participant_id
    JOIN tournaments_round played ON played.id = seat.round_id
    WHERE seat.tournament_id = tournament.id AND result.accepted
  ) END AS scores,
  CASE WHEN %(with_sheets)s THEN (
    SELECT json_agg(json_build_array(played.number, seated.number, (
      SELECT MAX(sequence) FROM scoring_sheetentry WHERE sheet_id = sheet.id
    )))::text
    FROM tournaments_round played JOIN tournaments_table seated ON seated.round_id = played.id
    JOIN scoring_sheet sheet ON sheet.table_id = seated.id
    WHERE played.tournament_id = tournament.id AND EXISTS (SELECT FROM scoring_sheetentry WHERE sheet_id = sheet.id)
  ) END AS sheets
FROM tournaments_tournament tournament LEFT JOIN LATERAL (
  SELECT is_frozen, results FROM scoring_publication WHERE tournament_id = tournament.id ORDER BY id DESC LIMIT 1
) publication ON true
WHERE tournament.slug = ANY(%(slugs)s)
"""


def _frame(slug: str, *, is_public: bool, with_sheets: bool = False) -> Any:
    """Return a tournament with the data for its standings (see `_frames`). Raises Tournament.DoesNotExist."""
    for frame in _frames([slug], is_public=is_public, with_sheets=with_sheets):
        return frame
    raise Tournament.DoesNotExist


def _frames(slugs: Collection[str], *, is_public: bool, with_sheets: bool = False) -> Iterable[Any]:
    """Return tournaments with the data for their standings.

    The data: the state of each round, the number of tables of the last one, the participants that are listed, the decisions,
    the publication in force, the accepted scores, and what `public_until` needs. is_public: without scores while the
    standings are frozen. with_sheets: with how far each sheet is written. Listed are all participants
    except those who are excluded, and those without a seat who withdrew or never arrived.

    One statement, so that the freeze and the accepted sheets are read at the same moment.
    """
    values = {"slugs": list(slugs), "is_public": is_public, "with_sheets": with_sheets}
    return Tournament.objects.raw(_FRAME, values)


def _public_results(frame: Any) -> dict[str, Any]:
    return dict(json.loads(frame.published)) if frame.is_frozen else _results(frame)


def _results(frame: Any) -> dict[str, Any]:
    scores, decisions = json.loads(frame.scores or "[]"), json.loads(frame.decided or "[]")
    return {"final": _is_final(frame), "scores": scores, "decisions": decisions}


def _is_final(frame: Any) -> bool:
    """Whether the tournament was ended early, or every round of the ruleset is closed.

    In a knockout the last round is the final, a round of one table.
    """
    if frame.ended_at is not None:
        return True
    states, rounds = frame.round_states, frame.rules.rounds
    all_drawn = frame.last_tables == 1 if rounds is None else len(states) == rounds
    return all_drawn and all(state == Round.State.CLOSED for state in states)


def _leaderboard(
    frame: Any, results: Mapping[str, Any], *, names: str | None, with_moves: bool = False
) -> Leaderboard:
    """Return the standings. names: how names are shown by default; None: all in full, for the organiser."""
    listed = map(_ListedPlayer._make, json.loads(frame.people or "[]"))
    people = {person.start_number: person for person in listed}
    rules: Ruleset = frame.rules
    scores = tuple(map(Score._make, results["scores"]))
    ranked = standings(
        people,
        scores,
        rounds=len(frame.round_states),
        ruleset=rules,
        decisions=results["decisions"],
    )
    is_knockout = rules.qualifying is not None
    final_round = len(frame.round_states) if is_knockout and frame.last_tables == 1 else None
    before = _ranks_before(people, scores, rules) if with_moves and not is_knockout else {}
    has_results = any(points is not None for standing in ranked for points in standing.by_round)
    row = _RowMaker(rules, names, final_round, before, _Notes(ranked if has_results else (), rules))
    return Leaderboard(
        tournament=frame,
        rounds=len(frame.round_states),
        final=bool(results["final"]) and _is_final(frame),
        is_frozen=frame.is_frozen,
        rows=tuple(row.of(standing, people[standing.start_number]) for standing in ranked),
        ended_after=frame.round_states.count(Round.State.CLOSED) if frame.ended_at else 0,
        is_knockout=is_knockout,
        tally_names=row.tally_names,
        scores=scores,
    )


def _ranks_before(people: Collection[int], scores: Sequence[Score], rules: Ruleset) -> dict[int, int]:
    """Return the ranks before the latest round that counts; {} after the first."""
    latest = max((score.round_number for score in scores if score.is_decided), default=1)
    if latest == 1:
        return {}
    earlier = [score for score in scores if score.round_number < latest]
    ranked = standings(people, earlier, rounds=latest - 1, ruleset=rules, decisions=())
    return {standing.start_number: standing.rank for standing in ranked}


class _ListedPlayer(NamedTuple):
    """A participant of the standings. names: how they want to be named, "" for the setting of the tournament."""

    start_number: int
    name: str
    names: str
    club: str
    has_withdrawn: bool


class _Notes:
    """The reasons for ranks among rows with equal points.

    The rank at the table needs no explanation.
    """

    def __init__(self, ranked: Sequence[Standing], rules: Ruleset) -> None:
        keys = [standing.ranking_key for standing in ranked]
        self.equal = Counter(key[:length] for key in keys for length in range(1, len(key) + 1))
        self.chain = rules.tie_break
        self.is_knockout = rules.qualifying is not None

    def of(self, standing: Standing) -> tuple[TieNote, tuple[str, ...]]:
        """Return note and tie-breaks of a row (see `StandingsRow`)."""
        key, equal = standing.ranking_key, self.equal
        said = 2 if self.is_knockout else 1
        by_strokes = tuple(self.chain) == ("strokes",)
        if equal[key[:said]] == 1:
            return "", ()
        if standing.tied:
            return ("shared" if by_strokes else "shared_in_all"), ()
        if equal[key] > 1:
            return ("decided" if by_strokes else "decided_in_all"), ()
        steps = range(said, len(key))
        broken_by = tuple(
            self.chain[step - 1] for step in steps if equal[key[:step]] > equal[key[: step + 1]]
        )
        return "strokes_there" if self.is_knockout else "strokes" if by_strokes else "chain", broken_by


class _RowMaker:
    """Maker of the rows of a leaderboard. final_round: number of the final once drawn. before: earlier ranks."""

    def __init__(
        self,
        rules: Ruleset,
        names: str | None,
        final_round: int | None,
        before: Mapping[int, int],
        notes: _Notes,
    ) -> None:
        self.rules, self.names, self.final_round, self.before = rules, names, final_round, before
        self.notes = notes
        self.tally_names = tally_names(rules)

    def of(self, standing: Standing, person: _ListedPlayer) -> StandingsRow:
        names = Tournament.Names.FULL if self.names is None else person.names or self.names
        note, broken_by = self.notes.of(standing)
        return StandingsRow(
            start_number=standing.start_number,
            rank=standing.rank,
            tied=standing.tied,
            points=standing.points,
            strokes=standing.strokes,
            tie_break=standing.tie_break,
            by_round=standing.by_round,
            name=public_name(person.name, person.start_number, names),
            named=names,
            club="" if names == Tournament.Names.NUMBER else person.club,
            withdrawn=person.has_withdrawn,
            reached=self._reached(standing),
            tallies=tuple((name, self._tally(standing, name)) for name in self.tally_names),
            moved=self.before.get(standing.start_number, standing.rank) - standing.rank,
            note=note,
            broken_by=broken_by,
            is_signed=self.rules.sheet.kind == "plus_minus",
        )

    def _reached(self, standing: Standing) -> Reached | None:
        if self.rules.qualifying is None or not standing.points:
            return None
        rank = standing.by_round[standing.points - 1]
        if rank is None:
            return None
        is_final = standing.points == self.final_round
        is_out = not is_final and rank > self.rules.qualifying.go_on
        return Reached(standing.points, rank, is_final, is_out)

    def _tally(self, standing: Standing, name: str) -> str:
        """Return the figure, or "won/played"; in a knockout, the strokes at the last table."""
        if name == "strokes" and not self.rules.qualifying:
            return str(standing.strokes)
        chain = zip(self.rules.tie_break, standing.tie_break, strict=False)
        return "/".join(str(value) for key, value in chain if column_of(key) == name) or "0"


def tally_names(rules: Ruleset) -> tuple[str, ...]:
    """Return the columns beside the points: "strokes", or "tout" for tie-breaks like tout_won, tout_played."""
    if rules.sheet.lives is not None:
        return ("strokes",)
    return tuple(dict.fromkeys(map(column_of, rules.tie_break)))
