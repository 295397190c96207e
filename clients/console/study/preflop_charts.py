"""Charts by the number of players: push or fold for short stacks, the blueprint for two players with deep ones."""

from dataclasses import dataclass

import numpy as np

from riverboat.clients.console.views.output import print_json, progress_bar
from riverboat.clients.console.views.pushfold import print_position, print_pushfold, pushfold_dict
from riverboat.clients.remote.refusals import Refused
from riverboat.errors import InvalidInput
from riverboat.pushfold.game import PushFoldError, PushFoldGame, PushFoldStrategy
from riverboat.pushfold.self_play import solve

PUSH_FOLD_BLINDS = 25.0  # up to here all-in or fold is how people play it
_DEALS = 20_000_000
_SEED = 22


@dataclass(frozen=True, slots=True)
class PushFoldWish:
    """A chart of the push-or-fold game."""

    players: int
    stack: float  # big blinds
    ante: float
    position: str | None
    against: str | None


def show_push_or_fold(wish: PushFoldWish, as_json: bool) -> None:
    """Solve the game and print its charts."""
    try:
        game = PushFoldGame(player_count=wish.players, stack=wish.stack, ante=wish.ante)
    except InvalidInput as error:
        raise Refused(f"--{error.field}: {error.reason}") from None
    place, pushers = _decision(game, wish)
    strategy, lacking = _solved(game)
    if as_json:
        print_json(pushfold_dict(strategy, lacking))
    elif place is None:
        print_pushfold(strategy, lacking)
    else:
        print_position(strategy, lacking, place, pushers)


def _solved(game: PushFoldGame) -> tuple[PushFoldStrategy, PushFoldError]:
    steps = solve(game, _DEALS, np.random.default_rng(_SEED))
    with progress_bar("playing against itself") as bar:
        while True:
            try:
                bar.show(next(steps))
            except StopIteration as end:
                strategy, lacking = end.value
                return strategy, lacking


def _decision(game: PushFoldGame, wish: PushFoldWish) -> tuple[int | None, int]:
    """Return the position and the players who are all-in before it."""
    if wish.position is None:
        if wish.against is not None:
            raise Refused("--against: only with --position")
        return None, 0
    position = _place(game, "--position", wish.position)
    pushers = 0
    for name in (wish.against or "").replace(",", " ").split():
        other = _place(game, "--against", name)
        if other >= position:
            raise Refused(f"--against: {name} acts after {wish.position}")
        pushers |= 1 << other
    if position == game.player_count - 1 and not pushers:
        raise Refused("--against: name who is all-in; when everybody folds, the big blind has won")
    return position, pushers


def _place(game: PushFoldGame, option: str, name: str) -> int:
    names = game.positions
    if name.upper() not in names:
        raise Refused(f"{option}: {name[:10]!r} is no position here; they are {', '.join(names)}")
    return names.index(name.upper())
