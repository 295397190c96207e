"""Following a match to its end: through restarts of the server, and until somebody has seen enough."""

import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

import grpc

from riverboat.clients.console.table.plain_text import plain
from riverboat.clients.console.views.output import err, progress_bar, say
from riverboat.clients.remote.gamemanager import GameManagerClient
from riverboat.clients.remote.patience import patiently
from riverboat.protos.gamemanager.v1 import matches_pb2 as pb

_END_SECONDS = 30  # for the last hand of a match that is cancelled


@dataclass(frozen=True, slots=True)
class Outcome:
    """The last result that was seen, and whether somebody wanted to see no more."""

    match_id: str
    result: pb.WatchMatchResponse
    was_interrupted: bool

    @property
    def is_complete(self) -> bool:
        """Whether all hands were played."""
        return self.result.is_over and self.result.hand_count >= self.result.wanted_count


def follow_match(link: GameManagerClient, match_id: str, dealer_token: str) -> Outcome:
    """Wait for a match to end; Ctrl-C ends it if there is a token, and otherwise only the waiting."""
    found = pb.WatchMatchResponse()
    try:
        with progress_bar("playing") as bar:
            for found in _results(link, match_id):
                bar.show(found.hand_count / max(1, found.wanted_count), _running_text(found))
        return Outcome(match_id, found, was_interrupted=False)
    except KeyboardInterrupt:
        if dealer_token:
            found = _cancelled(link, match_id, dealer_token) or found
        if not found.is_over and not link.is_own:
            err.print(f"the match goes on; {how_to_follow(link, match_id)}", markup=False, soft_wrap=True)
        return Outcome(match_id, found, was_interrupted=True)


def how_to_follow(link: GameManagerClient, match_id: str) -> str:
    """The command that shows a match again."""
    return f"riverboat match --server {link.address} --id {match_id}"


def _cancelled(link: GameManagerClient, match_id: str, dealer_token: str) -> pb.WatchMatchResponse | None:
    """End a match; its result when the hand that is being played is over, if the server still answers."""
    with suppress(grpc.RpcError):
        request = pb.CancelMatchRequest(match_id=match_id, dealer_token=dealer_token)
        link.matches.CancelMatch(request, timeout=_END_SECONDS)
        watched = link.matches.WatchMatch(pb.WatchMatchRequest(match_id=match_id), timeout=_END_SECONDS)
        return list(watched)[-1]
    return None


def _results(link: GameManagerClient, match_id: str) -> Iterator[pb.WatchMatchResponse]:
    """Results as they come; the connection may be lost for a while, the match goes on."""
    request, waits_for = pb.WatchMatchRequest(match_id=match_id), ""
    again = "" if link.is_own else how_to_follow(link, match_id)
    server = f"the game manager at {link.address}"
    for found in patiently(
        lambda: link.matches.WatchMatch(request), server=server, what="the match", again=again, say=say
    ):
        if found.waits_for != waits_for:
            waits_for = found.waits_for
            said = f"the match waits: {plain(waits_for)}" if waits_for else "the match goes on"
            err.print(said, markup=False, soft_wrap=True)
        yield found


def _running_text(found: pb.WatchMatchResponse) -> str:
    best = max(found.scores, key=lambda score: score.mbb, default=None)
    if best is None:
        return "playing"
    # In brackets a progress bar would see markup; names of agents have none.
    return f"{plain(best.name)} {best.mbb:+,.0f} {_margin_text(best.margin)} mbb/hand, {found.hand_count:,} hands"


def _margin_text(margin: float) -> str:
    return f"± {margin:,.0f}" if math.isfinite(margin) else "± ?"
