"""Actions of players on their own page: go home, sit out a round, say what the club may keep.

The first two count at the next draw, and an organiser can undo them.

Players are identified by the code of their sign-up. Such a change has no account: its record has an empty `by`.
"""

from datetime import datetime

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from tournaments.core.refusal import Refusal
from tournaments.core.sign_up_codes import plain_code
from tournaments.links import code_hash
from tournaments.models import Appearance, Consent, Participant, SignUp, Tournament
from tournaments.notify import notify
from tournaments.queries.people import allowed_by, person_of
from tournaments.services.door import lock_participant, take_back_withdrawal, withdraw
from tournaments.services.people import make_person, record_consent
from tournaments.services.tournaments import lock_tournament


def go_home(tournament: Tournament, code: str, *, at: datetime) -> Participant:
    """Withdraw the player of this code. Refuses as `_own_player` does, and is_withdrawn (name)."""
    with transaction.atomic():
        return withdraw(tournament, _own_player(tournament, code).start_number, by="", at=at)


def come_back(tournament: Tournament, code: str, *, at: datetime) -> Participant:
    """Undo `go_home`. Refuses not_withdrawn (name), and withdrawn_by_desk if a desk withdrew the player."""
    with transaction.atomic():
        person = _own_player(tournament, code)
        latest = person.changes.filter(kind="withdrawn").order_by("-id").first()
        if person.withdrawn_at is not None and (latest is None or latest.by):
            raise Refusal("withdrawn_by_desk")
        return take_back_withdrawal(tournament, person.start_number, by="", at=at)


def pause(tournament: Tournament, code: str) -> Participant:
    """Sit out the next round that is drawn; the player is in the draw after it again.

    Refuses as `_own_player` does, is_withdrawn (name), and pause_impossible in a knockout and where all rounds are drawn
    ahead.
    """
    with transaction.atomic():
        person = _own_player(tournament, code)
        rules = person.tournament.rules
        if person.withdrawn_at is not None:
            raise Refusal("is_withdrawn", name=person.name)
        if rules.qualifying or rules.drawn_ahead:
            raise Refusal("pause_impossible")
        return _set_pause(person, next_round(person.tournament))


def end_pause(tournament: Tournament, code: str) -> Participant:
    """Undo `pause`. Refuses as `_own_player` does."""
    with transaction.atomic():
        return _set_pause(_own_player(tournament, code), None)


def say_about_name(tournament: Tournament, code: str, *, what: str, is_given: bool, at: datetime) -> None:
    """Record what the player of this code allows the club, or withdraws. Who gives the first consent becomes a person of the club.

    The desk has to know the player by sight: refuses as `_own_player` does, and sign_up_not_confirmed. Repeating it has no effect.
    """
    with transaction.atomic():
        player = _own_player(tournament, code)
        if not SignUp.objects.filter(participant=player, confirmed_at__isnull=False).exists():
            raise Refusal("sign_up_not_confirmed")
        key = person_of(player)
        if is_given == (key is not None and what in allowed_by(key)):
            return
        if key is None:
            number, how = player.start_number, Appearance.Way.SIGN_UP
            key = make_person(tournament, number, how=how, by="", at=at).key
        day = timezone.localdate(at)
        record_consent(key, what=what, is_given=is_given, on=day, how=Consent.Medium.OWN_PHONE)
        notify(tournament.slug, "people")


def end_pause_of(tournament: Tournament, start_number: int) -> Participant:
    """Undo the pause of a player, by the desk or an organiser. Refuses unknown_participant (start_number)."""
    with transaction.atomic():
        return _set_pause(lock_participant(tournament, start_number), None)


def next_round(tournament: Tournament) -> int:
    """Return the number of the next round to be drawn."""
    last: int = tournament.rounds.aggregate(last=Max("number"))["last"] or 0
    return last + 1


def _set_pause(person: Participant, number: int | None) -> Participant:
    person.pauses_round = number
    person.save(update_fields=["pauses_round"])
    notify(person.tournament.slug, "people")
    return person


def _own_player(tournament: Tournament, code: str) -> Participant:
    """Return the player of a code, with the tournament locked. Refuses sign_up_code_unknown, and sign_up_not_confirmed."""
    plain = plain_code(code)
    locked = lock_tournament(tournament)
    sign_up = locked.sign_ups.filter(code_hash=code_hash(plain)).first() if plain else None
    if sign_up is None:
        raise Refusal("sign_up_code_unknown")
    if sign_up.participant_id is None:
        raise Refusal("sign_up_not_confirmed")
    return locked.participants.get(pk=sign_up.participant_id)
