"""Actions as messages: the same for every contract that has them."""

from riverboat.actions import CALL, FOLD
from riverboat.errors import InvalidInput
from riverboat.protos.gamemanager.v1 import state_manager_pb2 as pb


def decode_action(message: pb.Action) -> int:
    """Decode an action: FOLD, CALL, or the chips to raise to."""
    match message.WhichOneof("kind"):
        case "fold":
            return FOLD
        case "call":
            return CALL
        case "raise_to":
            if message.raise_to < 1:
                raise InvalidInput("raise_to", f"must be above 0, not {message.raise_to}")
            return message.raise_to
    raise InvalidInput("", "must be a fold, a call or a raise")


def encode_action(action: int) -> pb.Action:
    """Encode an action."""
    if action == FOLD:
        return pb.Action(fold=pb.Action.Fold())
    if action == CALL:
        return pb.Action(call=pb.Action.Call())
    return pb.Action(raise_to=action)
