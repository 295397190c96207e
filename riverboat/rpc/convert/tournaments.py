"""Messages of the tournaments' contract."""

from collections.abc import Sequence

from riverboat.contracts.tournaments import CreatedTournament, TournamentPlan
from riverboat.errors import InvalidInput, in_field
from riverboat.protos.gamemanager.v1 import tournaments_pb2 as pb
from riverboat.tables.config import DEFAULT_CLOCK_MS
from riverboat.tournaments import entries
from riverboat.tournaments.report import EntrantStanding, TournamentInfo, TournamentReport
from riverboat.tournaments.structures import MOST_ENTRANTS, BlindLevel, TournamentStructure, preset, with_entrants
from riverboat.tournaments.tournament import TournamentStatus


def decode_plan(request: pb.CreateTournamentRequest) -> TournamentPlan:
    """Decode a CreateTournamentRequest."""
    return TournamentPlan(
        structure=_decode_rules(request),
        agents=_decode_agents(request.agents),
        name=request.name,
        clock_ms=request.clock_ms or DEFAULT_CLOCK_MS,
        pause_ms=request.pause_ms,
    )


def _decode_rules(request: pb.CreateTournamentRequest) -> TournamentStructure:
    """Return the structure of a request: its own, or a preset."""
    match request.WhichOneof("kind"):
        case "preset":
            structure = preset(request.preset)
            if request.entrant_count > MOST_ENTRANTS:
                raise InvalidInput("entrant_count", f"must be at most {MOST_ENTRANTS:,}, not {request.entrant_count:,}")
            return with_entrants(structure, request.entrant_count) if request.entrant_count else structure
        case "structure":
            if request.entrant_count:
                raise InvalidInput("entrant_count", "is for presets; a structure has its own")
            with in_field("structure"):
                return decode_structure(request.structure)
    raise InvalidInput("", "name a preset, or send a structure")


def _decode_agents(entered: Sequence[pb.AgentEntry]) -> tuple[str, ...]:
    """Return the agents, one for each entry."""
    if any(entry.count < 0 for entry in entered):
        raise InvalidInput("agents", "no agent can enter a negative number of times")
    if sum(max(1, entry.count) for entry in entered) > MOST_ENTRANTS:
        raise InvalidInput("agents", f"there must be at most {MOST_ENTRANTS:,} together")
    return tuple(entry.name for entry in entered for _ in range(max(1, entry.count)))


def encode_plan(plan: TournamentPlan) -> pb.CreateTournamentRequest:
    """Encode a tournament to play."""
    counts = {name: plan.agents.count(name) for name in dict.fromkeys(plan.agents)}
    return pb.CreateTournamentRequest(
        name=plan.name,
        structure=encode_structure(plan.structure),
        agents=[pb.AgentEntry(name=name, count=count) for name, count in counts.items()],
        clock_ms=plan.clock_ms,
        pause_ms=plan.pause_ms,
    )


def decode_structure(message: pb.TournamentStructure) -> TournamentStructure:
    """Decode a structure; raise InvalidInput if it is impossible."""
    return TournamentStructure(
        name=message.name,
        entrant_count=message.entrant_count,
        seats_per_table=message.seats_per_table,
        starting_chips=message.starting_chips,
        levels=tuple(map(_decode_level, message.levels)),
        level_hands=message.level_hands,
        level_minutes=message.level_minutes,
        payouts=tuple(message.payouts),
        buy_in=message.buy_in,
    )


def encode_structure(structure: TournamentStructure) -> pb.TournamentStructure:
    """Encode a structure."""
    return pb.TournamentStructure(
        name=structure.name,
        entrant_count=structure.entrant_count,
        seats_per_table=structure.seats_per_table,
        starting_chips=structure.starting_chips,
        levels=map(_encode_level, structure.levels),
        level_hands=structure.level_hands,
        level_minutes=structure.level_minutes,
        payouts=structure.payouts,
        buy_in=structure.buy_in,
    )


def _decode_level(message: pb.BlindLevel) -> BlindLevel:
    return BlindLevel(message.small_blind, message.big_blind, message.ante)


def _encode_level(level: BlindLevel) -> pb.BlindLevel:
    return pb.BlindLevel(small_blind=level.small_blind, big_blind=level.big_blind, ante=level.ante)


def encode_info(info: TournamentInfo) -> pb.TournamentInfo:
    """Encode a tournament as a list of tournaments shows it."""
    return pb.TournamentInfo(
        tournament_id=info.tournament_id,
        name=info.name,
        structure=encode_structure(info.structure),
        status=pb.TournamentStatus.ValueType(info.status),
        registered_count=info.registered_count,
        left_count=info.left_count,
        level=info.level + 1,
        blinds=_encode_level(info.blinds),
        hand_count=info.hand_count,
        agents_only=info.agents_only,
        table_ids=info.table_ids,
        clock_ms=info.clock_ms,
    )


def decode_info(message: pb.TournamentInfo) -> TournamentInfo:
    """Decode a tournament as a list of tournaments shows it."""
    try:
        status = TournamentStatus(message.status)
    except ValueError:
        raise InvalidInput("status", f"{message.status} is not a value in the contract") from None
    return TournamentInfo(
        tournament_id=message.tournament_id,
        name=message.name,
        structure=decode_structure(message.structure),
        status=status,
        registered_count=message.registered_count,
        left_count=message.left_count,
        level=message.level - 1,
        blinds=_decode_level(message.blinds),
        hand_count=message.hand_count,
        agents_only=message.agents_only,
        table_ids=tuple(message.table_ids),
        clock_ms=message.clock_ms,
    )


