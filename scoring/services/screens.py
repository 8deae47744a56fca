"""What the screens of the hall show: the organiser sends each a scene, and reveals the prizes rank by rank."""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction
from django.db.models import Min

from scoring.models import Screen
from scoring.queries.screens import SCREENS, SentScene
from scoring.queries.standings import current_standings
from tournaments.core.names import clean_text
from tournaments.core.refusal import Refusal
from tournaments.models import Tournament
from tournaments.notify import notify
from tournaments.services.tournaments import lock_tournament

LONGEST_TEXT = 240
LONGEST_NETWORK = 32
LONGEST_PASSWORD = 63


def set_scene(
    tournament: Tournament, numbers: Collection[int], scene: SentScene, *, by: str, at: datetime
) -> None:
    """These screens show this from now on; a prize-giving begins with nothing revealed.

    Text, network and rank of another scene stay as they were, for the next time. Refuses an announcement without a text
    (text_empty), texts that cannot be, unknown_screen, and nobody_has_won before the end.
    """
    kind = Screen.Scene(scene.kind)
    text = clean_text(scene.text, most=LONGEST_TEXT, required=kind == Screen.Scene.ANNOUNCEMENT)
    sent: dict[str, object] = {"scene": kind.value, "by": by, "at": at}
    if kind == Screen.Scene.ANNOUNCEMENT:
        sent["text"] = text
    if kind == Screen.Scene.WELCOME:
        sent["network"] = clean_text(scene.network, most=LONGEST_NETWORK)
        clean_text(scene.password, most=LONGEST_PASSWORD)
        sent["password"] = scene.password.strip()  # two spaces inside are two
    if kind == Screen.Scene.PRIZES:
        sent |= {"lowest_rank": scene.lowest_rank, "best_revealed": None}
    with transaction.atomic():
        locked = lock_tournament(tournament)
        if kind == Screen.Scene.PRIZES and not current_standings(locked).final:
            raise Refusal("nobody_has_won")
        for number in _known(numbers):
            locked.screens.update_or_create(number=number, defaults=sent)
        notify(locked.slug, "screens")


def reveal(
    tournament: Tournament,
    numbers: Collection[int],
    best: int | None,
    *,
    seen: int | None,
    by: str,
    at: datetime,
) -> None:
    """Where there is a prize-giving, everybody down from rank `best` is revealed; None: nobody.

    seen: the best rank that was revealed when this was decided. The same again is done already. Refuses
    revealed_meanwhile where somebody else has gone on, or begun anew; unknown_screen; and nobody_has_won before the end.
    """
    with transaction.atomic():
        locked = lock_tournament(tournament)
        if not current_standings(locked).final:
            raise Refusal("nobody_has_won")
        giving = locked.screens.filter(number__in=_known(numbers), scene=Screen.Scene.PRIZES)
        furthest = giving.aggregate(Min("best_revealed"))["best_revealed__min"]
        if furthest not in (seen, best):
            raise Refusal("revealed_meanwhile")
        giving.update(best_revealed=best, by=by, at=at)
        notify(locked.slug, "screens")


def _known(numbers: Collection[int]) -> list[int]:
    if not numbers or not all(number in SCREENS for number in numbers):
        raise Refusal("unknown_screen")
    return sorted(set(numbers))
