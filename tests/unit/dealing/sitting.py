"""An honest client at a table whose server may be dishonest: real table, real messages, no network."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count

from riverboat.clients.bots.fairness import Fairness
from riverboat.dealing.memory import Contribution
from riverboat.dealing.witness import DealFinding, Severity
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.rpc.convert.tables import encode_records, encode_view
from riverboat.rpc.convert.tables_client import read_view
from riverboat.rules.variant import no_limit
from riverboat.tables.config import TableConfig
from riverboat.tables.contributions import contribute, line_up, offer_deal, void_deal
from riverboat.tables.deals import NextDeal
from riverboat.tables.events import Created, JournalEvent
from riverboat.tables.records import hand_records
from riverboat.tables.table import Table, hash_of
from riverboat.tables.view import view_of

CONFIG = TableConfig(name="a table", variant=no_limit(50, 100), chair_count=2, buy_in=10_000)
ANN, BOB = 0, 1
Change = Callable[[pb.View], None]


def drawing(first: int) -> Callable[[int], bytes]:
    """Return different bytes each time, the same in every run."""
    numbers = count(first)
    return lambda size: next(numbers).to_bytes(size, "big")


class Sitting:
    """Ann, who checks everything, and Bob, who colludes with the server. Tests can change Ann's messages."""

    def __init__(self, config: TableConfig = CONFIG, seed: int = 0) -> None:
        self.table = Table("3f2a91c0d4e5", Created(config, hash_of("dealer"), "ab" * 32))
        self.findings: list[DealFinding] = []
        self.ann = Fairness(self.findings.append, drawing(1_000 * seed + 1))
        self.bob = Fairness(lambda _: None, drawing(1_000 * seed + 501))
        self.sent: list[Contribution] = []  # by Ann
        self.change: Change = lambda _: None
        self.is_dropping = False  # the server drops Ann's messages
        self._entropy = count(1_000_000 * seed)
        for name in ("ann", "bob"):
            self.do(self.table.join(name, None, name * 16, hash_of(name), False, True))
        self.do(offer_deal(self.table, self.entropy()))

    def entropy(self) -> bytes:
        """Return 32 bytes for the server."""
        return next(self._entropy).to_bytes(32, "big")

    def do(self, events: Sequence[JournalEvent]) -> None:
        """Apply events."""
        for event in events:
            self.table.apply(event)

    def view(self) -> pb.View:
        """Return Ann's view as it is sent to her."""
        view = pb.View()
        view.CopyFrom(encode_view(view_of(self.table, ANN, 0)))
        self.change(view)
        return view

    def look(self) -> None:
        """Show the table to both, and send their contributions."""
        for contribution in self.ann.see(read_view(self.view())):
            self.sent.append(contribution)
            if not self.is_dropping:
                contribute(self.table, ANN, contribution)
        for contribution in self.bob.see(view_of(self.table, BOB, 0)):
            contribute(self.table, BOB, contribution)

    def line_up(self, forgotten: int | None = None) -> NextDeal:
        """Let both commit, and line them up, except a chair that the server forgets."""
        self.look()
        self.look()  # they see that their commitments have arrived
        deal = self.table.next_deal
        assert deal
        if forgotten is not None:
            deal.forget(forgotten)
        self.do(line_up(self.table, self.entropy()))
        return deal

    def start(self) -> None:
        """Start a hand, from the offer to the deal."""
        self.line_up()
        self.look()
        self.do(self.table.start_hand(self.entropy()))
        self.look()

    def void(self) -> None:
        """Void the attempt."""
        self.do(void_deal(self.table, self.entropy()))
        self.look()

    def play(self, action: int = 0) -> None:
        """Play the hand to its end: everybody calls, or takes the given action."""
        while self.table.hand and self.table.actor is not None:
            place = (self.table.hand.number, self.table.hand.action_count)
            self.do(self.table.act(self.table.actor, f"{place}", *place, action))
            self.look()

    def record(self, number: int = 1) -> pb.HandRecord:
        """Return a finished hand as everybody may see it."""
        return encode_records(hand_records(self.table, number, 1)).hands[0]

    @property
    def problems(self) -> list[str]:
        """Return the problems that Ann has found."""
        return [finding.text for finding in self.findings if finding.level == Severity.PROBLEM]

    @property
    def notes(self) -> list[str]:
        """Return the notes: deals that could not be proved to Ann."""
        return [finding.text for finding in self.findings if finding.level == Severity.NOTE]

    @property
    def proved(self) -> list[int]:
        """Return the hands that were proved to Ann."""
        return [finding.hand_number for finding in self.findings if finding.level == Severity.PROVED]


def with_reveal(reveal: int) -> TableConfig:
    """Return a table that reveals the shown cards or all cards."""
    return replace(CONFIG, reveal=type(CONFIG.reveal)(reveal))
