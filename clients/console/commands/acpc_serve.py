"""riverboat acpc serve: a dealer for agents that speak the computer poker competition's protocol."""

import asyncio
import secrets
from contextlib import AsyncExitStack, closing
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from riverboat.clients.acpc.connection import AgentLost
from riverboat.clients.acpc.dealer import Dealer, DealerPlan, DealerScore
from riverboat.clients.acpc.doors import open_doors
from riverboat.clients.acpc.match_log import MatchLog
from riverboat.clients.console.files import check_target
from riverboat.clients.console.games import AcpcGame
from riverboat.clients.console.option_values import fields_named
from riverboat.clients.console.options import AsJson, Seed
from riverboat.clients.console.views.acpc import dealer_dict, print_conduct
from riverboat.clients.console.views.game_words import whole_game
from riverboat.clients.console.views.output import Bar, out, print_json, progress_bar, say
from riverboat.clients.remote.refusals import EXIT_INTERRUPTED, EXIT_REFUSED, Refused
from riverboat.history.acpc import check_names, score_line

_MOST_SECONDS = 86_400
_SAY_SECONDS = 60.0  # between lines about progress where there is no terminal


def serve(
    names: Annotated[
        list[str], typer.Argument(metavar="NAME", help="Names of the 2 or 3 players, in the order of their ports.")
    ],
    hands: Annotated[int, typer.Option("--hands", "-n", min=1, max=10**8, metavar="N", help="Number of hands.")] = 3000,
    game: AcpcGame = AcpcGame(),  # noqa: B008  # frozen
    host: Annotated[
        str, typer.Option("--host", metavar="HOST", help="Address to listen at; 0.0.0.0: all networks.")
    ] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option(
            "--port",
            min=0,
            max=65_533,
            metavar="PORT",
            help="Port of the first player; each next player has the next port. 0: any free ports.",
        ),
    ] = 0,
    log: Annotated[
        Path | None,
        typer.Option("--log", metavar="FILE", help="New file for every hand and the score: .log.", show_default=False),
    ] = None,
    seed: Seed = None,
    action_seconds: Annotated[
        float,
        typer.Option(
            "--action-seconds",
            min=0.001,
            max=_MOST_SECONDS,
            metavar="SECONDS",
            help="Time limit per decision, in seconds.",
        ),
    ] = 600,
    hand_seconds: Annotated[
        float,
        typer.Option(
            "--hand-seconds",
            min=0.001,
            max=_MOST_SECONDS,
            metavar="SECONDS",
            help="Time that an agent may use per hand, in seconds, on average over the match.",
        ),
    ] = 7,
    start_seconds: Annotated[
        float | None,
        typer.Option(
            "--start-seconds",
            min=0.001,
            max=_MOST_SECONDS,
            metavar="SECONDS",
            help="Time for all agents to connect, in seconds; default: no limit.",
            show_default=False,
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Deal a match to agents that speak the competition's protocol.

    Each player has a port of its own; an agent that connects there and sends VERSION:2.0.0 plays for it. The ports are
    printed on the first line, and the score on the last, as the competition's own dealer does, so that scripts made for
    it can start this one. The players move on by one position with each hand. With two players the first position
    posts the big blind.

    An illegal action becomes the nearest legal raise, or a check or a call. An agent that does not answer in time
    checks or folds. The match ends early, with exit code 2, if an agent leaves, sends nothing but nonsense, is late
    more than 10 times or uses up its time. The score is then that of all finished hands.

    The protocol has no encryption: whoever can read the network sees all cards.

    riverboat acpc serve alice bob --hands 3000 --port 18791 --log match.log

    riverboat acpc serve alice bob carol --limit fixed --blinds 5,10 --seed 1
    """
    variant, stack = game.read()
    if len(names) not in (2, 3):
        raise Refused(f"NAME: the protocol is for 2 or 3 players, not {len(names)}")
    if len(set(names)) < len(names) or any(not name.isascii() for name in names):
        raise Refused("NAME: names must differ, and use ASCII letters")
    with fields_named({"names": "NAME"}):
        check_names(names)
    check_target("--log", log, (".log",))
    if log is not None and log.exists():
        raise Refused(f"--log: {log} exists already; name a new file")
    plan = DealerPlan(
        variant=variant,
        stack=stack,
        names=tuple(names),
        hand_count=hands,
        action_seconds=action_seconds,
        hand_seconds=hand_seconds,
    )
    seed = secrets.randbits(64) if seed is None else seed
    ports = [port + place if port else 0 for place in range(len(names))]
    game_words = whole_game(variant, stack)
    with closing(MatchLog(log, plan, game_words)) as match_log, progress_bar("waiting", _SAY_SECONDS) as bar:
        table = _Table(plan, match_log, bar, seed)
        code = table.run(host, ports, start_seconds)
    if as_json:
        print_json(dealer_dict(table.score, hands))
    else:
        print_conduct(table.score, variant.big_blind)
        out.print(score_line(table.score.won, table.score.names), markup=False, soft_wrap=True)
    if code:
        raise typer.Exit(code)


class _Table:
    """One match, from the agents' connections to the final score."""

    def __init__(self, plan: DealerPlan, log: MatchLog, bar: Bar, seed: int) -> None:
        self.score = DealerScore(plan.names)
        self._plan, self._log, self._bar, self._seed = plan, log, bar, seed

    def run(self, host: str, ports: list[int], start_seconds: float | None) -> int:
        """Play; return the exit code."""
        reason, code = "", 0
        try:
            asyncio.run(self._play(host, ports, start_seconds))
        except AgentLost as error:
            reason, code = str(error), EXIT_REFUSED
            hands = f"{self.score.hand_count:,} of {self._plan.hand_count:,} hands"
            say(f"riverboat: {reason}; the match ends after {hands}")
        except KeyboardInterrupt:
            reason, code = "stopped", EXIT_INTERRUPTED
        finally:
            self._log.end(self.score, self._seed, reason)
        return code

    async def _play(self, host: str, ports: list[int], start_seconds: float | None) -> None:
        async with AsyncExitStack() as opened:
            try:
                doors = await opened.enter_async_context(open_doors(host, self._plan.names, ports))
            except OSError as error:
                raise Refused(f"--port: cannot listen at {host}: {error.strerror or error}") from None
            print(*doors.ports, flush=True)
            for name, port in zip(self._plan.names, doors.ports, strict=True):
                say(f"{name} plays at {host}:{port}")
            agents = await doors.agents(start_seconds)
            dealer = Dealer(self._plan, agents, np.random.default_rng(self._seed))
            self.score = dealer.score
            await dealer.play(self._finished)

    def _finished(self, line: str, score: DealerScore) -> None:
        self._log.hand(line)
        self._bar.show(score.hand_count / self._plan.hand_count, f"{score.hand_count:,} hands")
