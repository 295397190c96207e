"""Messages of the contracts for matches and agent hosts."""

from collections.abc import Sequence

from riverboat.errors import InvalidInput
from riverboat.protos.gamemanager.v1 import agent_hosts_pb2, matches_pb2
from riverboat.rpc.convert.state_manager import decode_variant
from riverboat.rpc.convert.tables import encode_counts
from riverboat.rules.variant import MOST_SEATS, Variant
from riverboat.tables.config import DEFAULT_CLOCK_MS
from riverboat.tables.match import MatchScore
from riverboat.tables.view import AgentQuestion, AgentVerdict, Assignment, HostOffer


def decode_match(request: matches_pb2.StartMatchRequest) -> tuple[Variant, int, tuple[str, ...], int, bool, int]:
    """A StartMatchRequest."""
    if not 2 <= len(request.agents) <= MOST_SEATS:
        raise InvalidInput("agents", f"there must be 2 to {MOST_SEATS}, not {len(request.agents):,}")
    clock_ms = request.clock_ms or DEFAULT_CLOCK_MS
    variant = decode_variant(request.variant)
    return variant, request.stack, tuple(request.agents), request.deal_count, request.duplicate, clock_ms


def encode_match(table_ids: Sequence[str], dealer_token: str) -> matches_pb2.StartMatchResponse:
    """A match that has begun, with its tables by side; the first has its id."""
    return matches_pb2.StartMatchResponse(match_id=table_ids[0], dealer_token=dealer_token, table_ids=table_ids)


def encode_score(found: MatchScore) -> matches_pb2.WatchMatchResponse:
    """How a match stands."""
    return matches_pb2.WatchMatchResponse(
        scores=[
            matches_pb2.Score(name=score.bot, mbb=score.mbb, margin=score.margin, decisions=encode_counts(counts))
            for score, counts in zip(found.scores, found.decisions, strict=False)  # no scores before the first deal
        ],
        hand_count=found.hand_count,
        wanted_count=found.wanted_count,
        timed_out_count=found.timed_out_count,
        is_over=found.is_over,
        waits_for=found.waits_for,
    )


def encode_cancelled(at_once: bool) -> matches_pb2.CancelMatchResponse:
    """A match that ends."""
    return matches_pb2.CancelMatchResponse(at_once=at_once)


def decode_offer(request: agent_hosts_pb2.AttendRequest | None) -> HostOffer:
    """The first request of a host, if there is one."""
    if request is None:
        return HostOffer(())
    return HostOffer(
        tuple(request.agents),
        request.key,
        tuple(request.tokens),
        tuple(request.with_parameter),
        request.memory == agent_hosts_pb2.MEMORY_NONE,
        request.process,
    )


def decode_verdict(request: agent_hosts_pb2.AttendRequest) -> AgentVerdict:
    """A later request of a host; one without a verdict answers no question."""
    return AgentVerdict(request.verdict.question_id, request.verdict.problem)


def encode_told(told: Assignment | AgentQuestion) -> agent_hosts_pb2.AttendResponse:
    """A chair to take, or a question."""
    if isinstance(told, AgentQuestion):
        question = agent_hosts_pb2.AttendResponse.Question(question_id=told.question_id, agent=told.agent)
        return agent_hosts_pb2.AttendResponse(question=question)
    return agent_hosts_pb2.AttendResponse(
        agent=told.agent,
        table_id=told.table_id,
        chair=told.chair,
        token=told.token,
        match_id=told.match_id,
        instance=told.instance,
    )


def encode_agents(agents: Sequence[str], with_parameter: Sequence[str]) -> agent_hosts_pb2.ListAgentsResponse:
    """Agents on offer, and those of them that take a parameter."""
    return agent_hosts_pb2.ListAgentsResponse(agents=agents, with_parameter=with_parameter)
