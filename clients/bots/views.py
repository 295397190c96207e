"""Views as messages, and views as bots see them."""

from riverboat.cards import parse_cards
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.rpc.convert.actions import decode_action
from riverboat.rpc.convert.state_manager import decode_state
from riverboat.rules.state import View


def decode_view(message: pb.View) -> View:
    """What the seat of a chair may see of the hand: the same that the arena shows to a bot."""
    actions = (event.moved.action for event in message.events if event.HasField("moved"))
    return View(
        message.seat,
        decode_state(message.state),
        parse_cards(message.holding),
        tuple(decode_action(action) for action in actions),
    )
