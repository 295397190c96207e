"""Hands for the tests of hand histories: from given actions, and random ones."""

import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from riverboat.cards import deal
from riverboat.errors import IllegalAction
from riverboat.history.hand import History, HistoryEvent, Holding, Show, after, outcome
from riverboat.rules.betting import CALL, CHANCE, FOLD, SHOWDOWN
from riverboat.rules.events import BoardDealt, Move
from riverboat.rules.state import PublicState, start, start_with_cards
from riverboat.rules.variant import Structure, Variant, fixed_limit, no_limit

FINE = 60  # a pot of this many chips can be split among up to six players
CODES = ("NT", "NS", "FT")


def capped(game: Variant, cap: int) -> Variant:
    """Return a game with this many bets and raises on every street."""
    return replace(game, streets=tuple(replace(street, raise_cap=cap) for street in game.streets))


def variant(code: str, step: int) -> Variant:
    """Return a game of a PHH code with blinds of one and two steps."""
    if code == "FT":
        return capped(fixed_limit(2 * step), 4)
    deck, name = ("36", "no-limit short-deck hold'em") if code == "NS" else ("52", "no-limit hold'em")
    return no_limit(step, 2 * step, deck=deck, name=name)


def record(
    variant: Variant, stacks: Sequence[int], holdings: Sequence[Holding], board: Sequence[int], actions: Sequence[int]
) -> History:
    """Return a hand from its cards and the actions in turn, with finishing stacks if they end it.

    All who are in show their cards when the betting is over: before the rest of the board where players
    are all-in. Names and the like are added with dataclasses.replace.
    """
    state, left, shown = start(variant, stacks), list(actions), False
    events: list[HistoryEvent] = []
    while left or (state.phase == CHANCE and len(board) > len(state.board)):
        shown = shown or _show(state, holdings, events)
        if state.phase == CHANCE:
            dealt = len(state.board)
            events.append(BoardDealt(tuple(board[dealt : dealt + state.board_count])))
        elif state.actor is None:
            raise IllegalAction(f"the hand is over, and {len(left)} actions are left")
        else:
            events.append(Move(state.actor, left.pop(0)))
        state = after(state, events[-1], holdings)
    if not shown:
        _show(state, holdings, events)
    history = History(variant=variant, stacks=tuple(stacks), holdings=tuple(map(tuple, holdings)), events=tuple(events))
    return replace(history, finishing_stacks=outcome(history).stacks)


def _show(state: PublicState, holdings: Sequence[Holding], events: list[HistoryEvent]) -> bool:
    """Add what is shown now, if the betting of a hand that goes to showdown is over."""
    able = [seat for seat, stack in enumerate(state.stacks) if stack and not state.folded[seat]]
    if state.phase == SHOWDOWN or (state.phase == CHANCE and len(able) < 2):
        events.extend(Show(seat, tuple(holdings[seat])) for seat in state.showdown_order())
        return True
    return False


def play(game: Variant, stacks: list[int], seed: int, step: int) -> History:
    """Return a random hand in which amounts are multiples of `step` and no all-in is less than a full raise."""
    rng = random.Random(seed)  # noqa: S311
    dealt = deal(game.deck, len(stacks), game.board_sizes[-1], np.random.default_rng(seed))
    hand = start_with_cards(game, stacks, dealt.holdings, dealt.board)
    actions = []
    while not hand.is_over:
        actions.append(_choose(hand.public, rng, step))
        hand = hand.play(actions[-1])
    history = record(game, stacks, dealt.holdings, dealt.board, actions)
    assert history.finishing_stacks == tuple(a + b for a, b in zip(stacks, hand.payoffs(), strict=True))
    return history


def _choose(public: PublicState, rng: random.Random, step: int) -> int:
    choices = [CALL, CALL, CALL]
    if public.can_play(FOLD):
        choices.append(FOLD)
    low, high = public.raise_limits or (0, -1)
    if high >= low and low >= public.bet + public.full_raise:
        choices += [low, high]
        if public.variant.structure is Structure.NO_LIMIT:
            choices.append(public.nearest_raise(rng.randrange(low, high + 1, step)) or low)
    return rng.choice(choices)


@st.composite
def histories(
    draw: st.DrawFn, codes: tuple[str, ...] = CODES, step: int = FINE, most_players: int = 6, plain: bool = False
) -> History:
    """Return random hands of two or more players, some with names, numbers and antes; plain ones have equal stacks."""
    count = draw(st.integers(2, most_players))
    everybody, big_blind = (step,) * count, (0, 2 * step, *[0] * (count - 2))
    antes = () if plain else draw(st.sampled_from(((), (step,), everybody, big_blind)))
    game = replace(variant(draw(st.sampled_from(codes)), step), antes=antes)
    sizes = st.integers(4, 60).map(lambda steps: steps * step)
    stacks = [draw(sizes)] * count if plain else draw(st.lists(sizes, min_size=count, max_size=count))
    history = play(game, stacks, draw(st.integers(0, 2**32)), step)
    names = draw(st.sampled_from(((), tuple(f'it\'s "{seat}"' for seat in range(count)))))
    return replace(history, names=names, label=draw(st.sampled_from((None, 7, "final"))))
