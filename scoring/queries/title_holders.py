"""Title holders (Titelverteidiger): the winners of the latest evening before this one with points of the same kind.

It is an evening whose final standings everybody may see. Only people who may be named in honours are marked, and who is
shown as a number is not.
"""

from typing import Any

from django.db import connection

from tournaments.models import Consent, Tournament

# The rows of a person are found upwards to the one that all are merged into, and down again from there.
_TITLE_HOLDERS = """
WITH RECURSIVE evening AS (
  SELECT evening.id, coalesce(played.played_on, evening.played_on) AS day
  FROM scoring_evening evening LEFT JOIN tournaments_tournament played ON played.id = evening.tournament_id
  WHERE coalesce(played.played_on, evening.played_on) < %(day)s
    AND EXISTS (SELECT FROM scoring_eveningresult result WHERE result.evening_id = evening.id)
    AND (played.id IS NULL AND evening.kind IN ('', %(kind)s) OR NOT played.is_hidden AND %(kind)s = CASE
      jsonb_typeof(played.ruleset->'qualifying') WHEN 'object' THEN 'knockout' ELSE played.ruleset->'sheet'->>'kind' END)
    AND NOT coalesce((
      SELECT is_frozen FROM scoring_publication WHERE tournament_id = played.id ORDER BY id DESC LIMIT 1
    ), false)
  ORDER BY day DESC, evening.id DESC LIMIT 1
), up AS (
  SELECT coalesce(result.person_id, appearance.person_id) AS key
  FROM evening JOIN scoring_eveningresult result ON result.evening_id = evening.id AND result.rank = 1
  LEFT JOIN tournaments_appearance appearance ON appearance.participant_id = result.participant_id
  UNION
  SELECT person.merged_into_id FROM up JOIN tournaments_person person USING (key)
), whole AS (
  SELECT key AS root, key FROM tournaments_person JOIN up USING (key) WHERE merged_into_id IS NULL AND erased_at IS NULL
  UNION
  SELECT whole.root, part.key FROM whole JOIN tournaments_person part ON part.merged_into_id = whole.key
)
SELECT participant.start_number
FROM whole JOIN tournaments_appearance appearance ON appearance.person_id = whole.key
JOIN tournaments_participant participant ON participant.id = appearance.participant_id
WHERE participant.tournament_id = %(tournament)s AND participant.names <> 'number' AND (
  SELECT consent.is_given FROM tournaments_consent consent JOIN whole part ON part.key = consent.person_id
  WHERE part.root = whole.root AND consent.what = %(what)s ORDER BY consent.id DESC LIMIT 1
)
"""


def title_holders(tournament: Tournament) -> frozenset[int]:
    """Return the start numbers of those who won the evening before, one or several who share the first rank. One query."""
    rules = tournament.rules
    values: dict[str, Any] = {
        "tournament": tournament.pk,
        "day": tournament.played_on,
        "kind": "knockout" if rules.qualifying else rules.sheet.kind,
        "what": Consent.What.HONOURS,
    }
    with connection.cursor() as cursor:
        cursor.execute(_TITLE_HOLDERS, values)
        return frozenset(number for (number,) in cursor.fetchall())
