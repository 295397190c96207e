"""Messages of the tables' contract."""

from collections.abc import Sequence

from riverboat.cards import format_cards
from riverboat.contracts.tables import Decision, Refusal
from riverboat.dealing.memory import Contribution
from riverboat.errors import InvalidInput, in_field
from riverboat.marks import LONGEST_REASON, DecisionCounts, Mark, MarkedAction, mark_of
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.rpc.convert.actions import decode_action, encode_action
from riverboat.rpc.convert.deals import decode_contribution, encode_coming, encode_openings
from riverboat.rpc.convert.state_manager import decode_variant, encode_legal_actions, encode_state, encode_variant
from riverboat.rpc.status import code_of, message_of
from riverboat.rules.variant import MOST_SEATS
from riverboat.tables.config import DEFAULT_CLOCK_MS, LEAST_PLAYERS, LONGEST_REQUEST, Reveal, TableConfig
from riverboat.tables.entries import (
    BlindsRaised,
    BoardOpened,
    ChipsBought,
    DealVoided,
    Entry,
    HandBegan,
    HandFinished,
    HoldingShown,
    MarkedMove,
    PlayerJoined,
    PlayerLeft,
    SeatMoved,
    TableClosed,
)
from riverboat.tables.records import HandRecord
from riverboat.tables.view import ChairView, PublicUpdate, TableInfo, TableView

DEFAULT_HANDS = 100


def decode_config(message: pb.TableConfig) -> TableConfig:
    """Decode a table's configuration, unchecked (see `check_config`)."""
    with in_field("config"):
        if len(message.agents) > MOST_SEATS:
            raise InvalidInput("agents", f"there must be at most {MOST_SEATS}, not {len(message.agents):,}")
        return TableConfig(
            name=message.name,
            variant=decode_variant(message.variant),
            chair_count=message.chair_count,
            buy_in=message.buy_in,
            clock_ms=message.clock_ms or DEFAULT_CLOCK_MS,
            pause_ms=message.pause_ms,
            hand_limit=message.hand_limit,
            agents=tuple(message.agents),
            agents_only=message.agents_only,
            players_to_start=message.players_to_start or max(LEAST_PLAYERS, len(message.variant.blinds)),
            agents_rebuy=message.agents_rebuy,
            newcomers_post=message.newcomers_post,
            no_clock=message.no_clock,
            equal_stacks=message.equal_stacks,
            reveal=_decode_reveal(message.reveal),
        )


def _decode_reveal(reveal: int) -> Reveal:
    try:
        return Reveal(reveal)
    except ValueError:
        raise InvalidInput("reveal", f"{reveal} is not a value in the contract") from None


def encode_config(config: TableConfig) -> pb.TableConfig:
    """Encode a table's configuration."""
    return pb.TableConfig(
        name=config.name,
        variant=encode_variant(config.variant),
        chair_count=config.chair_count,
        buy_in=config.buy_in,
        clock_ms=config.clock_ms,
        pause_ms=config.pause_ms,
        hand_limit=config.hand_limit,
        agents=config.agents,
        agents_only=config.agents_only,
        players_to_start=config.players_to_start,
        agents_rebuy=config.agents_rebuy,
        newcomers_post=config.newcomers_post,
        no_clock=config.no_clock,
        equal_stacks=config.equal_stacks,
        reveal=pb.Reveal.ValueType(config.reveal),
        match_side=pb.MatchSide(match_id=config.match_id, side=config.side, side_count=config.side_count)
        if config.side_count
        else None,
        tournament_id=config.tournament_id,
    )


def encode_info(info: TableInfo) -> pb.TableInfo:
    """Encode a table as everybody sees it."""
    return pb.TableInfo(
        table_id=info.table_id,
        config=encode_config(info.config),
        status=pb.TableStatus.ValueType(info.status),
        chairs=map(_encode_chair, info.chairs),
        hand_count=info.hand_count,
    )


def _encode_chair(chair: ChairView) -> pb.Chair:
    return pb.Chair(
        chair=chair.chair,
        name=chair.name,
        stack=chair.stack,
        is_agent=chair.is_agent,
        is_leaving=chair.is_leaving,
        decisions=encode_counts(chair.decisions),
    )


def encode_counts(counts: DecisionCounts) -> pb.DecisionCounts:
    """Encode the counts of a player's decisions."""
    return pb.DecisionCounts(
        decision_count=counts.decision_count,
        partial_count=counts.partial_count,
        fallback_count=counts.fallback_count,
        timed_out_count=counts.timed_out_count,
    )


