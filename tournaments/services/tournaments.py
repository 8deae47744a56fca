"""Creating, editing and locking a tournament."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, overload

from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from tournaments.core.fees import FULL, MOST_KINDS, FeeKind
from tournaments.core.refusal import Refusal
from tournaments.models import Membership, SignUpTerms, Tournament
from tournaments.notify import notify
from tournaments.rulesets.schema import Ruleset
from tournaments.services.quotas import check_tournaments


def create_tournament(
    *,
    slug: str,
    name: str,
    played_on: date,
    place: str,
    names: str,
    ruleset: Ruleset,
    owner: User | None,
    at: datetime,
    starts_at: datetime | None = None,
    admits_at: datetime | None = None,
    is_practice: bool = False,
    is_hidden: bool = False,
    hides_amounts: bool = False,
    fees: Sequence[Mapping[str, Any]] = (),
    ceremony: str = Tournament.Ceremony.QUIET,
    draw_mode: str = Tournament.DrawMode.FEW_REPEATS,
) -> Tournament:
    """Create a tournament with its own copy of the ruleset. `owner` becomes its first organiser.

    is_hidden: whether the start page leaves it out; its pages are public all the same. hides_amounts: whether the club has a till of
    its own. fees: as in `tournaments.core.fees`. ceremony, draw_mode: how it is drawn.
    Refuses slug_taken (slug), and what `check_tournaments` refuses.
    """
    with transaction.atomic():
        check_tournaments()
        try:
            with transaction.atomic():
                tournament = Tournament.objects.create(
                    slug=slug,
                    name=name,
                    played_on=played_on,
                    starts_at=starts_at,
                    admits_at=admits_at,
                    place=place,
                    names=names,
                    ruleset=ruleset.to_dict(),
                    is_practice=is_practice,
                    is_hidden=is_hidden,
                    hides_amounts=hides_amounts,
                    created_at=at,
                    fees=list(fees),
                    ceremony=ceremony,
                    draw_mode=draw_mode,
                )
        except IntegrityError:
            raise Refusal("slug_taken", slug=slug) from None
        if owner is not None:
            Membership.objects.create(tournament=tournament, user=owner, role=Membership.Role.ORGANISER)
        notify(slug, "tournament")
    return tournament


def edit_tournament(
    tournament: Tournament,
    *,
    name: str,
    played_on: date,
    place: str,
    names: str,
    ruleset: Ruleset,
    public_until_on: date | None,
    starts_at: datetime | None = None,
    admits_at: datetime | None = None,
    draw_mode: str | None = None,
    is_hidden: bool | None = None,
    hides_amounts: bool | None = None,
) -> Tournament:
    """Edit a tournament. Refuses rules_in_use if the ruleset is changed after a round is drawn.

    public_until_on: the last day of the public pages; None: the default of `last_public_day`. starts_at, admits_at: the start
    and the admission that guests are told; None: none. draw_mode: the mode of the rounds to come; None: unchanged.
    is_hidden: whether the start page leaves it out; hides_amounts: whether the club has a till of its own; None: unchanged.
    """
    with transaction.atomic():
        locked = lock_tournament(tournament)
        if ruleset != locked.rules and locked.rounds.exists():
            raise Refusal("rules_in_use")
        _move_end_of_sign_ups(locked, played_on - locked.played_on)
        locked.name, locked.played_on, locked.place, locked.names = name, played_on, place, names
        locked.ruleset, locked.public_until_on = ruleset.to_dict(), public_until_on
        locked.starts_at, locked.admits_at = starts_at, admits_at
        locked.draw_mode = draw_mode or locked.draw_mode
        locked.is_hidden = locked.is_hidden if is_hidden is None else is_hidden
        locked.hides_amounts = locked.hides_amounts if hides_amounts is None else hides_amounts
        locked.save()
        notify(locked.slug, "tournament")
    return locked


def _move_end_of_sign_ups(locked: Tournament, by: timedelta) -> None:
    """Move the end of the sign-ups with the day of the tournament, at the same time of day."""
    terms = SignUpTerms.objects.select_for_update().filter(tournament=locked).first() if by else None
    if terms is not None:
        terms.closes_at = moved(terms.closes_at, by)
        terms.save(update_fields=["closes_at"])


@overload
def moved(moment: datetime, by: timedelta) -> datetime: ...
@overload
def moved(moment: datetime | None, by: timedelta) -> datetime | None: ...
def moved(moment: datetime | None, by: timedelta) -> datetime | None:
    """Return the moment some days later, at the same time of day in the club's time zone."""
    return moment and timezone.make_aware(timezone.make_naive(moment) + by)


def edit_fees(tournament: Tournament, kinds: Sequence[FeeKind]) -> Tournament:
    """Replace the kinds of fees; none: the ruleset's fee. A kind without a key is new.

    What was paid stays, so players may owe more or less than before. Refuses fee_in_use (fee) if players have a kind that
    is removed, too_many_fees (most), and fee_twice (fee).
    """
    if len(kinds) > MOST_KINDS:
        raise Refusal("too_many_fees", most=MOST_KINDS)
    names = [kind.name.casefold() for kind in kinds]
    twice = next((kind.name for kind in kinds if names.count(kind.name.casefold()) > 1), None)
    if twice is not None:
        raise Refusal("fee_twice", fee=twice)
    with transaction.atomic():
        locked = lock_tournament(tournament)
        kept = {kind.key for kind in kinds}
        used = set(locked.participants.values_list("fee", flat=True))
        gone = next((kind for kind in locked.fee_kinds if kind.key in used - kept), None)
        if gone is not None:
            raise Refusal("fee_in_use", fee=gone.name)
        locked.fees = _with_keys(kinds)
        locked.save(update_fields=["fees"])
        notify(locked.slug, "people")
    return locked


def _with_keys(kinds: Sequence[FeeKind]) -> list[dict[str, Any]]:
    """Return the kinds as stored, new ones with a unique key."""
    taken = {kind.key for kind in kinds}
    free = (
        key for key in (FULL, *(f"fee-{number}" for number in range(2, 2 + MOST_KINDS))) if key not in taken
    )
    return [{"key": kind.key or next(free), "name": kind.name, "cents": kind.cents} for kind in kinds]


def lock_tournament(tournament: Tournament) -> Tournament:
    """Lock the tournament and return its current state. Registration and draws wait until the transaction ends.

    FOR NO KEY UPDATE: sheets in play, whose entries refer to the tournament, do not wait for the door.
    """
    return Tournament.objects.select_for_update(no_key=True).get(pk=tournament.pk)


def allow_purge() -> None:
    """Let this transaction delete from the logs, which triggers refuse otherwise: to purge, and to take out a list."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL schnauz.purge = 'on'")


def lock_tournament_of(table_id: int) -> None:
    """Lock the tournament of a table, as `lock_tournament` does. Without such a table nothing is locked."""
    tournaments = Tournament.objects.select_for_update(no_key=True, of=("self",))
    list(tournaments.filter(rounds__tables=table_id).only("pk"))
