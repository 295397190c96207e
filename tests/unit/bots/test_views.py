"""Views that go through messages are those that the library gives."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from clients.bots.views import decode_view
from protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.arena.bots import RandomBot
from riverboat.cards import format_cards
from riverboat.rpc.convert.state_manager import encode_state
from riverboat.rpc.convert.tables import encode_action
from riverboat.rules.state import HandState, View, start_random
from riverboat.rules.variant import VARIANTS, Variant


def as_message(hand: HandState, view: View, seats: list[int]) -> pb.View:
    """The message that a table would send, moves and board cards included."""
    moves = [
        pb.TableEvent(moved=pb.TableEvent.Moved(seat=seat, action=encode_action(action)))
        for seat, action in zip(seats, view.actions, strict=True)
    ]
    board = [pb.TableEvent(board_dealt=pb.TableEvent.BoardDealt(cards=format_cards(hand.public.board)))]
    return pb.View(
        seat=view.seat, state=encode_state(view.public), holding=format_cards(view.holding), events=moves + board
    )


def assert_same(one: View, two: View) -> None:
    assert (one.seat, one.holding, one.actions) == (two.seat, two.holding, two.actions)
    assert one.public == two.public
    assert list(one.states()) == list(two.states())


@given(st.sampled_from(VARIANTS), st.data(), st.integers(0, 10**6))
@settings(max_examples=60)
def test_random_hands(variant: Variant, data: st.DataObject, seed: int) -> None:
    player_count = data.draw(st.integers(2, variant.most_players))
    stacks = data.draw(st.lists(st.integers(1, 5000), min_size=player_count, max_size=player_count))
    rng = np.random.default_rng(seed)
    hand, seats, bot = start_random(variant, stacks, rng), list[int](), RandomBot(rng)
    while not hand.is_over:
        assert hand.public.actor is not None
        view = hand.view(hand.public.actor)
        sent = pb.View.FromString(as_message(hand, view, seats).SerializeToString())
        assert_same(decode_view(sent), view)
        seats.append(view.seat)
        hand = hand.play(bot.act(view))
