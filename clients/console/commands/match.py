"""riverboat match: many hands between agents, and what they show."""

import math
from dataclasses import dataclass
from typing import Annotated, Any

import grpc
import typer
from google.protobuf.json_format import MessageToDict
from rich.table import Column, Table

from riverboat.clients.console.completion import agent
from riverboat.clients.console.games import (
    RESTRICTIONS,
    Blinds,
    GameServer,
    Limit,
    NoAllIn,
    PotCap,
    RaisesPerStreet,
    Restrictions,
    Sizes,
    Stack,
    game_of,
    message_of,
    refuse_options,
    stack_of,
)
from riverboat.clients.console.options import AsJson, DeckName
from riverboat.clients.console.table.game_words import whole_game
from riverboat.clients.console.table.plain_text import plain
from riverboat.clients.console.views.match_progress import Outcome, follow_match, how_to_follow
from riverboat.clients.console.views.output import err, note, out, print_json
from riverboat.clients.local.gamemanager import game_manager, note_rollouts, running_game_manager
from riverboat.clients.remote.gamemanager import GameManagerClient
from riverboat.clients.remote.refusals import EXIT_INTERRUPTED, Refused
from riverboat.marks import DecisionCounts, warning_of
from riverboat.protos.gamemanager.v1 import matches_pb2 as pb
from riverboat.protos.gamemanager.v1 import state_manager_pb2 as rules_pb
from riverboat.protos.gamemanager.v1.tables_pb2 import DecisionCounts as DecisionCountsMessage
from riverboat.protos.gamemanager.v1.tables_pb2 import ListTablesRequest
from riverboat.rules.variant import Variant

_NAMES = {"deal_count": "--hands", "stack": "--stack", "stacks": "--stack", "agents": "AGENT", "clock_ms": "--clock"}
_FOR_NEW_MATCHES = ("hands", "duplicate", "limit", "blinds", "stack", "deck", "clock", *RESTRICTIONS)


@dataclass(frozen=True, slots=True)
class MatchGame:
    """What a match plays, so that a result that is kept says so."""

    variant: rules_pb.Variant
    stack: int

    @property
    def words(self) -> str:
        """One line for people."""
        return whole_game(self.variant, self.stack)

    def as_dict(self) -> dict[str, Any]:
        """For programs."""
        variant = MessageToDict(self.variant, preserving_proto_field_name=True)
        return {"game": self.words, "variant": variant, "stack": self.stack}


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(match)


def match(
    context: typer.Context,
    agents: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[AGENT]...",
            help="2 to 10 agents, like rollout or hybrid:0.5; one may play itself.",
            show_default=False,
            autocompletion=agent,
        ),
    ] = None,
    hands: Annotated[int, typer.Option("--hands", "-n", min=1, max=10**9, help="Hands to play.")] = 1000,
    duplicate: Annotated[
        bool,
        typer.Option(
            "--duplicate",
            help="Play each deal once for every agent, with seats exchanged, at one table for each. Agents that may "
            "remember hands need a process for each table.",
        ),
    ] = False,
    match_id: Annotated[
        str | None,
        typer.Option("--id", metavar="MATCH", help="Follow this match, which runs already.", show_default=False),
    ] = None,
    dealer: Annotated[
        str, typer.Option("--dealer", metavar="TOKEN", help="Its token, so that Ctrl-C ends it.", show_default=False)
    ] = "",
    limit: Limit = "no",
    blinds: Blinds = "50,100",
    stack: Stack = None,
    deck: DeckName = "52",
    raises_per_street: RaisesPerStreet = None,
    pot_cap: PotCap = None,
    no_all_in: NoAllIn = False,
    sizes: Sizes = None,
    clock: Annotated[float, typer.Option("--clock", min=0.1, max=3600, help="Seconds for a decision.")] = 30,
    server: GameServer = None,
    as_json: AsJson = False,
) -> None:
    """Let agents play many hands, and say who is better.

    Every hand starts with the same stacks; results are in thousandths of a big blind per hand, with a 95 %
    confidence interval, below a line that says which game it was. Ctrl-C ends the match and prints what was played. A
    match at a --server goes on without this command, and can be followed again by its --id. Exit code 1 if it was
    ended before its last hand.

    Beside each score is how many decisions the agent made, how many of them a deadline cut short (partial), and how
    many something else had to take (fallback). resolver and hybrid re-solve where two are dealt in. With more, or
    without an answer from their resolver, they decide by rollouts, which are fallbacks.

    riverboat match rollout always-call -n 10000 --duplicate

    riverboat match hybrid:0.5 rollout --deck 24 --raises-per-street 2 --sizes 50%,100%

    riverboat match --server 127.0.0.1:50052 --id 3f2a91c0d4e5
    """
    if match_id is not None:
        if agents:
            raise Refused("AGENT: names are for a new match; --id follows one that has its agents")
        refuse_options(context, _FOR_NEW_MATCHES, "is for a new match; this one is set up already")
        with running_game_manager(server, _NAMES) as link:
            game, outcome = _followed(link, match_id, dealer)
    else:
        variant = game_of(limit, blinds, deck, Restrictions(raises_per_street, pot_cap, no_all_in, sizes))
        request = _request(agents or [], hands, duplicate, variant, stack, clock)
        note_rollouts(request.agents, len(request.agents))
        game = MatchGame(request.variant, request.stack)
        with game_manager(server, _NAMES, request.agents) as link:
            outcome = _played(link, request)
    if as_json:
        print_json({**_as_dict(outcome), **game.as_dict(), "duplicate": duplicate if match_id is None else None})
    else:
        out.print(game.words, markup=False, soft_wrap=True)
        _print(outcome)
    if outcome.was_interrupted:
        raise typer.Exit(EXIT_INTERRUPTED)
    if not outcome.is_complete:
        err.print("riverboat: the match was ended before its last hand", soft_wrap=True)
        raise typer.Exit(1)


