"""The wall screens: the scene that each shows, and the progress of the prize-giving."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Literal

from scoring.models import Screen
from scoring.queries.standings import Leaderboard, StandingsRow, current_standings
from tournaments.models import Tournament

SCREENS = range(1, 10)
"""Numbers of the screens; the first has no number in its URL."""

SHORT_TEXT = 80
SHORT_WIFI = 45


@dataclass(frozen=True, slots=True)
class SentScene:
    """The scene of a screen; see `Screen`."""

    kind: str = Screen.Scene.AUTOMATIC.value
    text: str = ""
    network: str = ""
    password: str = ""
    lowest_rank: int = 3
    best_revealed: int | None = None

    @property
    def is_short(self) -> bool:
        """Whether the text fits in the largest letters."""
        return len(self.text) <= SHORT_TEXT

    @property
    def has_long_password(self) -> bool:
        """Whether network and password take room away from the Wi-Fi code."""
        return len(self.network) + len(self.password) > SHORT_WIFI


@dataclass(frozen=True, slots=True)
class Prizes:
    """The prizes, best rank first; None for each player who is not revealed yet.

    newest: the rank revealed last, None before the first. previous: the one before it. next: the one to
    reveal next, None after the last.
    """

    rows: tuple[StandingsRow | None, ...]
    newest: int | None
    previous: int | None
    next: int | None


@dataclass(frozen=True, slots=True)
class ScreenRow:
    """A screen for the organiser."""

    number: int
    scene: SentScene
    is_open: bool


def scene_of(slug: str, number: int) -> SentScene:
    """Return the scene of screen `number`. One query."""
    found = Screen.objects.filter(tournament__slug=slug, number=number).first()
    return _scene(found) if found else SentScene()


def screens_of(
    tournament: Tournament, opened: Collection[int], *, chosen: Collection[int] = ()
) -> list[ScreenRow]:
    """Return the first screen, the open and chosen ones, and those with a scene sent to them. One query."""
    sent = {screen.number: _scene(screen) for screen in tournament.screens.all()}
    away = {number for number, scene in sent.items() if scene.kind != Screen.Scene.AUTOMATIC}
    return [
        ScreenRow(number, sent.get(number, SentScene()), number in opened)
        for number in sorted({1, *opened, *chosen, *away})
    ]


def prizes_of(leaderboard: Leaderboard, scene: SentScene) -> Prizes:
    """Return the ranks that the organiser has revealed, from the last prize to the first, and no others.

    leaderboard: the current standings, even while the public ones are frozen: revealing a rank makes it
    public.
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
    """Return the prizes with names as on the wall screen; None while there is no winner."""
    leaderboard = current_standings(tournament, wall_names=True)
    return prizes_of(leaderboard, scene) if leaderboard.final else None


@dataclass(frozen=True, slots=True)
class PrizesAhead:
    """The progress of a prize-giving: best rank revealed, the steps from there, the players who come next."""

    best_revealed: int | None
    previous: int | None
    next: int | None
    ahead: tuple[StandingsRow, ...]


def prizes_ahead(tournament: Tournament, giving: Collection[SentScene]) -> PrizesAhead | None:
    """Return the progress of prize-givings that are led together; None while there is no winner.

    giving: their scenes, each as far as it is.
    """
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


@dataclass(frozen=True, slots=True)
class Ceremony:
    """The state of the prize-giving on the screens: none is known, ready to begin, begun, or every prize is shown.

    numbers: the screens that it is sent to. lowest_rank: as it was set last.
    """

    state: Literal["none", "ready", "begun", "done"]
    numbers: tuple[int, ...]
    lowest_rank: int

    @property
    def is_over(self) -> bool:
        """Whether no prize is left to show."""
        return self.state in ("none", "done")


def ceremony_of(tournament: Tournament, opened: Collection[int]) -> Ceremony:
    """Return the state of the prize-giving. opened: the numbers of the open screens."""
    screens = screens_of(tournament, opened)
    giving = [screen.scene for screen in screens if screen.scene.kind == Screen.Scene.PRIZES]
    state: Literal["none", "ready", "begun", "done"] = "none"
    if giving:
        prizes = prizes_ahead(tournament, giving)
        state = "begun" if prizes is None or prizes.ahead else "done"
    elif opened or tournament.screens.exists():
        state = "ready"
    return Ceremony(state, tuple(screen.number for screen in screens), screens[0].scene.lowest_rank)


def _scene(screen: Screen) -> SentScene:
    return SentScene(
        kind=screen.scene,
        text=screen.text,
        network=screen.network,
        password=screen.password,
        lowest_rank=screen.lowest_rank,
        best_revealed=screen.best_revealed,
    )