def encode_created(info: TableInfo, dealer_token: str) -> pb.CreateTableResponse:
    """Encode a new table."""
    return pb.CreateTableResponse(table=encode_info(info), dealer_token=dealer_token)


def encode_tables(tables: Sequence[TableInfo], damaged: Sequence[str]) -> pb.ListTablesResponse:
    """Encode tables, and the ids of those that are set aside."""
    return pb.ListTablesResponse(tables=map(encode_info, tables), damaged_table_ids=damaged)


def decode_hands(request: pb.ListHandsRequest) -> tuple[str, int, int]:
    """Decode a ListHandsRequest."""
    return request.table_id, request.first_hand or 1, request.hand_count or DEFAULT_HANDS


def decode_join(request: pb.JoinTableRequest) -> tuple[str, str, int | None, str, bool]:
    """Decode a JoinTableRequest."""
    chair = request.chair if request.HasField("chair") else None
    return request.table_id, request.name, chair, request.request_id, request.contributes


def encode_join(chair: int, token: str) -> pb.JoinTableResponse:
    """Encode a chair and its token."""
    return pb.JoinTableResponse(chair=chair, token=token)


def decode_decision(message: pb.Decision) -> Decision:
    """Decode a decision; its action has a mark if it was not made as intended."""
    with in_field("decision"):
        if not 1 <= len(message.request_id) <= LONGEST_REQUEST:
            raise InvalidInput("request_id", f"must have 1 to {LONGEST_REQUEST} characters")
        with in_field("action"):
            action = decode_action(message.action)
        action = _with_mark(action, message)
    return Decision(
        request_id=message.request_id,
        hand_number=message.hand_number,
        action_number=message.action_number,
        action=action,
        table_id=message.table_id,
    )


def _with_mark(action: int, message: pb.Decision) -> int:
    reason = message.mark_reason
    if message.mark not in pb.Mark.values():
        raise InvalidInput("mark", f"there is no mark {message.mark}")
    if len(reason) > LONGEST_REASON or not reason.isprintable():
        raise InvalidInput("mark_reason", f"must have at most {LONGEST_REASON} printable characters")
    if reason and not message.mark:
        raise InvalidInput("mark_reason", "must be empty without a mark")
    return MarkedAction(action, Mark(message.mark), reason) if message.mark else action


def encode_decision(decision: Decision) -> pb.Decision:
    """Encode an action to take, with its mark if it has one."""
    mark, reason = mark_of(decision.action)
    return pb.Decision(
        request_id=decision.request_id,
        hand_number=decision.hand_number,
        action_number=decision.action_number,
        action=encode_action(decision.action),
        mark=pb.Mark.ValueType(mark),
        mark_reason=reason,
        table_id=decision.table_id,
    )


def decode_play(message: pb.PlayRequest) -> str | Contribution | Decision:
    """Decode a token, a decision, or a contribution."""
    match message.WhichOneof("kind"):
        case "token":
            return message.token
        case "decision":
            return decode_decision(message.decision)
        case "contribution":
            return decode_contribution(message.contribution)
    raise InvalidInput("", "must be a token, a decision or a contribution")


def encode_entry(number: int, entry: Entry) -> pb.TableEvent:
    """Encode an entry: a public event of a table."""
    event = pb.TableEvent(number=number)
    match entry:
        case PlayerJoined():
            event.joined.CopyFrom(pb.TableEvent.Joined(chair=entry.chair, name=entry.name, stack=entry.stack))
        case PlayerLeft():
            event.left.CopyFrom(pb.TableEvent.Left(chair=entry.chair))
        case ChipsBought():
            event.rebought.CopyFrom(pb.TableEvent.Rebought(chair=entry.chair, chips=entry.chips))
        case HandBegan():
            event.hand_started.CopyFrom(
                pb.TableEvent.HandStarted(
                    hand_number=entry.hand_number,
                    chairs=entry.chairs,
                    stacks=entry.stacks,
                    commitment=entry.commitment,
                    names=entry.names,
                    attempt=entry.attempt,
                    roots=entry.roots,
                    secrets=entry.secrets,
                    other_seed=entry.other_seed,
                    posts=entry.posts,
                )
            )
        case SeatMoved():
            event.moved.CopyFrom(
                pb.TableEvent.Moved(seat=entry.seat, action=encode_action(entry.action), timed_out=entry.timed_out)
            )
        case BoardOpened():
            cards, openings = format_cards(entry.cards), encode_openings(entry.openings)
            event.board_dealt.CopyFrom(pb.TableEvent.BoardDealt(cards=cards, openings=openings))
        case HoldingShown():
            cards, openings = format_cards(entry.cards), encode_openings(entry.openings)
            event.shown.CopyFrom(pb.TableEvent.Shown(seat=entry.seat, cards=cards, openings=openings))
        case HandFinished():
            event.hand_ended.CopyFrom(
                pb.TableEvent.HandEnded(payoffs=entry.payoffs, seed=entry.seed, marks=map(_encode_mark, entry.marks))
            )
        case DealVoided():
            event.deal_voided.CopyFrom(
                pb.TableEvent.DealVoided(hand_number=entry.hand_number, attempt=entry.attempt, chairs=entry.chairs)
            )
        case BlindsRaised():
            event.blinds_set.CopyFrom(
                pb.TableEvent.BlindsSet(small_blind=entry.small_blind, big_blind=entry.big_blind, ante=entry.ante)
            )
        case TableClosed():
            event.closed.SetInParent()
    return event


