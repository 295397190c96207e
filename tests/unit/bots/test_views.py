"""Views that go through messages are those that the library gives."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from clients.bots.views import decode_view
from protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.arena.bots import RandomBot
from riverboat.cards import format_cards
from riverboat.rpc.convert.state_manager import encode_state
from riverboat.rpc.convert.tables import encode_action, encode_view
from riverboat.rules.state import HandState, View, start_random
from riverboat.rules.variant import VARIANTS, no_limit
from riverboat.tables.config import TableConfig
from riverboat.tables.events import Created, Joined
from riverboat.tables.table import Table
from riverboat.tables.view import view_of


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
def test_random_hands(variant: object, data: st.DataObject, seed: int) -> None:
    variant = next(known for known in VARIANTS if known is variant)
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


def test_views_of_a_table() -> None:
    """The messages that tables themselves make."""
    config = TableConfig("t", no_limit(50, 100), 3, 2000, 1000, 0, 0, (), False)
    table = Table("t", Created(config, "", "00"))
    for chair in range(3):
        table.apply(Joined(chair, f"p{chair}", str(chair), str(chair), False))
    rng = np.random.default_rng(5)
    bot = RandomBot(rng)
    for _ in range(20):
        if not table.can_start:
            break
        for event in table.start_hand(rng.bytes(32)):
            table.apply(event)
        while table.hand and table.actor is not None:
            view = table.hand.state.view(table.hand.state.public.actor or 0)
            message = encode_view(view_of(table, table.actor, 500))
            assert message.is_your_turn
            assert_same(decode_view(message), view)
            for move in table.act(table.actor, "r", table.hand.number, table.hand.action_count, bot.act(view)):
                table.player(table.actor or 0).requests.clear()
                table.apply(move)
    assert table.hand_count > 1
