"""A running account: the player's winnings, a graph of the stack, and the other players' statistics."""

from collections.abc import Sequence
from math import isnan

from riverboat.clients.console.table.winnings import Winnings
from riverboat.clients.console.views.text import chips_text, has_suit_signs, plain
from riverboat.errors import RiverboatError
from riverboat.history.hand import History
from riverboat.history.store.histories import columns_of
from riverboat.opponents.player_statistics import PlayerStatistics, PlayerTally

_BARS, _LETTERS = "▁▂▃▄▅▆▇█", "_.-~=*#@"  # lowest first; letters where the terminal has no bars
_WIDEST = 60  # columns of the graph
_MOST_NAMES = 10
_NAME_WIDTH = 30


class Account:
    """Counts the finished hands of a sitting."""

    def __init__(self) -> None:
        self._tally = PlayerTally()
        self._uncounted: list[History] = []
        self.is_partial = False  # a game whose hands cannot be counted

    def add(self, history: History) -> None:
        """Take a finished hand; it is counted when the account is shown."""
        self._uncounted.append(history)

    def lines(self, winnings: Winnings, own_name: str) -> list[str]:
        """Return the account for the screen."""
        if not winnings.results:
            return ["no hand was finished yet"]
        lines = [f"{winnings.summary()}" + (" (95 % interval)" if winnings.rate_error is not None else "")]
        return [*lines, stack_line(winnings), *self._player_lines(own_name)]

    def _player_lines(self, own_name: str) -> list[str]:
        self._count()
        players = sorted(self._tally.players(), key=lambda player: player.name != own_name)
        if not players:
            return ["how the others play is counted in hold'em only"] if self.is_partial else []
        width = min(_NAME_WIDTH, max(6, *(len(plain(player.name)) for player in players)))
        rows = [f"{plain('player', width):{width}}  hands  VPIP   PFR  aggression"]
        rows += [_row(player, width) for player in players[:_MOST_NAMES]]
        return [*rows, *([f"and {len(players) - _MOST_NAMES} more"] if len(players) > _MOST_NAMES else [])]

    def _count(self) -> None:
        waiting, self._uncounted = self._uncounted, []
        for history in waiting:
            try:
                self._tally.add(columns_of([history]))
            except RiverboatError:  # a game that stores do not know
                self.is_partial = True


def _row(player: PlayerStatistics, width: int) -> str:
    aggression = "–" if isnan(player.aggression) else f"{player.aggression:.1f}"
    name = plain(player.name, width)
    return f"{name:{width}}  {player.hand_count:5}  {_share(player.vpip):>4}  {_share(player.pfr):>4}  {aggression:>10}"


def _share(value: float) -> str:
    return "–" if isnan(value) else f"{100 * value:.0f} %"


def stack_line(winnings: Winnings) -> str:
    """Return the player's stack from the first hand to the last, as a row of bars."""
    pairs = [winnings.stacks[number] for number in sorted(winnings.stacks)]
    values = [pairs[0][0], *(after for _, after in pairs)]
    return f"stack {chips_text(values[0])} {bars(values)} {chips_text(values[-1])}"


def bars(values: Sequence[int], width: int = _WIDEST) -> str:
    """Return values as bars between the smallest and the largest; where there are many, every n-th and the last."""
    step = -(-len(values) // width)
    shown = [*values[:-1:step], values[-1]][-width:] if values else []
    low, high = min(shown, default=0), max(shown, default=0)
    signs = _BARS if has_suit_signs() else _LETTERS
    top = len(signs) - 1
    return "".join(signs[round(top * (value - low) / (high - low)) if high > low else top // 2] for value in shown)
