"""The latest released round of a tournament, and the seals of it and of what is still to come, in one statement."""

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db import connection

from scoring.queries.round_clock import begin_of
from tournaments.core.ceremony import spoken
from tournaments.models import Round, Tournament
from tournaments.queries.seating import RoundRow, round_with_seating


@dataclass(frozen=True, slots=True)
class Seal:
    """A commitment, as everybody may see it. round_number: None for a lot. words: None until the hall has said some, "" for none."""

    number: int
    round_number: int | None
    digest: str
    made_at: datetime
    words: str | None
    is_drawn: bool
    is_revealed: bool

    @property
    def groups(self) -> tuple[str, ...]:
        """The commitment as people compare it."""
        return spoken(self.digest)


class Released(NamedTuple):
    """The latest released round.

    tables: number, whether it has begun, last step of its sheet, strokes, players who drowned, of a sheet in play with
    deals whose lives may be shown its id with sequence and id of its last entry, and the deals written. newest: the newest stroke that a
    phone has written, as table, seat and what ended the deal. Strokes, drowned, deals and newest are None while the standings
    are frozen. clock: start, minutes and time of setting of the clock that runs, None without one.
    """

    id: int
    number: int
    state: str
    released_at: datetime
    started_at: datetime | None
    digest: str | None
    newest: tuple[int, int, str] | None
    clock: tuple[str, int, str] | None
    tables: list[
        tuple[int, bool, str | None, int | None, int | None, tuple[int, int, str] | None, int | None]
    ]
    seated: list[tuple[int, int | None, int, int, str, str, int]]
    changes: list[dict[str, object]]

    @property
    def release(self) -> tuple[int, datetime]:
        return self.id, self.released_at

    @property
    def begins_at(self) -> datetime | None:
        """The time at which the clock of the round begins, None without one."""
        if self.clock is None:
            return None
        started_at, _minutes, set_at = self.clock
        moments = datetime.fromisoformat(started_at), datetime.fromisoformat(set_at)
        return begin_of(moments[0], set_at=moments[1], sign_at=self.started_at)

    @property
    def ends_at(self) -> datetime | None:
        begins_at = self.begins_at
        return begins_at + timedelta(minutes=self.clock[1]) if begins_at and self.clock else None


def released_round(tournament: Tournament, number: int) -> RoundRow | None:
    """Return a released round with its draw, or None.

    Reading takes several statements. If the round is drawn again meanwhile, the result is None.
    """
    row = round_with_seating(tournament, number)
    if row is None or row.is_draft:
        return None
    released = tournament.rounds.filter(number=number, released_at=row.released_at)
    return row if released.exclude(state=Round.State.DRAWN).exists() else None


