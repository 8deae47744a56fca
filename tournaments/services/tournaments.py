"""Creating, editing and locking a tournament."""

from datetime import date, datetime

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from tournaments.core.refusal import Refusal
from tournaments.models import Membership, Tournament
from tournaments.notify import notify
from tournaments.rulesets.schema import Ruleset


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
    is_practice: bool = False,
    is_hidden: bool = False,
) -> Tournament:
    """Create a tournament with its own copy of the ruleset. `owner` becomes its first organiser.

    is_hidden: whether the start page leaves it out; its pages are public all the same.
    Refuses slug_taken (slug).
    """
    with transaction.atomic():
        try:
            with transaction.atomic():
                tournament = Tournament.objects.create(
                    slug=slug,
                    name=name,
                    played_on=played_on,
                    place=place,
                    names=names,
                    ruleset=ruleset.to_dict(),
                    is_practice=is_practice,
                    is_hidden=is_hidden,
                    created_at=at,
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
    draw_mode: str | None = None,
    is_hidden: bool | None = None,
) -> Tournament:
    """Edit a tournament. Refuses rules_in_use if the ruleset is changed after a round is drawn.

    public_until_on: the last day of the public pages; None: the default of `last_public_day`. draw_mode: the mode of
    the rounds to come; None: unchanged. is_hidden: whether the start page leaves it out; None: unchanged.
    """
    with transaction.atomic():
        locked = lock_tournament(tournament)
        if ruleset != locked.rules and locked.rounds.exists():
            raise Refusal("rules_in_use")
        locked.name, locked.played_on, locked.place, locked.names = name, played_on, place, names
        locked.ruleset, locked.public_until_on = ruleset.to_dict(), public_until_on
        locked.draw_mode = draw_mode or locked.draw_mode
        locked.is_hidden = locked.is_hidden if is_hidden is None else is_hidden
        locked.save()
        notify(locked.slug, "tournament")
    return locked


def lock_tournament(tournament: Tournament) -> Tournament:
    """Lock the tournament and return its current state. Registration and draws wait until the transaction ends.

    FOR NO KEY UPDATE: sheets in play, whose entries refer to the tournament, do not wait for the door.
    """
    return Tournament.objects.select_for_update(no_key=True).get(pk=tournament.pk)