def encode_created(info: TournamentInfo, dealer_token: str) -> pb.CreateTournamentResponse:
    """Encode a new tournament."""
    return pb.CreateTournamentResponse(tournament=encode_info(info), dealer_token=dealer_token)


def decode_created(message: pb.CreateTournamentResponse) -> CreatedTournament:
    """Decode a new tournament."""
    return CreatedTournament(info=decode_info(message.tournament), dealer_token=message.dealer_token)


def encode_registered(token: str) -> pb.RegisterResponse:
    """Encode an entrant's token."""
    return pb.RegisterResponse(token=token)


def encode_tournaments(infos: Sequence[TournamentInfo]) -> pb.ListTournamentsResponse:
    """Encode tournaments."""
    return pb.ListTournamentsResponse(tournaments=map(encode_info, infos))


def decode_tournaments(message: pb.ListTournamentsResponse) -> tuple[TournamentInfo, ...]:
    """Decode tournaments."""
    return tuple(map(decode_info, message.tournaments))


def encode_report(report: TournamentReport) -> pb.WatchTournamentResponse:
    """Encode the standings and the news of a tournament."""
    return pb.WatchTournamentResponse(
        tournament=encode_info(report.info),
        standings=map(_encode_standing, report.standings),
        events=[_encode_news(number, news) for number, news in report.events],
        waits_for=report.waits_for,
    )


def decode_report(message: pb.WatchTournamentResponse) -> TournamentReport:
    """Decode the standings and the news of a tournament."""
    return TournamentReport(
        info=decode_info(message.tournament),
        standings=tuple(map(_decode_standing, message.standings)),
        first_news=message.events[0].number if message.events else 0,
        news=tuple(map(_decode_news, message.events)),
        waits_for=message.waits_for,
    )


def _encode_standing(standing: EntrantStanding) -> pb.Standing:
    return pb.Standing(
        name=standing.name,
        is_agent=standing.is_agent,
        chips=standing.chips,
        rank=standing.rank,
        prize=standing.prize,
        table_id=standing.table_id,
        chair=standing.chair,
    )


def _decode_standing(message: pb.Standing) -> EntrantStanding:
    return EntrantStanding(
        name=message.name,
        is_agent=message.is_agent,
        chips=message.chips,
        rank=message.rank,
        prize=message.prize,
        table_id=message.table_id,
        chair=message.chair,
    )


def _encode_news(number: int, news: entries.News) -> pb.TournamentEvent:
    event, kinds = pb.TournamentEvent(number=number), pb.TournamentEvent
    match news:
        case entries.PlayerEntered():
            event.registered.CopyFrom(kinds.Registered(name=news.name))
        case entries.PlayerWithdrew():
            event.withdrawn.CopyFrom(kinds.Withdrawn(name=news.name))
        case entries.PlayBegan():
            event.started.CopyFrom(kinds.Started(table_ids=news.table_ids))
        case entries.LevelBegan():
            event.level_began.CopyFrom(kinds.LevelBegan(level=news.level + 1, blinds=_encode_level(news.blinds)))
        case entries.PlayerEliminated(name, rank, prize, table_id, hand_number):
            event.eliminated.CopyFrom(
                kinds.Eliminated(name=name, rank=rank, prize=prize, table_id=table_id, hand_number=hand_number)
            )
        case entries.PlayerMoved(name, old, new, chair):
            event.moved.CopyFrom(kinds.Moved(name=name, from_table_id=old, to_table_id=new, to_chair=chair))
        case entries.TableBroken():
            event.table_broken.CopyFrom(kinds.TableBroken(table_id=news.table_id))
        case entries.PlayerWon():
            event.won.CopyFrom(kinds.Won(name=news.name, prize=news.prize))
        case entries.PlayCancelled():
            event.cancelled.CopyFrom(kinds.Cancelled(reason=news.reason))
    return event


def _decode_news(event: pb.TournamentEvent) -> entries.News:
    match event.WhichOneof("kind"):
        case "registered":
            return entries.PlayerEntered(event.registered.name)
        case "withdrawn":
            return entries.PlayerWithdrew(event.withdrawn.name)
        case "started":
            return entries.PlayBegan(tuple(event.started.table_ids))
        case "level_began":
            return entries.LevelBegan(event.level_began.level - 1, _decode_level(event.level_began.blinds))
        case "eliminated":
            out = event.eliminated
            return entries.PlayerEliminated(out.name, out.rank, out.prize, out.table_id, out.hand_number)
        case "moved":
            moved = event.moved
            return entries.PlayerMoved(moved.name, moved.from_table_id, moved.to_table_id, moved.to_chair)
        case "table_broken":
            return entries.TableBroken(event.table_broken.table_id)
        case "won":
            return entries.PlayerWon(event.won.name, event.won.prize)
        case "cancelled":
            return entries.PlayCancelled(event.cancelled.reason)
    return entries.UnknownNews()