def _encode_mark(move: MarkedMove) -> pb.MarkedDecision:
    return pb.MarkedDecision(
        action_number=move.action_number, seat=move.seat, mark=pb.Mark.ValueType(move.mark), reason=move.reason
    )


def encode_entries(first: int, entries: Sequence[Entry]) -> list[pb.TableEvent]:
    """Encode entries with consecutive numbers, from `first` on."""
    return [encode_entry(first + i, entry) for i, entry in enumerate(entries)]


def encode_view(view: TableView) -> pb.View:
    """Encode a chair's view."""
    public = view.public
    return pb.View(
        table_id=view.table_id,
        chair=view.chair,
        status=pb.TableStatus.ValueType(view.status),
        chairs=map(_encode_chair, view.chairs),
        hand_number=view.hand_number,
        action_number=view.action_number,
        seat=-1 if view.seat is None else view.seat,
        state=encode_state(public) if public else None,
        holding=format_cards(view.holding),
        events=encode_entries(view.first_entry, view.entries),
        is_your_turn=view.is_your_turn,
        legal=encode_legal_actions(public, public.raises_to) if public and view.is_your_turn else None,
        time_left_ms=view.time_left_ms,
        waits_for=view.waits_for,
        coming_deal=encode_coming(view.coming) if view.coming else None,
        openings=encode_openings(view.openings),
    )


def encode_taken(view: TableView) -> pb.TakeActionResponse:
    """Encode a chair's view after its action."""
    return pb.TakeActionResponse(view=encode_view(view))


def encode_contributed(view: TableView) -> pb.ContributeResponse:
    """Encode a chair's view after its contribution."""
    return pb.ContributeResponse(view=encode_view(view))


def encode_left(at_once: bool) -> pb.LeaveTableResponse:
    """Encode whether the chair is free now."""
    return pb.LeaveTableResponse(at_once=at_once)


def encode_closed(at_once: bool) -> pb.CloseTableResponse:
    """Encode whether the table is closed now."""
    return pb.CloseTableResponse(at_once=at_once)


def encode_answer(answer: TableView | Refusal) -> pb.PlayResponse:
    """Encode a view or a refused decision, in a stream."""
    if isinstance(answer, TableView):
        return pb.PlayResponse(view=encode_view(answer))
    code: int = code_of(answer.error).value[0]
    refusal = pb.PlayResponse.Refusal(request_id=answer.request_id, code=code, message=message_of(answer.error))
    return pb.PlayResponse(refusal=refusal)


def encode_update(update: PublicUpdate) -> pb.WatchResponse:
    """Encode the entries of a table since an earlier one."""
    return pb.WatchResponse(
        events=encode_entries(update.first_entry, update.entries),
        table=encode_info(update.info),
        state=encode_state(update.public) if update.public else None,
        holdings=map(format_cards, update.holdings),
        time_left_ms=update.time_left_ms,
        waits_for=update.waits_for,
        coming_deal=encode_coming(update.coming) if update.coming else None,
    )


def encode_records(records: Sequence[HandRecord]) -> pb.ListHandsResponse:
    """Encode hands that are over."""
    return pb.ListHandsResponse(hands=map(encode_record, records))


def encode_record(record: HandRecord) -> pb.HandRecord:
    """Encode a hand that is over."""
    return pb.HandRecord(
        hand_number=record.hand_number,
        variant=encode_variant(record.variant),
        names=record.names,
        events=encode_entries(record.first_entry, record.entries),
        phh=record.phh,
        table_id=record.table_id,
    )
