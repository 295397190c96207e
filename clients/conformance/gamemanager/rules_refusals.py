"""Requests that a state manager must refuse."""

from typing import Any, NamedTuple

from google.protobuf.message import Message

from riverboat.clients.conformance.check import Run
from riverboat.clients.conformance.expectations import refused
from riverboat.clients.conformance.gamemanager.common import NO_LIMIT, RULES, move
from riverboat.clients.conformance.gamemanager.rules import package, stub
from riverboat.clients.conformance.server import Server
from riverboat.protos.gamemanager.v1 import state_manager_pb2 as pb


class BadRule(NamedTuple):
    """A request, and what is wrong with it."""

    method: str
    words: str
    request: Message
    code: str
    field: str = ""


_INVALID, _ILLEGAL, _LARGE = "INVALID_ARGUMENT", "FAILED_PRECONDITION", "RESOURCE_EXHAUSTED"
_TAROT = pb.Variant(structure=pb.STRUCTURE_NO_LIMIT, deck="tarot")


def _sized(sizes: str, **changes: Any) -> pb.PackageRequest:
    """Return a request for a game with a list of sizes."""
    variant = pb.Variant()
    variant.CopyFrom(NO_LIMIT)
    variant.MergeFrom(pb.Variant(bet_sizes=sizes, **changes))
    return pb.PackageRequest(variant=variant, stacks=(500, 500))


def _listed() -> pb.PackageRequest:
    request = _sized("1b 3b")
    request.events.append(move(1, 300))
    return request


def _package(*events: pb.Event, stacks: tuple[int, ...] = (500, 500)) -> pb.PackageRequest:
    return pb.PackageRequest(variant=NO_LIMIT, stacks=stacks, events=events)


REFUSALS = (
    BadRule("Package", "no variant", pb.PackageRequest(), _INVALID, "variant"),
    BadRule("Package", "no stacks", _package(stacks=()), _INVALID, "stacks"),
    BadRule("Package", "5,000 seats", _package(stacks=(5,) * 5000), _INVALID, "stacks"),
    BadRule("Package", "a negative stack", _package(stacks=(-5, 5)), _INVALID, "stacks"),
    BadRule("Package", "stacks whose sum overflows", _package(stacks=(2**62, 2**62)), _INVALID, "stacks"),
    BadRule("Package", "an unknown deck", pb.PackageRequest(variant=_TAROT), _INVALID, "variant.deck"),
    BadRule("Package", "unreadable sizes", _sized("much"), _INVALID, "variant.bet_sizes"),
    BadRule("Package", "sizes for five streets", _sized("1p/1p/1p/1p/1p"), _INVALID, "variant.bet_sizes"),
    BadRule(
        "Package",
        "an all-in size in a variant without all-in",
        _sized("all-in", no_all_in=True),
        _INVALID,
        "variant.bet_sizes",
    ),
    BadRule("Package", "a raise that is not in the list", _listed(), _ILLEGAL),
    BadRule("Package", "an action out of turn", _package(move(0, 0)), _INVALID, "events[0].move.seat"),
    BadRule("Package", "an empty event", _package(pb.Event()), _INVALID, "events[0]"),
    BadRule("Package", "a raise below the minimum", _package(move(1, 101)), _ILLEGAL),
    BadRule("Package", "a raise beyond the stack", _package(move(1, 501)), _ILLEGAL),
    BadRule("Package", "a flop before preflop betting is over", _package(pb.Event(board="AhKhQh")), _ILLEGAL),
    BadRule("Package", "5,000 events", _package(*[move(1, 0)] * 5000), _LARGE),
    BadRule("Apply", "no event", pb.ApplyRequest(), _INVALID, "event"),
    BadRule("LegalActions", "no state", pb.LegalActionsRequest(), _INVALID, "state"),
    BadRule("CountSubtree", "no state", pb.CountSubtreeRequest(), _INVALID, "subtree.state"),
    BadRule("ExpandSubtree", "no state", pb.ExpandSubtreeRequest(), _INVALID, "subtree.state"),
)
IMPOSSIBLE: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("chips that do not add up", {"pot": 601}, "state.pot"),
    ("a board with too many cards for its street", {"board": "Td9d2c5h"}, "state.board"),
    ("a duplicate card", {"board": "TdTd2c"}, "state.board"),
    ("an unreadable card", {"board": "Zz"}, "state.board"),
    ("the wrong actor", {"actor": 1}, "state.actor"),
    ("an unknown street", {"street": 9}, "state.street"),
    ("a bet that nobody made", {"bet": 50}, "state.bet"),
)


def _check(refusal: BadRule) -> Run:
    def run(server: Server) -> None:
        refused(getattr(stub(server), refusal.method), refusal.request, refusal.code, refusal.field)

    return run


def _check_state(changes: dict[str, Any], field: str) -> Run:
    def run(server: Server) -> None:
        state = package(server, move(1, 300), move(0, 0), pb.Event(board="Td9d2c"))
        for name, value in changes.items():
            setattr(state, name, value)
        refused(stub(server).LegalActions, pb.LegalActionsRequest(state=state), _INVALID, field)

    return run


for _refusal in REFUSALS:
    RULES.add(_refusal.method, f"refuses {_refusal.words}", _check(_refusal))
for _words, _changes, _field in IMPOSSIBLE:
    RULES.add("LegalActions", f"refuses a state with {_words}, naming {_field}", _check_state(_changes, _field))


@RULES("ExpandSubtree", "refuses a tree above the limit that CountSubtree returns")
def too_large(server: Server) -> None:
    subtree = pb.Subtree(state=package(server, stacks=(20_000, 20_000)), bet_sizes="0.5p 1p 2p all-in")
    refused(stub(server).ExpandSubtree, pb.ExpandSubtreeRequest(subtree=subtree), _LARGE)


@RULES("ExpandSubtree", "refuses unreadable sizes, naming subtree.bet_sizes")
def no_sizes(server: Server) -> None:
    subtree = pb.Subtree(state=package(server), bet_sizes="huge")
    refused(stub(server).ExpandSubtree, pb.ExpandSubtreeRequest(subtree=subtree), _INVALID, "subtree.bet_sizes")


@RULES("Apply", "refuses an action against the rules")
def illegal(server: Server) -> None:
    request = pb.ApplyRequest(state=package(server), event=move(1, 101))
    refused(stub(server).Apply, request, _ILLEGAL)
