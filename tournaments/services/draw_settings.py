"""Draw settings for the rounds to come: the mode (random or few repeats), the ceremony, and the wishes, each with its reason."""

from dataclasses import replace

from django.db import transaction

from tournaments.core.names import clean_text
from tournaments.core.refusal import Refusal
from tournaments.core.wishes import FixedTable, KeepApart, Wish, fixed_tables, wish_from_dict
from tournaments.models import Tournament
from tournaments.services.tournaments import lock_tournament

MOST_WISHES = 200
LAST_TABLE = 500


def choose_mode(tournament: Tournament, mode: str) -> Tournament:
    """Set the draw mode of all further draws. Refuses unknown_draw (version, mode)."""
    if mode not in Tournament.DrawMode.values:
        raise Refusal("unknown_draw", version="", mode=mode)
    with transaction.atomic():
        locked = lock_tournament(tournament)
        locked.draw_mode = mode
        locked.save(update_fields=["draw_mode"])
    return locked


def choose_ceremony(tournament: Tournament, ceremony: str) -> Tournament:
    """Set the ceremony of all further draws: none, or in front of the hall. Refuses unknown_ceremony."""
    if ceremony not in Tournament.Ceremony.values:
        raise Refusal("unknown_ceremony")
    with transaction.atomic():
        locked = lock_tournament(tournament)
        locked.ceremony = ceremony
        locked.save(update_fields=["ceremony"])
    return locked


def add_wish(tournament: Tournament, wish: Wish) -> Tournament:
    """Add a wish for all further draws. If the same wish exists, it is replaced.

    Refuses unknown_participant (start_number), same_player, unknown_table (table), wish_two_tables (start_number),
    too_many_wishes (most), and a missing reason.
    """
    wish = replace(wish, reason=clean_text(wish.reason, most=500, required=True))
    with transaction.atomic():
        locked = lock_tournament(tournament)
        start_numbers = set(locked.participants.values_list("start_number", flat=True))
        _check(wish, start_numbers)
        wishes = [other for other in map(wish_from_dict, locked.wishes) if not is_same(other, wish)]
        if len(wishes) >= MOST_WISHES:
            raise Refusal("too_many_wishes", most=MOST_WISHES)
        fixed_tables([*wishes, wish])
        locked.wishes = [each.to_dict() for each in (*wishes, wish)]
        locked.save(update_fields=["wishes"])
    return locked


def remove_wish(tournament: Tournament, wish: Wish) -> Tournament:
    """Remove a wish for all further draws. Earlier draws keep it on record. Removing an unknown wish has no effect."""
    with transaction.atomic():
        locked = lock_tournament(tournament)
        locked.wishes = [each for each in locked.wishes if not is_same(wish_from_dict(each), wish)]
        locked.save(update_fields=["wishes"])
    return locked


def is_same(wish: Wish, other: Wish) -> bool:
    """Whether two wishes are equal apart from reason and privacy."""
    if isinstance(wish, KeepApart) and isinstance(other, KeepApart):
        return {wish.a, wish.b} == {other.a, other.b}
    return replace(wish, reason="", private=False) == replace(other, reason="", private=False)


def _check(wish: Wish, start_numbers: set[int]) -> None:
    for player in wish.players:
        if player not in start_numbers:
            raise Refusal("unknown_participant", start_number=player)
    if isinstance(wish, KeepApart) and wish.a == wish.b:
        raise Refusal("same_player")
    if isinstance(wish, FixedTable) and not 1 <= wish.table <= LAST_TABLE:
        raise Refusal("unknown_table", table=wish.table)
