"""riverboat match: many hands between agents, and who is better."""

from typing import Annotated

import grpc
import typer

from riverboat.clients.console.completion import agent
from riverboat.clients.console.games import GAME_OPTIONS, GameOptions, game_of, refuse_options, stack_of
from riverboat.clients.console.option_groups import with_option_groups
from riverboat.clients.console.options import AsJson, GameServer
from riverboat.clients.console.servers import game_manager, running_game_manager
from riverboat.clients.console.table.table_setup import note_missing_networks, note_rollouts
from riverboat.clients.console.views.match_progress import MatchOutcome, follow_match, how_to_follow
from riverboat.clients.console.views.match_result import MatchGame, print_result, result_dict
from riverboat.clients.console.views.output import out, print_json, say
from riverboat.clients.remote.gamemanager import GameManagerClient
from riverboat.clients.remote.refusals import EXIT_INTERRUPTED, Refused
from riverboat.contracts.matches import MatchPlan

_NAMES = {"deal_count": "--hands", "stack": "--stack", "stacks": "--stack", "agents": "AGENT", "clock_ms": "--clock"}
_FOR_NEW_MATCHES = ("hands", "duplicate", "clock", *GAME_OPTIONS)


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(with_option_groups(match))


def match(
    context: typer.Context,
    agents: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="AGENT",
            help="2 to 10 agents, like rollout or hybrid:0.5; an agent may play itself.",
            show_default=False,
            autocompletion=agent,
        ),
    ] = None,
    hands: Annotated[
        int, typer.Option("--hands", "-n", min=1, max=10**9, metavar="N", help="Number of hands to play.")
    ] = 1000,
    duplicate: Annotated[
        bool,
        typer.Option(
            "--duplicate",
            help="Play each deal once per agent with the seats rotated, at one table per rotation. An agent that "
            "remembers hands needs one process per table.",
        ),
    ] = False,
    match_id: Annotated[
        str | None,
        typer.Option("--id", metavar="MATCH", help="Match to follow instead of starting one.", show_default=False),
    ] = None,
    dealer: Annotated[
        str,
        typer.Option(
            "--dealer",
            metavar="TOKEN",
            help="Dealer token of the match in --id; with it Ctrl-C ends the match.",
            show_default=False,
        ),
    ] = "",
    game: GameOptions = GameOptions(),  # noqa: B008  # frozen
    clock: Annotated[
        float,
        typer.Option("--clock", min=0.1, max=3600, metavar="SECONDS", help="Time limit per decision, in seconds."),
    ] = 30,
    server: GameServer = None,
    as_json: AsJson = False,
) -> None:
    """Let agents play many hands, and show who is better.

    Every hand starts with the same stacks. Scores are in thousandths of a big blind per hand (mbb/hand), with a 95 %
    confidence interval. Ctrl-C ends the match and prints the score so far. A match at a --server continues without this
    command; --id follows it again. Exit code 1 if the match ended before its last hand.

    Each score comes with the number of decisions: all that the agent made, those that a deadline cut short (partial),
    and those made by a simpler method than the agent's own (fallback). resolver and hybrid re-solve in hands with two
    players dealt in. With more, or without an answer from their resolver, they fall back to rollouts.

    riverboat match rollout always-call -n 10000 --duplicate

    riverboat match hybrid:0.5 rollout --deck 24 --raises-per-street 2 --sizes 50%,100%

    riverboat match --server 127.0.0.1:50052 --id 3f2a91c0d4e5
    """
    if match_id is not None:
        if agents:
            raise Refused("AGENT: only a new match takes agents; the match in --id has its own")
        refuse_options(context, _FOR_NEW_MATCHES, "only for a new match, not for one in --id")
        with running_game_manager(server, _NAMES) as link:
            played, outcome = _followed(link, match_id, dealer)
    else:
        plan = _plan(agents or [], hands, duplicate, game, clock)
        note_rollouts(plan.agents, len(plan.agents))
        played = MatchGame(plan.variant, plan.stack)
        with game_manager(server, _NAMES, plan.agents) as link:
            note_missing_networks(link, plan.agents, plan.variant, len(plan.agents))
            outcome = _played(link, plan)
    if as_json:
        print_json({**result_dict(outcome), **played.as_dict(), "duplicate": duplicate if match_id is None else None})
    else:
        out.print(played.words, markup=False, soft_wrap=True)
        print_result(outcome)
    if outcome.was_interrupted:
        raise typer.Exit(EXIT_INTERRUPTED)
    if not outcome.is_complete:
        say("riverboat: the match ended before its last hand")
        raise typer.Exit(1)


def _followed(link: GameManagerClient, match_id: str, dealer_token: str) -> tuple[MatchGame, MatchOutcome]:
    try:
        # The first table of a match has the match's id.
        config = link.tables.info(match_id).config
        return MatchGame(config.variant, config.buy_in), follow_match(link, match_id, dealer_token)
    except grpc.RpcError as error:
        if error.code() is not grpc.StatusCode.NOT_FOUND:
            raise
        raise Refused(f"--id: there is no match {match_id[:20]!r}") from None


def _played(link: GameManagerClient, plan: MatchPlan) -> MatchOutcome:
    started = link.matches.start(plan)
    if not link.is_own:
        token = f"--dealer {started.dealer_token}"
        for table_id in started.table_ids:
            watch = f"riverboat watch {table_id} --server {link.address}"
            say(f"to watch it: {watch} {token}")
        say(f"to follow it again: {how_to_follow(link, started.match_id)} {token}")
    return follow_match(link, started.match_id, started.dealer_token)


def _plan(agents: list[str], hands: int, duplicate: bool, game: GameOptions, clock: float) -> MatchPlan:
    if not 2 <= len(agents) <= 10:
        raise Refused(f"AGENT: a match needs 2 to 10 agents, not {len(agents)}")
    variant = game_of(game)
    return MatchPlan(
        variant=variant,
        stack=stack_of(game, variant),
        agents=tuple(agents),
        deal_count=-(-hands // len(agents)) if duplicate else hands,
        duplicate=duplicate,
        clock_ms=round(1000 * clock),
    )