# Read by hand, since the ORM takes longer to write this statement than PostgreSQL to execute it. Each table is looked up
# by index, so that the statement takes no longer with the tables of other rounds. OFFSET 0 keeps PostgreSQL from joining all
# strokes with all entries after them: only the last strokes of a sheet are asked for.
_LATEST_RELEASED = """
WITH latest AS (
  SELECT id, number, state, released_at, started_at FROM tournaments_round
  WHERE tournament_id = %(tournament)s AND state <> 'drawn' ORDER BY number DESC LIMIT 1
), publication AS (
  SELECT is_frozen, at FROM scoring_publication WHERE tournament_id = %(tournament)s ORDER BY id DESC LIMIT 1
), tables AS (
  SELECT t.id, t.number, t.scribe_id, sheet.id AS sheet_id
  FROM latest JOIN tournaments_table t ON t.round_id = latest.id LEFT JOIN scoring_sheet sheet ON sheet.table_id = t.id
)
SELECT latest.id, latest.number, latest.state, latest.released_at, latest.started_at,
  (
    SELECT mark.digest FROM scoring_roundmark mark
    WHERE mark.tournament_id = %(tournament)s AND mark.round_number = latest.number AND (
      mark.tables = '[]' OR NOT EXISTS (SELECT FROM publication WHERE is_frozen AND at < mark.made_at)
    ) ORDER BY mark.number DESC LIMIT 1
  ),
  CASE WHEN %(counts_strokes)s AND NOT COALESCE((SELECT is_frozen FROM publication), false) THEN (
    SELECT json_build_array(tables.number, newest.seat_number, newest.ended_by)::text
    FROM tables CROSS JOIN LATERAL (
      SELECT COALESCE(e.data->>'finisher', e.data->>'seat_number')::int AS seat_number,
        COALESCE(e.data->>'ended_by', e.data->>'mark') AS ended_by, e.recorded_at
      FROM scoring_sheetentry e
      WHERE e.sheet_id = tables.sheet_id AND e.by = 'scribe'
        AND (e.kind = 'stroke' OR (e.kind = 'deal' AND e.data->>'finisher' IS NOT NULL))
        AND NOT EXISTS (
          SELECT FROM scoring_sheetentry later
          WHERE later.sheet_id = e.sheet_id AND later.sequence > e.sequence AND later.kind IN ('voided', 'corrected')
            AND later.data->>'entry' = e.entry_id::text
          OFFSET 0
        )
      ORDER BY e.sequence DESC LIMIT 1
    ) newest ORDER BY newest.recorded_at DESC, tables.number LIMIT 1
  ) END,
  (
    SELECT json_build_array(clock.started_at, clock.minutes, clock.at)::text
    FROM scoring_roundclock clock
    WHERE clock.tournament_id = %(tournament)s AND clock.round_number = latest.number AND clock.stopped_at IS NULL
      AND latest.state = 'released' AND clock.started_at >= latest.released_at
  ),
  (
    SELECT json_agg(json_build_array(
      tables.number,
      EXISTS (SELECT FROM scoring_sheetentry e WHERE e.sheet_id = tables.sheet_id),
      (
        SELECT e.kind FROM scoring_sheetentry e
        WHERE e.sheet_id = tables.sheet_id AND e.kind IN ('submitted', 'accepted', 'reopened')
        ORDER BY e.sequence DESC LIMIT 1
      ),
      CASE WHEN %(counts_strokes)s AND NOT COALESCE((SELECT is_frozen FROM publication), false) THEN
        (SELECT COALESCE(SUM(r.strokes), 0) FROM scoring_seatresult r WHERE r.sheet_id = tables.sheet_id)
      END,
      CASE WHEN %(has_lives)s AND NOT COALESCE((SELECT is_frozen FROM publication), false) THEN
        (SELECT COUNT(*) FROM scoring_seatresult r WHERE r.sheet_id = tables.sheet_id AND r.rank > 1)
      END,
      CASE WHEN %(has_lives)s AND latest.state <> 'closed' AND NOT COALESCE((SELECT is_frozen FROM publication), false)
      AND EXISTS (SELECT FROM scoring_sheetentry e WHERE e.sheet_id = tables.sheet_id AND e.kind = 'deal') THEN (
        SELECT json_build_array(e.sheet_id, e.sequence, e.entry_id) FROM scoring_sheetentry e
        WHERE e.sheet_id = tables.sheet_id ORDER BY e.sequence DESC LIMIT 1
      ) END,
      CASE WHEN %(deals)s IS NOT NULL AND NOT COALESCE((SELECT is_frozen FROM publication), false) THEN (
        SELECT COALESCE(SUM(CASE e.kind WHEN 'totalled' THEN %(deals)s ELSE 1 END), 0) FROM scoring_sheetentry e
        WHERE e.sheet_id = tables.sheet_id AND e.kind IN ('deal', 'totalled') AND e.entry_id::text <> ALL (ARRAY(
          SELECT later.data->>'entry' FROM scoring_sheetentry later
          WHERE later.sheet_id = tables.sheet_id AND later.kind = 'voided'
        ))
      ) END
    ) ORDER BY tables.number)::text FROM tables
  ),
  CASE WHEN %(with_seats)s THEN (
    SELECT json_agg(json_build_array(
      tables.number, tables.scribe_id, seat.seat_number, p.start_number, p.name, p.names, p.id
    ) ORDER BY tables.number, seat.seat_number)::text
    FROM tables JOIN tournaments_seat seat ON seat.table_id = tables.id
    JOIN tournaments_participant p ON p.id = seat.participant_id
  ) END,
  CASE WHEN %(with_seats)s THEN (
    SELECT json_agg(change.data ORDER BY change.sequence)::text
    FROM tournaments_seatchange change JOIN tournaments_drawattempt attempt ON attempt.id = change.attempt_id
    WHERE attempt.round_id = latest.id AND attempt.abandoned_at IS NULL
  ) END,
  (
    SELECT json_agg(json_build_array(
      number, round_number, digest, to_char(made_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), words, secret <> '',
      revealed_at IS NOT NULL
    ) ORDER BY round_number NULLS FIRST, number)::text
    FROM tournaments_commitment WHERE tournament_id = %(tournament)s AND replaced_at IS NULL
      AND (revealed_at IS NULL OR round_number = latest.number)
  ),
  (
    SELECT json_agg(DISTINCT text)::text FROM scoring_screen
    WHERE tournament_id = %(tournament)s AND scene = 'announcement'
  ),
  (SELECT is_open FROM tournaments_signupterms WHERE tournament_id = %(tournament)s),
  CASE WHEN latest.state = 'released' THEN (
    SELECT json_agg(json_build_array(tables.number, seat.seat_number) ORDER BY missing.id)::text
    FROM tables JOIN scoring_missingplayer missing ON missing.table_id = tables.id AND missing.found_at IS NULL
    JOIN tournaments_seat seat ON seat.table_id = tables.id AND seat.participant_id = missing.participant_id
  ) END
FROM (SELECT) AS always LEFT JOIN latest ON true
"""


