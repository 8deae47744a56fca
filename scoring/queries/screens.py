"""The wall screens: the scene that each shows, and the progress of the prize-giving."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from scoring.core.prize_giving import ceremony_steps, number_revealed
from scoring.core.prizes import PrizeList, PrizeRow
from scoring.models import Screen
from scoring.queries.prize_giving import prizes_as_given
from scoring.queries.prizes import plan_in_force, plan_of
from scoring.queries.standings import Leaderboard, StandingsRow, current_standings
from tournaments.models import Tournament

SCREENS = range(1, 10)
"""Numbers of the screens; the first has no number in its URL."""

LOWEST_RANK = 60
"""The lowest rank with which a prize-giving can begin."""

MOST_NAMED = 8
MOST_EARLIER = 4
LONG_IN_LARGE_LETTERS = 26
SHORT_TEXT = 80
SHORT_WIFI = 45


@dataclass(frozen=True, slots=True)
class SentScene:
    """The scene of a screen; see `Screen`."""

    kind: str = "automatic"
    text: str = ""
    network: str = ""
    password: str = ""
    lowest_rank: int = 3
    revealed: str = ""

    @property
    def is_short(self) -> bool:
        """Whether the text fits in the largest letters."""
        return len(self.text) <= SHORT_TEXT

    @property
    def has_long_password(self) -> bool:
        """Whether network and password take room away from the Wi-Fi code."""
        return len(self.network) + len(self.password) > SHORT_WIFI


@dataclass(frozen=True, slots=True)
class RevealedPlayer:
    """A player who gets a prize. step: the step that reveals them. prize: None for a rank that the plan gives nothing."""

    step: str
    player: StandingsRow
    prize: PrizeRow | None

    @property
    def is_special(self) -> bool:
        return not self.step.isdigit()

    @property
    def is_winner(self) -> bool:
        return self.step == "1"

    @property
    def is_long_in_large_letters(self) -> bool:
        return len(self.player.name) > LONG_IN_LARGE_LETTERS


@dataclass(frozen=True, slots=True)
class Prizes:
    """The prizes, the one revealed last at the top; None for each player who is not revealed yet.

    steps: as `ceremony_steps`, in the order of the ceremony. newest: the step revealed last, "" before the first.
    previous: the one before it. next: the one to reveal next, "" after the last. counted: how many results each round has.
    """

    rows: tuple[RevealedPlayer | None, ...]
    steps: tuple[str, ...]
    newest: str
    previous: str
    next: str
    counted: tuple[int, ...] = ()

    @property
    def revealed_last(self) -> tuple[RevealedPlayer, ...]:
        return tuple(row for row in self.rows if row and row.step == self.newest)

    @property
    def earlier(self) -> tuple[RevealedPlayer, ...]:
        """The last ones revealed before, the latest of them first."""
        return tuple(row for row in self.rows if row and row.step != self.newest)[:MOST_EARLIER]


@dataclass(frozen=True, slots=True)
class ScreenRow:
    """A screen for the organiser."""

    number: int
    scene: SentScene
    is_open: bool


def scene_of(slug: str, number: int) -> SentScene:
    """Return the scene of screen `number`. One query."""
    screen = Screen.objects.filter(tournament__slug=slug, number=number).first()
    return scene_in(screen) if screen else SentScene()


def has_screens_set(tournament: Tournament) -> bool:
    """Whether something was sent to a screen, so that texts of it are stored."""
    return tournament.screens.exists()


def screens_of(
    tournament: Tournament, opened: Collection[int], *, chosen: Collection[int] = ()
) -> list[ScreenRow]:
    """Return the first screen, the open and chosen ones, and those with a scene sent to them. One query."""
    sent = {screen.number: scene_in(screen) for screen in tournament.screens.all()}
    away = {number for number, scene in sent.items() if scene.kind != "automatic"}
    return [
        ScreenRow(number, sent.get(number, SentScene()), number in opened)
        for number in sorted({1, *opened, *chosen, *away})
    ]


def prizes_of(leaderboard: Leaderboard, scene: SentScene, planned: PrizeList | None = None) -> Prizes:
    """Return the prizes that the organiser has revealed, and no others.

    leaderboard: the current standings, even while the public ones are frozen: revealing a rank makes it public. planned:
    None without a prize plan.
    """
    ordered = _in_steps(leaderboard, scene.lowest_rank, planned)
    steps = tuple(dict.fromkeys(player.step for player in ordered))
    count = number_revealed(steps, scene.revealed)
    revealed = steps[:count]
    return Prizes(
        rows=tuple(player if player.step in revealed else None for player in reversed(ordered)),
        steps=steps,
        newest=steps[count - 1] if count else "",
        previous=steps[count - 2] if count > 1 else "",
        next=steps[count] if count < len(steps) else "",
        counted=leaderboard.counted,
    )


def _in_steps(leaderboard: Leaderboard, lowest_rank: int, planned: PrizeList | None) -> list[RevealedPlayer]:
    """Return the players with a prize in the order of the ceremony, those of one step by descending start number."""
    rows = planned.rows if planned else ()
    players = {row.start_number: row for row in leaderboard.rows}
    by_step: dict[str, list[RevealedPlayer]] = {}
    for row in rows:
        if row.kind != "rank":
            revealed = [
                RevealedPlayer(row.key, players[number], row) for number in reversed(row.start_numbers)
            ]
            by_step[row.key] = [*revealed, *by_step.get(row.key, ())]
    of_rank = {(row.rank, number): row for row in rows if row.kind == "rank" for number in row.start_numbers}
    specials = tuple(by_step)
    ranked = [row for row in leaderboard.rows if row.rank <= lowest_rank and row.has_played]
    for player in reversed(ranked):
        prize = of_rank.get((player.rank, player.start_number))
        by_step.setdefault(str(player.rank), []).append(RevealedPlayer(str(player.rank), player, prize))
    order = planned.specials if planned else "first"
    steps = ceremony_steps((row.rank for row in ranked), specials, order)
    return [player for step in steps for player in by_step[step]]


def lowest_rank_of(tournament: Tournament, scene: SentScene) -> int:
    """Return the rank with which a prize-giving begins: as far as the prize plan goes, or as it was set last."""
    plan = plan_of(tournament)
    lowest = plan_in_force(tournament, plan).lowest_rank if plan else 0
    return min(lowest, LOWEST_RANK) or scene.lowest_rank


def wall_prizes(tournament: Tournament, scene: SentScene) -> Prizes | None:
    """Return the prizes with names as on the wall screen; None while there is no winner."""
    leaderboard = current_standings(tournament, wall_names=True)
    return (
        prizes_of(leaderboard, scene, prizes_as_given(tournament, leaderboard)) if leaderboard.final else None
    )


def furthest(scenes: Iterable[SentScene], steps: Sequence[str]) -> str:
    """Return the step that is revealed last on the screen that is the furthest of these, "" for none."""
    return max(
        (scene.revealed for scene in scenes), key=lambda step: number_revealed(steps, step), default=""
    )


@dataclass(frozen=True, slots=True)
class PrizesAhead:
    """The progress of a prize-giving: the step revealed last and its players, the steps from there, who comes next."""

    revealed: str
    previous: str
    next: str
    on_the_wall: tuple[RevealedPlayer, ...]
    ahead: tuple[RevealedPlayer, ...]

    @property
    def named(self) -> tuple[RevealedPlayer, ...]:
        """The first of those who come next, as many as one can read out."""
        return self.ahead[:MOST_NAMED]

    @property
    def more(self) -> int:
        """The number of the others."""
        return len(self.ahead) - len(self.named)


def prizes_ahead(tournament: Tournament, giving: Collection[SentScene]) -> PrizesAhead | None:
    """Return the progress of prize-givings that are led together; None while there is no winner.

    giving: their scenes, each as far as it is.
    """
    leaderboard = current_standings(tournament, wall_names=True)
    if not leaderboard.final:
        return None
    planned = prizes_as_given(tournament, leaderboard)
    scene = SentScene(lowest_rank=max(scene.lowest_rank for scene in giving))
    steps = prizes_of(leaderboard, scene, planned).steps
    scene = replace(scene, revealed=furthest(giving, steps))
    prizes = prizes_of(leaderboard, scene, planned)
    after = prizes_of(leaderboard, replace(scene, revealed=prizes.next), planned)
    ahead = [row for row in after.rows if row and row.step == prizes.next]
    return PrizesAhead(scene.revealed, prizes.previous, prizes.next, prizes.revealed_last, tuple(ahead))


def ceremony_now(tournament: Tournament) -> PrizesAhead | None:
    """Return the progress of the prize-giving on the screens, None if none of them shows one."""
    giving = [scene_in(screen) for screen in tournament.screens.filter(scene="prizes")]
    return prizes_ahead(tournament, giving) if giving else None


@dataclass(frozen=True, slots=True)
class Ceremony:
    """The state of the prize-giving on the screens: ready to begin, begun, every prize is shown, or the screens show more since.

    numbers: the screens that it is sent to. lowest_rank: see `lowest_rank_of`. has_screen: whether a screen is open.
    is_next: whether the evening goes on with it, since there are screens or prizes.
    """

    state: Literal["ready", "begun", "done", "over"]
    numbers: tuple[int, ...]
    lowest_rank: int
    has_screen: bool
    is_next: bool

    @property
    def may_be_left_out(self) -> bool:
        """Whether the final standings may be shown now: every prize was shown, or there is no screen for the prize-giving."""
        return self.state == "over" or (self.state == "ready" and not self.has_screen)


def ceremony_of(tournament: Tournament, opened: Collection[int]) -> Ceremony:
    """Return the state of the prize-giving. opened: the numbers of the open screens."""
    screens = screens_of(tournament, opened)
    giving = [screen.scene for screen in screens if screen.scene.kind == "prizes"]
    led = giving or [screen.scene for screen in screens if screen.scene.revealed]
    prizes = prizes_ahead(tournament, led) if led else None
    state: Literal["ready", "begun", "done", "over"] = "begun" if giving else "ready"
    if prizes and not prizes.ahead:
        state = "done" if giving else "over"
    return Ceremony(
        state=state,
        numbers=tuple(screen.number for screen in screens),
        lowest_rank=lowest_rank_of(tournament, screens[0].scene),
        has_screen=bool(opened),
        is_next=state == "ready" and bool(opened or tournament.prize_plan or tournament.screens.exists()),
    )


def scene_in(screen: Screen) -> SentScene:
    of_text = (screen.text, screen.network, screen.password)
    return SentScene(screen.scene, *of_text, screen.lowest_rank, screen.revealed)
