"""The screens of the hall: what the organiser has sent to each, and how far the prize-giving is."""

from collections.abc import Collection
from dataclasses import dataclass, replace

from scoring.models import Screen
from scoring.queries.standings import Leaderboard, StandingsRow, current_standings
from tournaments.models import Tournament

SCREENS = range(1, 10)
"""The numbers that a screen may have; the first needs none in its address."""

SHORT_TEXT = 80
SHORT_WIFI = 45


@dataclass(frozen=True, slots=True)
class SentScene:
    """What a screen shows; see `Screen`."""

    kind: str = Screen.Scene.AUTOMATIC.value
    text: str = ""
    network: str = ""
    password: str = ""
    lowest_rank: int = 3
    best_revealed: int | None = None

    @property
    def is_short(self) -> bool:
        """Whether there is room for the text in the largest letters."""
        return len(self.text) <= SHORT_TEXT

    @property
    def has_long_password(self) -> bool:
        """Whether the words of the Wi-Fi take room away from its code."""
        return len(self.network) + len(self.password) > SHORT_WIFI


@dataclass(frozen=True, slots=True)
class Prizes:
    """Who gets a prize, best rank first; None for everybody who has not been revealed yet.

    newest: the rank revealed last, None before the first. previous: the one before it. next: the one that comes next, None
    where all are shown.
    """

    rows: tuple[StandingsRow | None, ...]
    newest: int | None
    previous: int | None
    next: int | None


@dataclass(frozen=True, slots=True)
class ScreenRow:
    """A screen as the organiser has it before him."""

    number: int
    scene: SentScene
    is_open: bool


def scene_of(slug: str, number: int) -> SentScene:
    """What screen `number` shows. One query."""
    found = Screen.objects.filter(tournament__slug=slug, number=number).first()
    return _scene(found) if found else SentScene()


def screens_of(
    tournament: Tournament, opened: Collection[int], *, chosen: Collection[int] = ()
) -> list[ScreenRow]:
    """The first screen, those that are open or chosen, and those that show what they were sent. One query."""
    sent = {screen.number: _scene(screen) for screen in tournament.screens.all()}
    away = {number for number, scene in sent.items() if scene.kind != Screen.Scene.AUTOMATIC}
    return [
        ScreenRow(number, sent.get(number, SentScene()), number in opened)
        for number in sorted({1, *opened, *chosen, *away})
    ]


def prizes_of(leaderboard: Leaderboard, scene: SentScene) -> Prizes:
    """The ranks that the organiser has revealed, from the last prize to the first, and no other.

    board: the standings as he has them, whatever is frozen: to reveal a rank is to make it public.
    """
    rows = [row for row in leaderboard.rows if row.rank <= scene.lowest_rank and row.has_played]
    ranks = sorted({row.rank for row in rows}, reverse=True)
    best = scene.best_revealed
    revealed = [rank for rank in ranks if best is not None and rank >= best]
    return Prizes(
        rows=tuple(row if row.rank in revealed else None for row in rows),
        newest=revealed[-1] if revealed else None,
        previous=revealed[-2] if len(revealed) > 1 else None,
        next=ranks[len(revealed)] if len(revealed) < len(ranks) else None,
    )


def wall_prizes(tournament: Tournament, scene: SentScene) -> Prizes | None:
    """The prizes with names as on the wall; None where nobody has won yet."""
    leaderboard = current_standings(tournament, wall_names=True)
    return prizes_of(leaderboard, scene) if leaderboard.final else None


@dataclass(frozen=True, slots=True)
class PrizesAhead:
    """Where a prize-giving is, for who leads it: the best rank revealed, the steps from there, and who comes next."""

    best_revealed: int | None
    previous: int | None
    next: int | None
    ahead: tuple[StandingsRow, ...]


def prizes_ahead(tournament: Tournament, giving: Collection[SentScene]) -> PrizesAhead | None:
    """giving: the prize-givings that are led together, each as far as it is. None where nobody has won yet."""
    leaderboard = current_standings(tournament, wall_names=True)
    if not leaderboard.final:
        return None
    scene = SentScene(
        lowest_rank=max(one.lowest_rank for one in giving),
        best_revealed=min((one.best_revealed for one in giving if one.best_revealed), default=None),
    )
    prizes = prizes_of(leaderboard, scene)
    after = prizes_of(leaderboard, replace(scene, best_revealed=prizes.next))
    ahead = [row for row in after.rows if row and row.rank == prizes.next]
    return PrizesAhead(scene.best_revealed, prizes.previous, prizes.next, tuple(ahead))


def _scene(screen: Screen) -> SentScene:
    return SentScene(
        kind=screen.scene,
        text=screen.text,
        network=screen.network,
        password=screen.password,
        lowest_rank=screen.lowest_rank,
        best_revealed=screen.best_revealed,
    )
