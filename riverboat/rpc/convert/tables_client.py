"""Messages of the tables' contract as its clients need them: requests out, answers in."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from riverboat.cards import parse_cards
from riverboat.contracts.tables import CreatedTable, JoinedChair, ListedTables, Refusal, Unreadable
from riverboat.dealing.witness import Sight
from riverboat.errors import InvalidInput, RiverboatError
from riverboat.marks import DecisionCounts, Mark
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.rpc.convert.actions import decode_action
from riverboat.rpc.convert.deals import decode_coming, decode_openings
from riverboat.rpc.convert.state_manager import decode_state, decode_variant
from riverboat.rpc.convert.tables import decode_config
from riverboat.rpc.status import error_of
from riverboat.tables import entries
from riverboat.tables.config import TableConfig
from riverboat.tables.evidence import sight_of
from riverboat.tables.records import HandRecord
from riverboat.tables.view import ChairView, PublicUpdate, Status, TableInfo, TableView


def decode_created(message: pb.CreateTableResponse) -> CreatedTable:
    """Decode a new table."""
    return CreatedTable(info=decode_info(message.table), dealer_token=message.dealer_token)


def decode_joined(message: pb.JoinTableResponse) -> JoinedChair:
    """Decode a chair and its token."""
    return JoinedChair(chair=message.chair, token=message.token)


def decode_tables(message: pb.ListTablesResponse) -> ListedTables:
    """Decode tables, and the ids of those that are set aside."""
    return ListedTables(tables=tuple(map(decode_info, message.tables)), damaged_ids=tuple(message.damaged_table_ids))


def decode_info(message: pb.TableInfo) -> TableInfo:
    """Decode a table as everybody sees it."""
    return TableInfo(
        table_id=message.table_id,
        config=_decode_config(message.config),
        status=_decode_status(message.status),
        chairs=_decode_chairs(message.chairs),
        hand_count=message.hand_count,
    )


def _decode_config(message: pb.TableConfig) -> TableConfig:
    """Decode a table's configuration, including a match's side and a tournament, which only the server may set."""
    side = message.match_side
    return replace(
        _config_if_known(message),
        match_id=side.match_id,
        side=side.side,
        side_count=side.side_count,
        tournament_id=message.tournament_id,
    )


def _config_if_known(message: pb.TableConfig) -> TableConfig:
    """Decode a table's configuration, without bet sizes of a later version, so that its tables can be listed."""
    try:
        return decode_config(message)
    except InvalidInput:
        known = pb.TableConfig()
        known.CopyFrom(message)
        known.variant.ClearField("bet_sizes")
        return decode_config(known)


def _decode_status(status: int) -> Status:
    try:
        return Status(status)
    except ValueError:
        raise InvalidInput("status", f"{status} is not a value in the contract") from None


def _decode_chairs(messages: Iterable[pb.Chair]) -> tuple[ChairView, ...]:
    return tuple(
        ChairView(
            chair=chair.chair,
            name=chair.name,
            stack=chair.stack,
            is_agent=chair.is_agent,
            is_leaving=chair.is_leaving,
            decisions=decode_counts(chair.decisions),
        )
        for chair in messages
    )


def decode_counts(message: pb.DecisionCounts) -> DecisionCounts:
    """Decode the counts of a player's decisions."""
    return DecisionCounts(
        decision_count=message.decision_count,
        partial_count=message.partial_count,
        fallback_count=message.fallback_count,
        timed_out_count=message.timed_out_count,
    )


def decode_answer(message: pb.PlayResponse) -> TableView | Refusal | Unreadable:
    """Decode an answer of a stream: a view, or a decision that was refused."""
    if message.WhichOneof("kind") != "refusal":
        return read_view(message.view)
    return Refusal(request_id=message.refusal.request_id, error=error_of(message.refusal.code, message.refusal.message))


def read_view(message: pb.View) -> TableView | Unreadable:
    """Decode a chair's view; return an Unreadable if it cannot be read."""
    try:
        return decode_view(message)
    except RiverboatError as error:
        return Unreadable(hand_number=message.hand_number, reason=str(error))


def decode_view(message: pb.View) -> TableView:
    """Decode a chair's view; raise InvalidInput if it cannot be read."""
    return TableView(
        table_id=message.table_id,
        status=_decode_status(message.status),
        chairs=_decode_chairs(message.chairs),
        chair=message.chair,
        hand_number=message.hand_number,
        action_number=message.action_number,
        seat=None if message.seat < 0 else message.seat,
        public=decode_state(message.state) if message.HasField("state") else None,
        holding=parse_cards(message.holding),
        first_entry=_first_number(message.events),
        entries=decode_entries(message.events),
        is_your_turn=message.is_your_turn,
        time_left_ms=message.time_left_ms,
        waits_for=message.waits_for,
        openings=decode_openings(message.openings),
        coming=decode_coming(message.table_id, message.coming_deal) if message.HasField("coming_deal") else None,
    )


