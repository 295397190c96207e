"""The resolver's requests to a state manager and an oracle, and their answers."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from riverboat.contracts.resolver import SpotQuestion, Step
from riverboat.contracts.state_manager import DescribedState
from riverboat.protos.gamemanager.v1 import state_manager_pb2 as rules_pb
from riverboat.protos.oracle.v1 import oracle_pb2
from riverboat.rpc.convert.actions import encode_action
from riverboat.rpc.convert.described_states import decode_described, encode_described
from riverboat.rpc.convert.resolver import encode_depth, encode_floats
from riverboat.solving.interfaces import Betting, DealtBoards
from riverboat.solving.subgame import ACT, CHANCE, F32, FOLDED, LEAF, SHOWDOWN, Boards, two_player_lines

_KINDS = {
    rules_pb.PHASE_ACT: ACT,
    rules_pb.PHASE_CHANCE: CHANCE,
    rules_pb.PHASE_FOLDED: FOLDED,
    rules_pb.PHASE_SHOWDOWN: SHOWDOWN,
    rules_pb.PHASE_LEAF: LEAF,
}
_COLUMNS = {
    "phase": "i1", "actor": "i1", "parent": "<i4", "action": "<i8", "first_child": "<i4", "child_count": "<i4",
    "pot": "<i8", "paid": "<i8", "folded": "u1",
}  # fmt: skip
_CARD = 2  # characters


def encode_subtree(spot: SpotQuestion) -> rules_pb.ExpandSubtreeRequest:
    """Encode a request for the betting ahead, on one board."""
    subtree = rules_pb.Subtree(
        state=encode_described(spot.state), bet_sizes=spot.bet_sizes, depth=encode_depth(spot.depth), board_count=1
    )
    return rules_pb.ExpandSubtreeRequest(subtree=subtree)


def decode_betting(chunks: Iterable[rules_pb.ExpandSubtreeResponse]) -> Betting:
    """Decode the lines of betting."""
    parts: dict[str, list[NDArray[np.integer]]] = {}
    board_size = 0
    for chunk in chunks:
        board_size = max(board_size, chunk.summary.board_size)
        for name, layout in _COLUMNS.items():
            parts.setdefault(name, []).append(np.frombuffer(getattr(chunk.nodes, name), layout))
    columns = {name: np.concatenate(arrays) for name, arrays in parts.items()}
    kind = np.array([_KINDS[rules_pb.Phase.ValueType(int(phase))] for phase in columns["phase"]], np.int8)
    paid = columns["paid"].reshape(len(kind), -1).astype(np.int64)
    lines = two_player_lines(
        kind=kind,
        folded=columns["folded"].reshape(len(kind), -1),
        paid=paid,
        **{name: columns[name] for name in ("actor", "parent", "first_child", "child_count", "action", "pot")},
    )
    return Betting(lines=lines, paid=paid, pot=columns["pot"].astype(np.int64), board_size=board_size)


def encode_following(deck: str, board: str, deal_count: int, weights: F32) -> oracle_pb2.FollowingBoardsRequest:
    """Encode a request for the boards ahead: all of them, even if an iteration visits only some."""
    return oracle_pb2.FollowingBoardsRequest(
        deck=deck,
        board=board,
        deal_count=deal_count,
        ranges=[oracle_pb2.Range(weights=encode_floats(row)) for row in weights],
    )


def decode_following(message: oracle_pb2.FollowingBoardsResponse) -> DealtBoards:
    """Decode the boards ahead, with their cards."""
    count, holdings = len(message.boards), message.holding_count
    packed = np.frombuffer(message.live, np.uint8).reshape(count, -1)
    live = np.unpackbits(packed, axis=1, count=holdings, bitorder="little").astype(np.bool_)
    exchanges = np.frombuffer(message.exchanges, "<i4").astype(np.int32).reshape(-1, holdings)
    counts = np.frombuffer(message.mirror_counts, "<i4")
    names = np.split(np.frombuffer(message.mirrors, "<i4"), np.cumsum(counts)[:-1])
    boards = Boards(
        level=np.frombuffer(message.level, "<i4").astype(np.int32),
        parent=np.frombuffer(message.parent, "<i4").astype(np.int32),
        chance=np.frombuffer(message.chance, "<f8").astype(np.float64),
        live=live,
        mirrors=tuple(exchanges[name] for name in names),
    )
    return DealtBoards(
        boards=boards,
        cards=tuple(message.boards),
        sizes=np.array([len(cards) // _CARD for cards in message.boards], np.int32),
        items=np.frombuffer(message.items, np.uint8).reshape(holdings, -1).copy(),
    )


def encode_boards(deck: str, boards: Sequence[str]) -> oracle_pb2.StrengthsRequest:
    """Encode a request for the strengths on boards."""
    return oracle_pb2.StrengthsRequest(deck=deck, boards=boards)


def decode_strengths(message: oracle_pb2.StrengthsResponse) -> NDArray[np.uint16]:
    """Decode strengths [K, H]."""
    strengths = np.frombuffer(message.strengths, "<u2").astype(np.uint16)
    return strengths.reshape(message.board_count, message.holding_count)


def encode_profiles_request(deck: str, boards: Sequence[str], bins: int) -> oracle_pb2.StrengthProfilesRequest:
    """Encode a request for strength profiles."""
    return oracle_pb2.StrengthProfilesRequest(deck=deck, boards=boards, bin_count=bins)


def decode_profiles(message: oracle_pb2.StrengthProfilesResponse, bins: int) -> tuple[F32, F32]:
    """Decode profiles [K, H, bins] and average percentiles [K, H]."""
    shape = message.board_count, message.holding_count
    profiles = np.frombuffer(message.profiles, "<f4").astype(np.float32).reshape(*shape, bins)
    return profiles, np.frombuffer(message.means, "<f4").astype(np.float32).reshape(shape)


def encode_utility_request(
    deck: str, board: str, rows: NDArray[np.int32], columns: NDArray[np.int32]
) -> oracle_pb2.UtilityRequest:
    """Encode a request for the utility of some holdings against others."""
    return oracle_pb2.UtilityRequest(
        deck=deck, board=board, rows=rows.astype("<i4").tobytes(), columns=columns.astype("<i4").tobytes()
    )


def decode_utility(chunks: Iterable[oracle_pb2.UtilityResponse]) -> F32:
    """Decode a utility matrix, flat."""
    return np.concatenate([np.frombuffer(chunk.values, "<f4") for chunk in chunks]).astype(np.float32)


def encode_apply(state: DescribedState, step: Step) -> rules_pb.ApplyRequest:
    """Encode a state and the event to apply to it: an action, or board cards."""
    message = encode_described(state)
    if isinstance(step, str):
        return rules_pb.ApplyRequest(state=message, event=rules_pb.Event(board=step))
    move = rules_pb.Event.Move(seat=state.actor, action=encode_action(step))
    return rules_pb.ApplyRequest(state=message, event=rules_pb.Event(move=move))


def decode_applied(message: rules_pb.ApplyResponse) -> DescribedState:
    """Decode the state after an event."""
    return decode_described(message.state)