def _followed(link: GameManagerClient, match_id: str, dealer_token: str) -> tuple[MatchGame, Outcome]:
    try:
        # The first table of a match has the match's id.
        config = link.tables.ListTables(ListTablesRequest(table_id=match_id)).tables[0].config
        return MatchGame(config.variant, config.buy_in), follow_match(link, match_id, dealer_token)
    except grpc.RpcError as error:
        if error.code() is not grpc.StatusCode.NOT_FOUND:
            raise
        raise Refused(f"--id: there is no match {match_id[:20]!r}") from None


def _played(link: GameManagerClient, request: pb.StartMatchRequest) -> Outcome:
    started = link.matches.StartMatch(request)
    if not link.is_own:
        token = f"--dealer {started.dealer_token}"
        for table_id in started.table_ids or [started.match_id]:
            watch = f"riverboat watch {table_id} --server {link.address}"
            err.print(f"to watch it: {watch} {token}", markup=False, soft_wrap=True)
        err.print(f"to follow it again: {how_to_follow(link, started.match_id)} {token}", markup=False, soft_wrap=True)
    return follow_match(link, started.match_id, started.dealer_token)


def _request(
    agents: list[str], hands: int, duplicate: bool, variant: Variant, stack: int | None, clock: float
) -> pb.StartMatchRequest:
    if not 2 <= len(agents) <= 10:
        raise Refused(f"AGENT: 2 to 10 play a match, not {len(agents)}")
    return pb.StartMatchRequest(
        variant=message_of(variant),
        stack=stack_of(stack, variant),
        agents=agents,
        deal_count=-(-hands // len(agents)) if duplicate else hands,
        duplicate=duplicate,
        clock_ms=round(1000 * clock),
    )


def _as_dict(outcome: Outcome) -> dict[str, Any]:
    found = outcome.result
    scores = [
        {
            "name": score.name,
            "mbb": score.mbb,
            "margin": score.margin if math.isfinite(score.margin) else None,
            "decisions": score.decisions.decision_count,
            "partial": score.decisions.partial_count,
            "fallback": score.decisions.fallback_count,
            "timed_out": score.decisions.timed_out_count,
        }
        for score in found.scores
    ]
    return {
        "match": outcome.match_id,
        "scores": scores,
        "hands": found.hand_count,
        "wanted": found.wanted_count,
        "timed_out": found.timed_out_count,
        "complete": outcome.is_complete,
    }


def _print(outcome: Outcome) -> None:
    found = outcome.result
    if not found.scores:
        note(f"{found.hand_count:,} of {found.wanted_count:,} hands, and no deal yet with all its hands to compare")
        return
    right = [Column(name, justify="right") for name in ("mbb/hand", "± 95 %", "decisions", "partial", "fallback")]
    table = Table("agent", *right[:2], "", *right[2:], box=None, padding=(0, 2, 0, 0))
    for score in sorted(found.scores, key=lambda score: -score.mbb):
        margin = f"{score.margin:,.1f}" if math.isfinite(score.margin) else "?"
        sure = "wins" if score.mbb > score.margin else "loses" if score.mbb < -score.margin else "not sure yet"
        made = score.decisions
        counts = [f"{count:,}" for count in (made.decision_count, made.partial_count, made.fallback_count)]
        table.add_row(plain(score.name), f"{score.mbb:+,.1f}", margin, sure, *counts)
    out.print(table)
    note(f"{found.hand_count:,} of {found.wanted_count:,} hands")
    if found.timed_out_count:
        note(f"the clock acted {found.timed_out_count:,} times: an agent was too slow, or gone")
    for score in found.scores:
        if warning := warning_of(plain(score.name), _counts_of(score.decisions)):
            note(warning)


def _counts_of(message: DecisionCountsMessage) -> DecisionCounts:
    return DecisionCounts(
        message.decision_count, message.partial_count, message.fallback_count, message.timed_out_count
    )
