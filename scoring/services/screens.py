"""Scenes of the public screens: the organiser sets a scene per screen and reveals the prizes rank by rank."""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction

from scoring.core.prize_giving import number_revealed
from scoring.queries.prizes import prize_list
from scoring.queries.screens import SCREENS, SentScene, furthest, prizes_of, scene_in
from scoring.queries.standings import current_standings
from scoring.scenes import SCENES
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
    """Set the scene of the screens `numbers`. A prize-giving starts with nothing revealed.

    Text, network and rank of other scenes are kept for the next time. Refuses an announcement without a text
    (text_empty), invalid texts, unknown_screen, and, for a prize-giving before the final standings, nobody_has_won.
    """
    kind = scene.kind
    if kind not in SCENES:
        raise ValueError(kind)
    text = clean_text(scene.text, most=LONGEST_TEXT, required=kind == "announcement")
    sent: dict[str, object] = {"scene": kind, "by": by, "at": at}
    if kind == "announcement":
        sent["text"] = text
    if kind == "welcome":
        sent["network"] = clean_text(scene.network, most=LONGEST_NETWORK)
        clean_text(scene.password, most=LONGEST_PASSWORD)
        sent["password"] = scene.password.strip()  # inner spaces count
    if kind == "prizes":
        sent |= {"lowest_rank": scene.lowest_rank, "revealed": ""}
    with transaction.atomic():
        locked = lock_tournament(tournament)
        if kind == "prizes" and not current_standings(locked).final:
            raise Refusal("nobody_has_won")
        for number in _known(numbers):
            locked.screens.update_or_create(number=number, defaults=sent)
        notify(locked.slug, "screens")


def reveal(
    tournament: Tournament, numbers: Collection[int], step: str, *, seen: str, by: str, at: datetime
) -> None:
    """Reveal the next step on those screens that show a prize-giving, or hide what comes after an earlier one; "" hides all.

    step: a rank, or the key of a special prize. seen: the last revealed step on the organiser's page. Repeating
    a call has no effect. Refuses prize_skipped if a prize before it is not revealed, revealed_meanwhile if another organiser
    revealed further or started again, or if the prize is gone, unknown_screen, and nobody_has_won before the final standings.
    """
    with transaction.atomic():
        locked = lock_tournament(tournament)
        leaderboard = current_standings(locked)
        if not leaderboard.final:
            raise Refusal("nobody_has_won")
        giving = locked.screens.filter(number__in=_known(numbers), scene="prizes")
        scenes = [scene_in(screen) for screen in giving]
        lowest = SentScene(lowest_rank=max((scene.lowest_rank for scene in scenes), default=1))
        steps = prizes_of(leaderboard, lowest, prize_list(locked, leaderboard)).steps
        revealed = furthest(scenes, steps)
        if revealed not in (seen, step) or not (step in steps or step == "" or step.isdigit()):
            raise Refusal("revealed_meanwhile")
        if number_revealed(steps, step) > number_revealed(steps, revealed) + 1:
            raise Refusal("prize_skipped")
        giving.update(revealed=step, by=by, at=at)
        notify(locked.slug, "screens")


def end_prize_giving(tournament: Tournament, *, by: str, at: datetime) -> None:
    """Show the standings on the screens that show a prize-giving."""
    with transaction.atomic():
        lock_tournament(tournament).screens.filter(scene="prizes").update(scene="standings", by=by, at=at)
        notify(tournament.slug, "screens")


def _known(numbers: Collection[int]) -> list[int]:
    if not numbers or not all(number in SCREENS for number in numbers):
        raise Refusal("unknown_screen")
    return sorted(set(numbers))
