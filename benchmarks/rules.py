"""Random hands per second, beside pokerkit, open_spiel's universal_poker and texasholdem.

Every engine plays with the same kind of players: they fold (if there is a bet to call), call or raise with equal
probability, and choose any legal size with equal probability. Dealing and payouts are included.
"""

import random
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.timing import Row, in_turn, per_second
from riverboat.compiled.kernels import kernel
from riverboat.rules import betting
from riverboat.rules.betting import CALL, FOLD, next_street, play, start_hand
from riverboat.rules.pots import write_payoffs
from riverboat.rules.state import start_random
from riverboat.rules.variant import no_limit, rules_array
from riverboat.strength.single_hand import strength_of_seven

I64 = NDArray[np.int64]
_STACK = 200  # a hundred big blinds; open_spiel lists every size, so more chips would slow it down
_GAME = no_limit(1, 2)
_HANDS = {"ours": 1500, "open_spiel": 1500, "pokerkit": 15, "texasholdem": 60}


def rows() -> Iterator[Row]:
    """Yield the rows about the rules."""
    warnings.simplefilter("ignore")
    for count in (2, 6, 9):
        rng = random.Random(count)  # noqa: S311
        games: dict[str, Callable[[], object]] = {
            "ours": _ours(count, rng),
            "open_spiel": _open_spiel(count, rng),
            "pokerkit": _pokerkit(count, rng),
            "texasholdem": _texasholdem(count, rng),
        }
        times = in_turn(*games.values(), compiled_hands(count), rounds=5)
        seconds = {name: time / _HANDS[name] for name, time in zip(games, times, strict=False)}
        for peer in ("open_spiel", "pokerkit", "texasholdem"):
            ratio = seconds[peer] / seconds["ours"]
            yield Row(
                f"random hands from Python, {count} players", per_second(1, seconds["ours"]),
                f"{peer} {per_second(1, seconds[peer])}", f"{ratio:.3g}×",
                "1×" if peer == "open_spiel" else "", ratio >= 1 if peer == "open_spiel" else None,
            )  # fmt: skip
        compiled = times[-1] / COMPILED_HANDS
        ratio = seconds["open_spiel"] / compiled
        yield Row(f"random hands in a compiled loop, {count} players", per_second(1, compiled),
                  "open_spiel from Python, as above", f"{ratio:.3g}×")  # fmt: skip


def _ours(count: int, rng: random.Random) -> Callable[[], object]:
    generator, stacks = np.random.default_rng(0), [_STACK] * count

    def hands() -> None:
        for _ in range(_HANDS["ours"]):
            hand = start_random(_GAME, stacks, generator)
            while not hand.is_over:
                public = hand.public
                limits = public.raise_limits
                kinds = [CALL, FOLD] if public.to_call else [CALL]
                if limits:
                    kinds.append(1)
                kind = rng.choice(kinds)
                hand = hand.play(rng.randint(*limits) if kind == 1 and limits else kind)
            hand.payoffs()

    return hands


def _open_spiel(count: int, rng: random.Random) -> Callable[[], object]:
    import pyspiel

    blinds = "2 1" if count == 2 else " ".join(["1", "2"] + ["0"] * (count - 2))
    game: Any = pyspiel.load_game(
        "universal_poker",
        {
            "betting": "nolimit", "bettingAbstraction": "fullgame", "numPlayers": count, "numRounds": 4,
            "blind": blinds, "firstPlayer": "2 1 1 1" if count == 2 else "3 1 1 1", "numSuits": 4, "numRanks": 13,
            "numHoleCards": 2, "numBoardCards": "0 3 1 1", "stack": " ".join([str(_STACK)] * count),
        },
    )  # fmt: skip

    def hands() -> None:
        for _ in range(_HANDS["open_spiel"]):
            state = game.new_initial_state()
            while not state.is_terminal():
                legal = state.legal_actions()
                if state.is_chance_node():
                    state.apply_action(rng.choice(legal))
                    continue
                kinds = [action for action in legal[:2] if action < 2]  # 0 folds, 1 calls, the rest are raises
                raises = legal[len(kinds) :]
                choice = rng.randrange(len(kinds) + bool(raises))
                state.apply_action(kinds[choice] if choice < len(kinds) else rng.choice(raises))
            state.returns()

    return hands