def decode_sight(message: pb.View) -> Sight:
    """Decode the deals in a view; raise InvalidInput if they cannot be read."""
    return sight_of(decode_view(message))


def decode_update(message: pb.WatchResponse) -> PublicUpdate:
    """Decode the entries of a table since an earlier one."""
    return PublicUpdate(
        info=decode_info(message.table),
        first_entry=_first_number(message.events),
        entries=decode_entries(message.events),
        public=decode_state(message.state) if message.HasField("state") else None,
        holdings=tuple(map(parse_cards, message.holdings)),
        time_left_ms=message.time_left_ms,
        waits_for=message.waits_for,
        coming=decode_coming(message.table.table_id, message.coming_deal) if message.HasField("coming_deal") else None,
    )


def decode_records(message: pb.ListHandsResponse) -> list[HandRecord | Unreadable]:
    """Decode hands that are over."""
    return list(map(read_record, message.hands))


def read_record(message: pb.HandRecord) -> HandRecord | Unreadable:
    """Decode a hand that is over; return an Unreadable if it cannot be read."""
    try:
        return decode_record(message)
    except RiverboatError as error:
        return Unreadable(hand_number=message.hand_number, reason=str(error))


def decode_record(message: pb.HandRecord) -> HandRecord:
    """Decode a hand that is over; raise InvalidInput if it cannot be read."""
    return HandRecord(
        hand_number=message.hand_number,
        variant=decode_variant(message.variant),
        names=tuple(message.names),
        first_entry=_first_number(message.events),
        entries=decode_entries(message.events),
        phh=message.phh,
        table_id=message.table_id,
    )


def _first_number(events: Sequence[pb.TableEvent]) -> int:
    return events[0].number if events else 0


def decode_entries(events: Iterable[pb.TableEvent]) -> tuple[entries.Entry, ...]:
    """Decode entries, in order."""
    return tuple(map(decode_entry, events))


def decode_entry(event: pb.TableEvent) -> entries.Entry:
    """Decode an entry: a public event of a table."""
    match event.WhichOneof("kind"):
        case "joined":
            return entries.PlayerJoined(event.joined.chair, event.joined.name, event.joined.stack)
        case "left":
            return entries.PlayerLeft(event.left.chair)
        case "rebought":
            return entries.ChipsBought(event.rebought.chair, event.rebought.chips)
        case "hand_started":
            return _decode_start(event.hand_started)
        case "moved":
            return entries.SeatMoved(event.moved.seat, decode_action(event.moved.action), event.moved.timed_out)
        case "board_dealt":
            return entries.BoardOpened(
                parse_cards(event.board_dealt.cards), dealt=_decode_proof(event.board_dealt.openings)
            )
        case "shown":
            cards = parse_cards(event.shown.cards)
            return entries.HoldingShown(event.shown.seat, cards, _decode_proof(event.shown.openings))
        case "hand_ended":
            ended = event.hand_ended
            return entries.HandFinished(tuple(ended.payoffs), ended.seed, _decode_marks(ended.marks))
        case "deal_voided":
            voided = event.deal_voided
            return entries.DealVoided(voided.hand_number, voided.attempt, tuple(voided.chairs))
        case "blinds_set":
            blinds = event.blinds_set
            return entries.BlindsRaised(blinds.small_blind, blinds.big_blind, blinds.ante)
        case "closed":
            return entries.TableClosed()
    return entries.UnknownEntry()


def _decode_start(message: pb.TableEvent.HandStarted) -> entries.HandBegan:
    return entries.HandBegan(
        hand_number=message.hand_number,
        chairs=tuple(message.chairs),
        stacks=tuple(message.stacks),
        names=tuple(message.names),
        commitment=message.commitment,
        attempt=message.attempt,
        roots=tuple(message.roots),
        secrets=tuple(message.secrets),
        other_seed=message.other_seed,
        posts=tuple(message.posts),
    )


def _decode_proof(openings: Iterable[pb.Opening]) -> entries.ToldOpenings:
    return entries.ToldOpenings(decode_openings(openings))


def _decode_marks(messages: Iterable[pb.MarkedDecision]) -> tuple[entries.MarkedMove, ...]:
    """Decode marks, without those of a kind that this version does not know."""
    known = {mark.value for mark in Mark}
    return tuple(
        entries.MarkedMove(message.action_number, message.seat, Mark(message.mark), message.reason)
        for message in messages
        if message.mark in known
    )
