"""Messages that the resolver sends to a state manager and to an oracle, and what they answer."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from riverboat.protos.gamemanager.v1 import state_manager_pb2 as rules_pb
from riverboat.protos.oracle.v1 import oracle_pb2
from riverboat.rpc.convert.actions import encode_action
from riverboat.rpc.convert.resolver import encode_floats
from riverboat.solving.questions import LineTree, SpotQuestion, Step
from riverboat.solving.subgame import ACT, CHANCE, F32, FOLDED, LEAF, SHOWDOWN, Boards, two_player_lines

_KINDS = {
    rules_pb.PHASE_ACT: ACT,
    rules_pb.PHASE_CHANCE: CHANCE,
    rules_pb.PHASE_FOLDED: FOLDED,
    rules_pb.PHASE_SHOWDOWN: SHOWDOWN,
    rules_pb.PHASE_LEAF: LEAF,
}


def encode_subtree(spot: SpotQuestion) -> rules_pb.ExpandSubtreeRequest:
    """The betting ahead, on one board."""
    depth = rules_pb.Subtree.Depth(street=spot.depth[0], level=spot.depth[1]) if spot.depth else None
    subtree = rules_pb.Subtree(
        state=rules_pb.State.FromString(spot.state), bet_sizes=spot.bet_sizes, depth=depth, board_count=1
    )
    return rules_pb.ExpandSubtreeRequest(subtree=subtree)


def decode_lines(chunks: Iterable[rules_pb.ExpandSubtreeResponse]) -> LineTree:
    """The lines of betting."""
    parts: dict[str, list[NDArray[np.integer]]] = {}
    layouts = {
        "phase": "i1", "actor": "i1", "parent": "<i4", "action": "<i8", "first_child": "<i4", "child_count": "<i4",
        "pot": "<i8", "paid": "<i8", "folded": "u1",
    }  # fmt: skip
    board_size = 0
    for chunk in chunks:
        board_size = max(board_size, chunk.summary.board_size)
        for name, layout in layouts.items():
            parts.setdefault(name, []).append(np.frombuffer(getattr(chunk.nodes, name), layout))
    found = {name: np.concatenate(arrays) for name, arrays in parts.items()}
    kind = np.array([_KINDS[rules_pb.Phase.ValueType(int(phase))] for phase in found["phase"]], np.int8)
    paid = found["paid"].reshape(len(kind), -1).astype(np.int64)
    lines = two_player_lines(
        kind,
        found["actor"],
        found["folded"].reshape(len(kind), -1),
        found["parent"],
        found["first_child"],
        found["child_count"],
        found["action"],
        found["pot"],
        paid,
    )
    return LineTree(lines, paid, found["pot"].astype(np.int64), board_size)


def encode_following(spot: SpotQuestion, deal_count: int, weights: F32) -> oracle_pb2.FollowingBoardsRequest:
    """The boards ahead: all of them, whatever an iteration then goes through."""
    return oracle_pb2.FollowingBoardsRequest(
        deck=spot.deck,
        board=spot.board,
        deal_count=deal_count,
        ranges=[oracle_pb2.Range(weights=encode_floats(row)) for row in weights],
    )


def decode_following(message: oracle_pb2.FollowingBoardsResponse) -> tuple[Boards, tuple[str, ...], NDArray[np.uint8]]:
    """The boards ahead, their cards, and what holdings are made of."""
    count, holdings = len(message.boards), message.holding_count
    packed = np.frombuffer(message.live, np.uint8).reshape(count, -1)
    live = np.unpackbits(packed, axis=1, count=holdings, bitorder="little").astype(np.bool_)
    exchanges = np.frombuffer(message.exchanges, "<i4").astype(np.int32).reshape(-1, holdings)
    counts = np.frombuffer(message.mirror_counts, "<i4")
    names = np.split(np.frombuffer(message.mirrors, "<i4"), np.cumsum(counts)[:-1])
    boards = Boards(
        np.frombuffer(message.level, "<i4").astype(np.int32),
        np.frombuffer(message.parent, "<i4").astype(np.int32),
        np.frombuffer(message.chance, "<f8").astype(np.float64),
        live,
        tuple(exchanges[name] for name in names),
    )
    items = np.frombuffer(message.items, np.uint8).reshape(holdings, -1).copy()
    return boards, tuple(message.boards), items


def encode_boards(deck: str, boards: Sequence[str]) -> oracle_pb2.StrengthsRequest:
    """Boards to be told the strengths on."""
    return oracle_pb2.StrengthsRequest(deck=deck, boards=boards)


def decode_strengths(message: oracle_pb2.StrengthsResponse) -> NDArray[np.uint16]:
    """Strengths [K, H]."""
    found = np.frombuffer(message.strengths, "<u2").astype(np.uint16)
    return found.reshape(message.board_count, message.holding_count)


def encode_profiles_request(deck: str, boards: Sequence[str], bins: int) -> oracle_pb2.StrengthProfilesRequest:
    """How strong holdings are and may become."""
    return oracle_pb2.StrengthProfilesRequest(deck=deck, boards=boards, bin_count=bins)


def decode_profiles(message: oracle_pb2.StrengthProfilesResponse, bins: int) -> tuple[F32, F32]:
    """Profiles [K, H, bins] and average percentiles [K, H]."""
    shape = message.board_count, message.holding_count
    profiles = np.frombuffer(message.profiles, "<f4").astype(np.float32).reshape(*shape, bins)
    return profiles, np.frombuffer(message.means, "<f4").astype(np.float32).reshape(shape)


def encode_utility_request(
    deck: str, board: str, rows: NDArray[np.int32], columns: NDArray[np.int32]
) -> oracle_pb2.UtilityRequest:
    """The utility of some holdings against others."""
    return oracle_pb2.UtilityRequest(
        deck=deck, board=board, rows=rows.astype("<i4").tobytes(), columns=columns.astype("<i4").tobytes()
    )


def decode_utility(chunks: Iterable[oracle_pb2.UtilityResponse]) -> F32:
    """A utility matrix, flat."""
    return np.concatenate([np.frombuffer(chunk.values, "<f4") for chunk in chunks]).astype(np.float32)


def encode_apply(state: bytes, step: Step) -> rules_pb.ApplyRequest:
    """A state, and what happens in it."""
    message = rules_pb.State.FromString(state)
    if isinstance(step, str):
        return rules_pb.ApplyRequest(state=message, event=rules_pb.Event(board=step))
    move = rules_pb.Event.Move(seat=message.actor, action=encode_action(step))
    return rules_pb.ApplyRequest(state=message, event=rules_pb.Event(move=move))