def _pokerkit(count: int, rng: random.Random) -> Callable[[], object]:
    import pokerkit

    automations = tuple(pokerkit.Automation)

    def hands() -> None:
        for _ in range(_HANDS["pokerkit"]):
            state = pokerkit.NoLimitTexasHoldem.create_state(automations, True, 0, (1, 2), 2, (_STACK,) * count, count)
            while state.status:
                low = state.min_completion_betting_or_raising_to_amount
                kinds = [CALL] + ([FOLD] if state.checking_or_calling_amount else []) + ([1] if low else [])
                kind = rng.choice(kinds)
                if kind == CALL:
                    state.check_or_call()
                elif kind == FOLD:
                    state.fold()
                else:
                    high = state.max_completion_betting_or_raising_to_amount
                    state.complete_bet_or_raise_to(rng.randint(low or 0, high or 0))

    return hands


def _texasholdem(count: int, rng: random.Random) -> Callable[[], object]:
    from texasholdem.game.action_type import ActionType  # type: ignore[import-untyped]
    from texasholdem.game.game import TexasHoldEm  # type: ignore[import-untyped]

    def hands() -> None:
        for _ in range(_HANDS["texasholdem"]):
            game = TexasHoldEm(buyin=_STACK, big_blind=2, small_blind=1, max_players=count)
            game.start_hand()
            while game.is_hand_running():
                moves = game.get_available_moves()
                raises = moves.raise_range
                kinds = [kind for kind in moves.action_types if kind not in (ActionType.RAISE, ActionType.ALL_IN)]
                if game.chips_to_call(game.current_player) == 0 and ActionType.FOLD in kinds:
                    kinds.remove(ActionType.FOLD)
                choice = rng.randrange(len(kinds) + bool(len(raises)))
                if choice < len(kinds):
                    game.take_action(kinds[choice])
                else:
                    game.take_action(ActionType.RAISE, total=rng.choice(raises))

    return hands


COMPILED_HANDS = 20_000


def compiled_hands(count: int) -> Callable[[], object]:
    """Return a function that plays COMPILED_HANDS hands in a compiled loop."""
    rules, stacks = rules_array(_GAME, count), np.full(count, _STACK, np.int64)
    return lambda: _play_hands(rules, stacks, count, COMPILED_HANDS)


@kernel
def _play_hands(rules: I64, stacks: I64, count: int, hand_count: int) -> int:
    """Play random hands to the end; return the chips that seat 0 has won."""
    state = np.empty(betting.HEAD + betting.BLOCKS * count, np.int64)
    deck, strengths = np.arange(52), np.zeros(count, np.int64)
    total = 0
    for _ in range(hand_count):
        start_hand(rules, stacks, state)
        for i in range(2 * count + 5):  # as many cards as the hand may need
            j = np.random.randint(i, 52)
            deck[i], deck[j] = deck[j], deck[i]
        while state[betting.PHASE] < betting.FOLDED:
            if state[betting.PHASE] != betting.ACT:
                next_street(rules, state)
                continue
            kinds = 1 + (state[betting.TO_CALL] > 0) + (state[betting.HIGH] > 0)
            kind = np.random.randint(kinds)
            if kind == 0:
                play(rules, state, CALL)
            elif kind == 1 and state[betting.TO_CALL] > 0:
                play(rules, state, FOLD)
            else:
                play(rules, state, np.random.randint(state[betting.LOW], state[betting.HIGH] + 1))
        strengths[:] = 0  # not the last hand's payoffs, if nobody compares
        if state[betting.PHASE] != betting.FOLDED:
            b = 2 * count
            for seat in range(count):
                strengths[seat] = strength_of_seven(
                    deck[2 * seat], deck[2 * seat + 1], deck[b], deck[b + 1], deck[b + 2], deck[b + 3], deck[b + 4]
                )
        write_payoffs(rules, state, strengths)
        total += strengths[0]
    return total
