"""riverboat match: many hands between agents, and what they show."""

import math
import time
from collections.abc import Iterator
from typing import Annotated, Any

import grpc
import typer
from rich.table import Column, Table

from clients.console.failures import EXIT_INTERRUPTED, Refused
from clients.console.game_link import LOST, GameLink, game_manager
from clients.console.games import Blinds, GameServer, Limit, Stack, game_of, message_of, stack_of
from clients.console.options import AsJson, DeckName
from clients.console.output import note, out, print_json, progress_bar
from clients.console.table.plain import plain
from protos.gamemanager.v1 import matches_pb2 as pb

_NAMES = {"deal_count": "--hands", "stack": "--stack", "stacks": "--stack", "agents": "AGENT", "clock_ms": "--clock"}
_PATIENCE_SECONDS = 60
_AGAIN_SECONDS = 0.5
_END_SECONDS = 30  # for the last hand of a match that is cancelled


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(match)


def match(
    agents: Annotated[list[str], typer.Argument(metavar="AGENT...", help="2 to 10 of them; one may play itself.")],
    hands: Annotated[int, typer.Option("--hands", "-n", min=1, max=10**9, help="Hands to play.")] = 1000,
    duplicate: Annotated[
        bool, typer.Option("--duplicate", help="Play each deal once for every agent, with seats exchanged.")
    ] = False,
    limit: Limit = "no",
    blinds: Blinds = "50,100",
    stack: Stack = None,
    deck: DeckName = "52",
    clock: Annotated[float, typer.Option("--clock", min=0.1, max=3600, help="Seconds for a decision.")] = 30,
    server: GameServer = None,
    as_json: AsJson = False,
) -> None:
    """Let agents play many hands, and say who is better, in thousandths of a big blind per hand.

    Every hand starts with the same stacks. Ctrl-C ends the match and prints what was played.

    riverboat match rollout always-call -n 10000 --duplicate
    """
    if not 2 <= len(agents) <= 10:
        raise Refused(f"AGENT: 2 to 10 play a match, not {len(agents)}")
    variant = game_of(limit, blinds, deck)
    request = pb.StartMatchRequest(
        variant=message_of(variant),
        stack=stack_of(stack, variant),
        agents=agents,
        deal_count=-(-hands // len(agents)) if duplicate else hands,
        duplicate=duplicate,
        clock_ms=round(1000 * clock),
    )
    with game_manager(server, _NAMES, agents) as link:
        started = link.matches.StartMatch(request)
        if not link.is_own:
            note(f"match {started.match_id}; riverboat watch {started.match_id} --dealer {started.dealer_token}")
        found, is_whole = _follow(link, started)
    if found is None:
        raise Refused("the game manager gave no result")
    if as_json:
        print_json(_as_dict(found, started.match_id, duplicate, is_whole))
    else:
        _print(found, duplicate)
    if not is_whole:
        raise typer.Exit(EXIT_INTERRUPTED)


def _follow(link: GameLink, started: pb.StartMatchResponse) -> tuple[pb.WatchMatchResponse | None, bool]:
    """The last result, and whether the match was played to its end."""
    found: pb.WatchMatchResponse | None = None
    try:
        with progress_bar("playing") as bar:
            for found in _results(link, started.match_id):
                bar.show(found.hand_count / max(1, found.wanted_count), _running_text(found))
        return found, True
    except KeyboardInterrupt:
        cancel = pb.CancelMatchRequest(match_id=started.match_id, dealer_token=started.dealer_token)
        link.matches.CancelMatch(cancel, timeout=_END_SECONDS)
        watched = link.matches.WatchMatch(pb.WatchMatchRequest(match_id=started.match_id), timeout=_END_SECONDS)
        return list(watched)[-1], False  # when the hand that was being played is over


def _results(link: GameLink, match_id: str) -> Iterator[pb.WatchMatchResponse]:
    """Results as they come; the connection may be lost for a while, the match goes on."""
    lost_since: float | None = None
    while True:
        try:
            for found in link.matches.WatchMatch(pb.WatchMatchRequest(match_id=match_id)):
                lost_since = None
                yield found
                if found.is_over:
                    return
            return
        except grpc.RpcError as error:
            lost_since = lost_since or time.monotonic()
            if error.code() not in LOST or time.monotonic() > lost_since + _PATIENCE_SECONDS:
                raise
        time.sleep(_AGAIN_SECONDS)


def _running_text(found: pb.WatchMatchResponse) -> str:
    best = max(found.scores, key=lambda score: score.mbb, default=None)
    if best is None:
        return "playing"
    # In brackets a progress bar would see markup; names of agents have none.
    return f"{plain(best.name)} {best.mbb:+,.0f} {_margin_text(best.margin)} mbb/hand, {found.hand_count:,} hands"


def _margin_text(margin: float) -> str:
    return f"± {margin:,.0f}" if math.isfinite(margin) else "± ?"


def _as_dict(found: pb.WatchMatchResponse, match_id: str, duplicate: bool, is_whole: bool) -> dict[str, Any]:
    scores = [
        {"name": score.name, "mbb": score.mbb, "margin": score.margin if math.isfinite(score.margin) else None}
        for score in found.scores
    ]
    return {
        "match": match_id,
        "scores": scores,
        "hands": found.hand_count,
        "wanted": found.wanted_count,
        "timed_out": found.timed_out_count,
        "duplicate": duplicate,
        "complete": is_whole,
    }


def _print(found: pb.WatchMatchResponse, duplicate: bool) -> None:
    right = [Column(name, justify="right") for name in ("mbb/hand", "± 95 %")]
    table = Table("agent", *right, "", box=None, padding=(0, 2, 0, 0))
    for score in sorted(found.scores, key=lambda score: -score.mbb):
        margin = f"{score.margin:,.1f}" if math.isfinite(score.margin) else "?"
        sure = "wins" if score.mbb > score.margin else "loses" if score.mbb < -score.margin else "not sure yet"
        table.add_row(plain(score.name), f"{score.mbb:+,.1f}", margin, sure)
    out.print(table)
    kind = "duplicate hands" if duplicate else "hands"
    note(f"{found.hand_count:,} of {found.wanted_count:,} {kind}")
    if found.timed_out_count:
        note(f"the clock acted {found.timed_out_count:,} times: an agent was too slow, or gone")
