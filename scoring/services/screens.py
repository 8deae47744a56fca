"""What the screens of the hall show: the organiser sends each a scene, and reveals the prizes rank by rank."""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction

from scoring.models import Screen
from scoring.queries.screens import SCREENS, Scene, prizes_of
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
    tournament: Tournament, numbers: Collection[int], scene: Scene, *, by: str, at: datetime
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
        sent["password"] = clean_text(scene.password, most=LONGEST_PASSWORD)
    if kind == Screen.Scene.PRIZES:
        sent |= {"lowest_rank": scene.lowest_rank, "revealed": 0}
    with transaction.atomic():
        locked = lock_tournament(tournament)
        if kind == Screen.Scene.PRIZES and not current_standings(locked).final:
            raise Refusal("nobody_has_won")
        for number in _known(numbers):
            locked.screens.update_or_create(number=number, defaults=sent)
        notify(locked.slug, "screens")


def reveal(tournament: Tournament, numbers: Collection[int], revealed: int, *, by: str, at: datetime) -> None:
    """So many ranks are revealed where there is a prize-giving, counted from the last prize; none twice, however often asked.

    Refuses unknown_screen, and nobody_has_won before the end.
    """
    with transaction.atomic():
        locked = lock_tournament(tournament)
        board = current_standings(locked)
        if not board.final:
            raise Refusal("nobody_has_won")
        giving = locked.screens.filter(number__in=_known(numbers), scene=Screen.Scene.PRIZES)
        for screen in giving:
            steps = prizes_of(board, Scene(lowest_rank=screen.lowest_rank)).steps
            screen.revealed = max(0, min(revealed, steps))
            screen.by, screen.at = by, at
            screen.save(update_fields=["revealed", "by", "at"])
        notify(locked.slug, "screens")


def _known(numbers: Collection[int]) -> list[int]:
    if not numbers or not all(number in SCREENS for number in numbers):
        raise Refusal("unknown_screen")
    return sorted(set(numbers))