class Latest(NamedTuple):
    """The latest released round, the seals of it and of what is still to come, and the announcements on the wall.

    sign_ups: whether players can register themselves; None if the organiser has never let them. missing: tables and seats of
    the players who are missing, in the order in which that was said.
    """

    released: Released | None
    seals: list[Seal]
    announcements: tuple[str, ...]
    sign_ups: bool | None
    missing: tuple[tuple[int, int], ...]


def latest_released(tournament: Tournament, *, with_seats: bool) -> Latest:
    """Return the latest released round with its tables, and what else everybody may know at this moment.

    with_seats: with seats and changes of the seating as well.

    One statement, so that release, freeze and seating are read at the same moment.
    """
    sheet = tournament.rules.sheet
    values = {
        "tournament": tournament.pk,
        "counts_strokes": sheet.counts_strokes,
        "has_lives": sheet.lives is not None,
        "deals": sheet.fixed_deals,
        "with_seats": with_seats,
    }
    with connection.cursor() as cursor:
        cursor.execute(_LATEST_RELEASED, values)
        row = cursor.fetchone()
    *columns, newest, clock, tables, seated, changes, seals, texts, sign_ups, missing = row
    columns += [json.loads(part) if part else None for part in (newest, clock)]
    lists = [json.loads(rows) if rows else [] for rows in (tables, seated, changes)]
    released = Released(*columns, *lists) if columns[0] is not None else None
    sealed = [_seal(*seal) for seal in json.loads(seals or "[]")]
    wanted = tuple((table, seat) for table, seat in json.loads(missing or "[]"))
    return Latest(released, sealed, tuple(json.loads(texts or "[]")), sign_ups, wanted)


def _seal(number: int, round_number: int | None, digest: str, made_at: str, *rest: Any) -> Seal:
    return Seal(number, round_number, digest, datetime.fromisoformat(made_at), *rest)
