"""Messages of the contracts for matches and agent hosts."""

from collections.abc import Sequence
from dataclasses import fields

from riverboat.arena.result import PlayerScore
from riverboat.contracts.hosts import AgentQuestion, AgentVerdict, Assignment, HostOffer
from riverboat.contracts.matches import MatchPlan, StartedMatch
from riverboat.errors import InvalidInput
from riverboat.protos.gamemanager.v1 import agent_hosts_pb2, matches_pb2
from riverboat.rpc.convert.state_manager import decode_variant, encode_variant
from riverboat.rpc.convert.tables import encode_counts
from riverboat.rpc.convert.tables_client import decode_counts
from riverboat.rules.variant import MOST_SEATS
from riverboat.tables.config import DEFAULT_CLOCK_MS
from riverboat.tables.match import MatchScore

ACCEPTED = (("x-attending", "yes"),)  # initial metadata for a host whose agents are on offer
_ASSIGNED = tuple(field.name for field in fields(Assignment))


def decode_plan(request: matches_pb2.StartMatchRequest) -> MatchPlan:
    """Decode a match to play."""
    if not 2 <= len(request.agents) <= MOST_SEATS:
        raise InvalidInput("agents", f"there must be 2 to {MOST_SEATS}, not {len(request.agents):,}")
    return MatchPlan(
        variant=decode_variant(request.variant),
        stack=request.stack,
        agents=tuple(request.agents),
        deal_count=request.deal_count,
        duplicate=request.duplicate,
        clock_ms=request.clock_ms or DEFAULT_CLOCK_MS,
    )


def encode_plan(plan: MatchPlan) -> matches_pb2.StartMatchRequest:
    """Encode a match to play."""
    return matches_pb2.StartMatchRequest(
        variant=encode_variant(plan.variant),
        stack=plan.stack,
        agents=plan.agents,
        deal_count=plan.deal_count,
        duplicate=plan.duplicate,
        clock_ms=plan.clock_ms,
    )


def encode_match(table_ids: Sequence[str], dealer_token: str) -> matches_pb2.StartMatchResponse:
    """Encode a match that has begun, with its tables by side; the first has its id."""
    return matches_pb2.StartMatchResponse(match_id=table_ids[0], dealer_token=dealer_token, table_ids=table_ids)


def decode_started(message: matches_pb2.StartMatchResponse) -> StartedMatch:
    """Decode a match that has begun; older servers list no tables, and the first has the match's id."""
    table_ids = tuple(message.table_ids) or (message.match_id,)
    return StartedMatch(match_id=message.match_id, dealer_token=message.dealer_token, table_ids=table_ids)


def encode_score(standing: MatchScore) -> matches_pb2.WatchMatchResponse:
    """Encode the scores of a match."""
    return matches_pb2.WatchMatchResponse(
        scores=[
            matches_pb2.Score(name=score.bot, mbb=score.mbb, margin=score.margin, decisions=encode_counts(counts))
            for score, counts in zip(
                standing.scores, standing.decisions, strict=False
            )  # no scores before the first deal
        ],
        hand_count=standing.hand_count,
        wanted_count=standing.wanted_count,
        timed_out_count=standing.timed_out_count,
        is_over=standing.is_over,
        waits_for=standing.waits_for,
    )


def decode_score(message: matches_pb2.WatchMatchResponse) -> MatchScore:
    """Decode the scores of a match."""
    return MatchScore(
        scores=tuple(PlayerScore(score.name, score.mbb, score.margin) for score in message.scores),
        decisions=tuple(decode_counts(score.decisions) for score in message.scores),
        hand_count=message.hand_count,
        wanted_count=message.wanted_count,
        timed_out_count=message.timed_out_count,
        is_over=message.is_over,
        waits_for=message.waits_for,
    )


def encode_cancelled(at_once: bool) -> matches_pb2.CancelMatchResponse:
    """Encode a match that ends."""
    return matches_pb2.CancelMatchResponse(at_once=at_once)


def decode_offer(request: agent_hosts_pb2.AttendRequest | None) -> HostOffer:
    """Decode the first request of a host, if there is one."""
    if request is None:
        return HostOffer(agents=())
    return HostOffer(
        agents=tuple(request.agents),
        key=request.key,
        tokens=tuple(request.tokens),
        with_parameter=tuple(request.with_parameter),
        forgets=request.memory == agent_hosts_pb2.MEMORY_NONE,
        process=request.process,
    )


def encode_offer(offer: HostOffer) -> agent_hosts_pb2.AttendRequest:
    """Encode the first request of a host."""
    return agent_hosts_pb2.AttendRequest(
        agents=offer.agents,
        key=offer.key,
        tokens=offer.tokens,
        with_parameter=offer.with_parameter,
        memory=agent_hosts_pb2.MEMORY_NONE if offer.forgets else agent_hosts_pb2.MEMORY_KEPT,
        process=offer.process,
    )


def decode_verdict(request: agent_hosts_pb2.AttendRequest) -> AgentVerdict:
    """Decode a later request of a host; one without a verdict answers no question."""
    return AgentVerdict(question_id=request.verdict.question_id, problem=request.verdict.problem)


def encode_verdict(verdict: AgentVerdict) -> agent_hosts_pb2.AttendRequest:
    """Encode a host's answer to a question."""
    told = agent_hosts_pb2.AttendRequest.Verdict(question_id=verdict.question_id, problem=verdict.problem)
    return agent_hosts_pb2.AttendRequest(verdict=told)


def decode_host_message(message: agent_hosts_pb2.AttendResponse) -> Assignment | AgentQuestion:
    """Decode a chair to take, or a question."""
    if message.HasField("question"):
        return AgentQuestion(question_id=message.question.question_id, agent=message.question.agent)
    return Assignment(**{name: getattr(message, name) for name in _ASSIGNED})


def encode_host_message(message: Assignment | AgentQuestion) -> agent_hosts_pb2.AttendResponse:
    """Encode a chair to take, or a question."""
    if isinstance(message, AgentQuestion):
        question = agent_hosts_pb2.AttendResponse.Question(question_id=message.question_id, agent=message.agent)
        return agent_hosts_pb2.AttendResponse(question=question)
    return agent_hosts_pb2.AttendResponse(**{name: getattr(message, name) for name in _ASSIGNED})


def encode_agents(agents: Sequence[str], with_parameter: Sequence[str]) -> agent_hosts_pb2.ListAgentsResponse:
    """Encode agents on offer, and those of them that take a parameter."""
    return agent_hosts_pb2.ListAgentsResponse(agents=agents, with_parameter=with_parameter)
