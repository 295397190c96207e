"""Deals: offers, contributions, openings, and the cards revealed after a hand."""

import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from riverboat.cards import DECKS, format_cards
from riverboat.clients.conformance.check import Wrong
from riverboat.clients.conformance.expectations import refused, require, same
from riverboat.clients.conformance.gamemanager.common import CALL, FOLD, TABLES
from riverboat.clients.conformance.gamemanager.hands import CheckTable, decision, open_table
from riverboat.clients.conformance.server import Server
from riverboat.dealing.mix import seat_commitment
from riverboat.dealing.record import DealRecord, problems, revealed_deal
from riverboat.dealing.witness import DealFinding, Severity, Witness
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.rpc.convert.deals import encode_contribution
from riverboat.rpc.convert.tables_client import decode_record, decode_sight
from riverboat.tables.evidence import deal_of

_POLL_SECONDS = 0.02
_WAIT_SECONDS = 20
_DECK = DECKS["52"]


class _Player:
    """A chair that contributes by unary calls, and checks what it sees."""

    def __init__(self, table: CheckTable, token: str) -> None:
        self._table, self.token = table, token
        self._witness = Witness(secrets.token_bytes)
        self.findings: list[DealFinding] = []

    def look(self) -> pb.View:
        """Return the chair's view, and send the contributions that are due."""
        view = self._table.view(self.token)
        contributions, findings = self._witness.see(decode_sight(view))
        self.findings += findings
        for contribution in contributions:
            request = pb.ContributeRequest(token=self.token, contribution=encode_contribution(contribution))
            self._table.tables.Contribute(request)
        return view


@contextmanager
def _players(server: Server, **more: Any) -> Iterator[tuple[CheckTable, list[_Player]]]:
    """Seat two players who contribute to every hand."""
    with open_table(server, **more) as table:
        requests = [
            pb.JoinTableRequest(table_id=table.table_id, name=name, contributes=True) for name in ("ann", "bob")
        ]
        tokens = tuple(table.tables.JoinTable(request).token for request in requests)
        table = CheckTable(table.tables, table.table_id, table.dealer_token, tokens)
        yield table, [_Player(table, token) for token in tokens]


def _until(players: list[_Player], hand_number: int) -> None:
    """Let players contribute until a hand has started."""
    give_up = time.monotonic() + _WAIT_SECONDS
    while [player.look().hand_number for player in players] != [hand_number] * len(players):
        if time.monotonic() > give_up:
            raise Wrong(f"two players contribute, but hand {hand_number} did not start within {_WAIT_SECONDS} seconds")
        time.sleep(_POLL_SECONDS)


@TABLES("Contribute", "both players contribute to a hand, and every card has a proof", 120)
def contributed(server: Server) -> None:
    with _players(server, pause_ms=0) as (table, players):
        for number in (1, 2):
            _until(players, number)
            while True:
                token, view = table.turn()
                if view.hand_number != number:
                    break
                table.take(token, decision(view, CALL))
                views = [player.look() for player in players]
                if any(event.HasField("hand_ended") for event in views[0].events):
                    break
        wrong = [finding for player in players for finding in player.findings if finding.level != Severity.PROVED]
        require(not wrong, f"two hands with contributions: {wrong[0].text if wrong else ''}")
        proved = [finding.hand_number for finding in players[0].findings]
        require(
            1 in proved, "after a showdown with contributions of both players, one of them has no proof of the deal"
        )


@TABLES("Contribute", "nobody else sees a commitment before the lineup is complete")
def hidden(server: Server) -> None:
    with _players(server, players_to_start=3) as (table, players):
        players[0].look()
        own, other = (table.view(player.token) for player in players)
        commitment = own.coming_deal.own_commitment
        require(bool(commitment), "a chair's view does not contain the commitment that it has just sent")
        require(commitment not in str(other), "a chair sees another chair's commitment before the lineup is complete")
        watched = next(iter(table.tables.Watch(pb.WatchRequest(table_id=table.table_id))))
        require(commitment not in str(watched), "a spectator sees a commitment before the lineup is complete")


@TABLES(
    "Contribute",
    "refuses commitments that are not a hash, contributions that come too early or too late, and wrong tokens",
)
def refusals(server: Server) -> None:
    with _players(server, players_to_start=3) as (table, (player, _)):
        coming = table.view(player.token).coming_deal
        place: dict[str, Any] = {"hand_number": coming.hand_number, "attempt": coming.attempt}
        good = seat_commitment(coming.commitment, 0, "ab" * 32)
        for who, contribution, code in (
            (player.token, pb.Contribution(**place), "INVALID_ARGUMENT"),
            (player.token, pb.Contribution(**place, commitment="x"), "INVALID_ARGUMENT"),
            (player.token, pb.Contribution(**place, secret="ab" * 32), "FAILED_PRECONDITION"),
            (player.token, pb.Contribution(hand_number=7, attempt=1, commitment=good), "ABORTED"),
            (player.token, pb.Contribution(hand_number=1, attempt=7, commitment=good), "ABORTED"),
            ("nonsense", pb.Contribution(**place, commitment=good), "NOT_FOUND"),
            (table.dealer_token, pb.Contribution(**place, commitment=good), "PERMISSION_DENIED"),
        ):
            refused(table.tables.Contribute, pb.ContributeRequest(token=who, contribution=contribution), code)
        same("the chair's commitment after refusals only", table.view(player.token).coming_deal.own_commitment, "")


@TABLES("ListHands", "folded cards stay secret unless the table reveals all cards")
def revealed(server: Server) -> None:
    for reveal in (pb.REVEAL_UNSPECIFIED, pb.REVEAL_ALL):
        with open_table(server, "ann", "bob", reveal=reveal) as table:
            views = [table.view(token) for token in (table.turn()[0], *table.tokens)][1:]
            table.act(FOLD)
            (record,) = table.tables.ListHands(pb.ListHandsRequest(table_id=table.table_id)).hands
        deal = deal_of(decode_record(record))
        if not isinstance(deal, DealRecord):
            raise Wrong("a hand without contributions: HandStarted.attempt is 0, as in a deal v1")
        wrong = next(problems(deal, _DECK), "")
        require(not wrong, f"a hand without contributions: {wrong}")
        same(f"a hand with a fold, reveal={reveal}: HandEnded has a seed", bool(deal.seed), reveal != 0)
        if deal.seed:
            holdings = [format_cards(holding) for holding in revealed_deal(deal, _DECK).holdings]
            same("the holdings that the revealed seed deals", holdings, [view.holding for view in by_seat(views)])


def by_seat(views: list[pb.View]) -> list[pb.View]:
    """Return views in the order of their seats."""
    return sorted(views, key=lambda view: view.seat)
