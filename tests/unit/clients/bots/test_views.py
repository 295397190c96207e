"""Views survive the conversion to messages and back."""

from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riverboat.arena.bots import CallBot
from riverboat.arena.hand import play_hand
from riverboat.cards import format_cards
from riverboat.dealing import deal_by_seed
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.rpc.convert.actions import encode_action
from riverboat.rpc.convert.state_manager import encode_state
from riverboat.rpc.convert.tables import encode_view
from riverboat.rpc.convert.tables_client import decode_view
from riverboat.rules.betting import CALL
from riverboat.rules.state import HandState, View, start_random, start_with_cards
from riverboat.rules.variant import LEDUC, VARIANTS, Variant, fixed_limit, no_limit
from riverboat.tables.config import TableConfig
from riverboat.tables.events import Created, HandStarted, Joined, Moved
from riverboat.tables.table import Table
from riverboat.tables.view import view_of
from tests.unit.arena.bots import RandomBot


def as_message(hand: HandState, view: View, seats: list[int]) -> pb.View:
    """Return the message that a table would send, with moves and board cards."""
    moves = [
        pb.TableEvent(moved=pb.TableEvent.Moved(seat=seat, action=encode_action(action)))
        for seat, action in zip(seats, view.actions, strict=True)
    ]
    board = [pb.TableEvent(board_dealt=pb.TableEvent.BoardDealt(cards=format_cards(hand.public.board)))]
    return pb.View(
        status=pb.TABLE_STATUS_PLAYING,
        seat=view.seat,
        state=encode_state(view.public),
        holding=format_cards(view.holding),
        events=moves + board,
    )


def assert_same(one: View, two: View) -> None:
    assert (one.seat, one.holding, one.actions) == (two.seat, two.holding, two.actions)
    assert one.public == two.public
    assert list(one.states()) == list(two.states())


@given(st.sampled_from(VARIANTS), st.data(), st.integers(0, 10**6))
@settings(max_examples=30)
def test_random_hands(variant: Variant, data: st.DataObject, seed: int) -> None:
    player_count = data.draw(st.integers(2, variant.most_players))
    stacks = data.draw(st.lists(st.integers(1, 5000), min_size=player_count, max_size=player_count))
    rng = np.random.default_rng(seed)
    hand, seats, bot = start_random(variant, stacks, rng), list[int](), RandomBot(rng)
    while not hand.is_over:
        assert hand.public.actor is not None
        view = hand.view(hand.public.actor)
        sent = pb.View.FromString(as_message(hand, view, seats).SerializeToString())
        assert_same(decode_view(sent).hand_view(), view)
        seats.append(view.seat)
        hand = hand.play(bot.act(view))


class Noting(CallBot):
    """A bot that calls, sometimes raises, and keeps its views."""

    shown: ClassVar[list[View]] = []

    def act(self, view: View) -> int:
        self.shown.append(view)
        limits = view.public.raise_limits
        return limits[0] if limits and len(view.actions) % 3 == 1 else CALL


@pytest.mark.parametrize("variant", [no_limit(50, 100), fixed_limit(100), LEDUC], ids=lambda variant: variant.name)
def test_a_table_sends_what_the_arena_shows(variant: Variant) -> None:
    """The same cards and the same bot, at a table over gRPC and in the arena."""
    stack, seed, player_count = 20 * variant.big_blind, bytes(range(32)), min(4, variant.most_players)
    dealt = deal_by_seed(variant.deck, player_count, variant.board_sizes[-1], seed)
    hand = start_with_cards(variant, [stack] * player_count, dealt.holdings, dealt.board)
    Noting.shown.clear()
    play_hand(hand, [Noting(np.random.default_rng(seat)) for seat in range(player_count)])

    config = TableConfig(name="a table", variant=variant, chair_count=player_count, buy_in=stack)
    table = Table("t1", Created(config, "", "ab" * 32))
    for name in "abcd"[:player_count]:
        table.apply(Joined(chair=table.stacks.index(0), name=name, token_hash=name, request_id=name, is_agent=False))
    table.apply(
        HandStarted(hand_number=1, chairs=table.next_chairs, stacks=(stack,) * player_count, seed=seed.hex())
    )  # a deal v1 has these cards
    for view in list(Noting.shown):
        assert table.actor is not None
        sent = encode_view(view_of(table, table.actor, 0)).SerializeToString()
        received = decode_view(pb.View.FromString(sent)).hand_view()
        assert_same(received, view)
        table.apply(Moved(Noting(np.random.default_rng(0)).act(received), "", False))
    assert not table.is_in_hand
