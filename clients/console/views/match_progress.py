"""The progress of a match: followed to its end, through restarts of the server, or until Ctrl-C."""

import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

import grpc

from riverboat.clients.console.views.output import err, progress_bar, say
from riverboat.clients.console.views.text import plain
from riverboat.clients.remote.gamemanager import GameManagerClient
from riverboat.clients.remote.patience import patiently
from riverboat.tables.match import MatchScore

_END_SECONDS = 30  # for the last hand of a match that is cancelled
_NOTHING_YET = MatchScore(scores=(), decisions=(), hand_count=0, wanted_count=0, timed_out_count=0, is_over=False)


@dataclass(frozen=True, slots=True)
class MatchOutcome:
    """The last result of a match, and whether the user interrupted it."""

    match_id: str
    result: MatchScore
    was_interrupted: bool

    @property
    def is_complete(self) -> bool:
        """Whether all hands were played."""
        return self.result.is_over and self.result.hand_count >= self.result.wanted_count


def follow_match(link: GameManagerClient, match_id: str, dealer_token: str) -> MatchOutcome:
    """Wait for a match to end; Ctrl-C cancels it if there is a token, and otherwise only stops waiting."""
    result = _NOTHING_YET
    try:
        with progress_bar("playing") as bar:
            for result in _results(link, match_id):
                bar.show(result.hand_count / max(1, result.wanted_count), _running_text(result))
        return MatchOutcome(match_id, result, was_interrupted=False)
    except KeyboardInterrupt:
        if dealer_token:
            result = _cancelled(link, match_id, dealer_token) or result
        if not result.is_over and not link.is_own:
            say(f"the match goes on; to follow it again: {how_to_follow(link, match_id)}")
        return MatchOutcome(match_id, result, was_interrupted=True)


def how_to_follow(link: GameManagerClient, match_id: str) -> str:
    """Return the command that shows a match again."""
    return f"riverboat match --server {link.address} --id {match_id}"


def _cancelled(link: GameManagerClient, match_id: str, dealer_token: str) -> MatchScore | None:
    """Cancel a match; return its result when the current hand is over, if the server still answers."""
    with suppress(grpc.RpcError):
        link.matches.cancel(match_id=match_id, dealer_token=dealer_token, timeout=_END_SECONDS)
        return list(link.matches.watch(match_id, timeout=_END_SECONDS))[-1]
    return None


def _results(link: GameManagerClient, match_id: str) -> Iterator[MatchScore]:
    """Yield results as they come; the connection may be lost for a while, the match goes on."""
    waits_for = ""
    again = "" if link.is_own else how_to_follow(link, match_id)
    server = f"the game manager at {link.address}"
    for result in patiently(
        lambda: link.matches.watch(match_id), server=server, what="the match", again=again, say=say
    ):
        if result.waits_for != waits_for:
            waits_for = result.waits_for
            words = f"the match is waiting: {plain(waits_for)}" if waits_for else "the match goes on"
            err.print(words, markup=False, soft_wrap=True)
        yield result


def _running_text(result: MatchScore) -> str:
    best = max(result.scores, key=lambda score: score.mbb, default=None)
    if best is None:
        return "playing"
    # In brackets a progress bar would see markup; names of agents have none.
    return f"{plain(best.bot)} {best.mbb:+,.0f} {_margin_text(best.margin)} mbb/hand, {result.hand_count:,} hands"


def _margin_text(margin: float) -> str:
    return f"± {margin:,.0f}" if math.isfinite(margin) else "± ?"
