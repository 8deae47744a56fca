"""The next evening, set up like one that was: without its people, money, rounds and codes."""

from collections.abc import Collection
from datetime import date, datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from scoring.core.prize_plan import PrizePlan
from scoring.services.prizes import set_prize_plan
from tournaments.models import ClubPicture, Membership, SignUpTerms, Tournament
from tournaments.queries.desks import named_desks
from tournaments.rulesets.loader import MAIN_PRESET, PRESETS, preset
from tournaments.services.desks import set_up_desk
from tournaments.services.sign_ups import set_terms
from tournaments.services.tournaments import create_tournament, lock_tournament, moved

_COLUMNS = {
    "rules": ("ceremony", "draw_mode"),
    "fees": ("fees", "hides_amounts"),
    "names": ("names", "is_hidden"),
    "place": ("place",),
    "times": ("starts_at", "admits_at"),
}
_NOTHING_TAKEN: Any = {"place": "", "names": Tournament.Names.SHORT.value}


def copy_evening(
    like: Tournament,
    take: Collection[str],
    *,
    slug: str,
    name: str,
    played_on: date,
    owner: User,
    at: datetime,
) -> Tournament:
    """Create a tournament like another one; `owner` becomes an organiser.

    take: what it takes over: rules, fees, prizes, names, place, times, sign_ups, desks, screens, people (the staff). Moments move
    with the day. Without rules it has those of the preset. Refuses slug_taken (slug), and prize_fee_unknown if the prize plan
    needs the kinds of fees and they are not taken.
    """
    with transaction.atomic():
        like = lock_tournament(like)
        by = played_on - like.played_on
        columns: Any = {
            column: getattr(like, column) for group in _COLUMNS if group in take for column in _COLUMNS[group]
        }
        for column in _COLUMNS["times"]:
            columns[column] = moved(columns.get(column), by)
        base = like.rules.name if like.rules.name in PRESETS else MAIN_PRESET
        rules = like.rules if "rules" in take else preset(base)
        evening = create_tournament(
            slug=slug,
            name=name,
            played_on=played_on,
            ruleset=rules,
            owner=owner,
            at=at,
            **_NOTHING_TAKEN | columns,
        )
        if "prizes" in take and like.prize_plan:
            set_prize_plan(evening, PrizePlan.from_dict(like.prize_plan))
        terms = SignUpTerms.objects.filter(tournament=like).first() if "sign_ups" in take else None
        if terms is not None:
            _copy_terms(terms, evening, by, at)
        if "desks" in take:
            for desk in named_desks(like):
                set_up_desk(evening, desk)
        if "screens" in take:
            _copy_screens(like, evening, at)
        if "people" in take:
            _copy_staff(like, evening, owner)
    return evening


def _copy_terms(terms: SignUpTerms, evening: Tournament, by: timedelta, at: datetime) -> None:
    kept = {name: getattr(terms, name) for name in ("is_open", "most", "only_in_hall", "without_desk")}
    set_terms(evening, closes_at=moved(terms.closes_at, by), **kept, at=at)


def _copy_screens(like: Tournament, evening: Tournament, at: datetime) -> None:
    """Take over texts, Wi-Fi and picture. Each screen follows the evening by itself until something is sent to it."""
    for screen in like.screens.all():
        kept = {
            name: getattr(screen, name)
            for name in ("number", "text", "network", "password", "lowest_rank", "by")
        }
        evening.screens.create(**kept, at=at)
    picture = ClubPicture.objects.filter(tournament=like).first()
    if picture is not None:
        ClubPicture.objects.create(
            tournament=evening, jpeg=picture.jpeg, on_wall=picture.on_wall, caption=picture.caption
        )


def _copy_staff(like: Tournament, evening: Tournament, owner: User) -> None:
    others = like.memberships.filter(user__is_active=True).exclude(user=owner)
    Membership.objects.bulk_create(
        Membership(tournament=evening, user_id=member.user_id, role=member.role) for member in others
    )
