"""A chair's part in the shuffle: contributes to every deal, checks it, and says what is wrong."""

import secrets
from collections.abc import Callable

from riverboat.clients.bots.event_log import log
from riverboat.clients.bots.player import BotFailed
from riverboat.dealing.witness import DealFinding, Severity, Witness
from riverboat.errors import RiverboatError
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.rpc.convert.deals import decode_deal, decode_sight, encode_contribution
from riverboat.rpc.convert.state_manager import decode_variant

Report = Callable[[DealFinding], None]


class DealFailed(BotFailed):
    """The server did not deal as it had announced, and the bot was to get up for it."""


class Fairness:
    """Messages in, messages out, around a witness. Findings go to `report`, each once."""

    def __init__(
        self, report: Report, draw: Callable[[int], bytes] = secrets.token_bytes, may_be_match: bool = False
    ) -> None:
        self._report = report
        self.witness = Witness(draw, may_be_match)

    def see(self, view: pb.View) -> list[pb.Contribution]:
        """Look at a view; what to send."""
        try:
            contributions, findings = self.witness.see(decode_sight(view))
        except RiverboatError as error:  # of what it was sent, nothing can be trusted
            unreadable = f"what the server says about the deal cannot be read: {error}"
            contributions, findings = [], [DealFinding(view.hand_number, Severity.PROBLEM, unreadable)]
        for finding in findings:
            self._report(finding)
        return [encode_contribution(contribution) for contribution in contributions]

    def see_record(self, record: pb.HandRecord) -> None:
        """Look at a hand that is over, and whose end was not in a view."""
        try:
            variant = decode_variant(record.variant)
            deal = decode_deal(record.table_id, variant, record.events)
            findings = self.witness.see_end(record.hand_number, deal, variant.deck) if deal else []
        except RiverboatError as error:
            findings = [
                DealFinding(record.hand_number, Severity.PROBLEM, f"the record of the hand cannot be read: {error}")
            ]
        for finding in findings:
            self._report(finding)


class Reporter:
    """Writes findings to the log: problems as errors, each note once, and with `strict` raises for a problem."""

    def __init__(self, name: str, strict: bool = False, also: Report | None = None) -> None:
        self._name, self._strict, self._also = name, strict, also
        self._noted: set[str] = set()

    def __call__(self, finding: DealFinding) -> None:
        """Take a finding."""
        is_new_note = finding.level == Severity.NOTE and finding.text not in self._noted
        if finding.level == Severity.PROBLEM:
            log.error("deal_not_as_announced", bot=self._name, hand=finding.hand_number, problem=finding.text)
        else:
            note = log.info if is_new_note else log.debug
            note("deal_noted", bot=self._name, hand=finding.hand_number, note=finding.text)
        if is_new_note:
            self._noted.add(finding.text)
        if self._also:
            self._also(finding)
        if self._strict and finding.level == Severity.PROBLEM:
            raise DealFailed(f"hand {finding.hand_number} was not dealt as announced: {finding.text}")
