"""A chair's part in the shuffle: it contributes to every deal, checks it, and reports what is wrong."""

import secrets
from collections.abc import Callable

from riverboat.clients.bots.bot_runner import BotFailed
from riverboat.clients.bots.event_log import log
from riverboat.contracts.tables import Unreadable
from riverboat.dealing.memory import Contribution
from riverboat.dealing.witness import DealFinding, Severity, Witness
from riverboat.tables.evidence import deal_of, sight_of
from riverboat.tables.records import HandRecord
from riverboat.tables.view import TableView

Report = Callable[[DealFinding], None]


class DealFailed(BotFailed):
    """The server did not deal as it had announced, so the strict bot had to leave."""


class Fairness:
    """A witness that takes views and records. Findings go to `report`, each once."""

    def __init__(
        self, report: Report, draw: Callable[[int], bytes] = secrets.token_bytes, may_be_match: bool = False
    ) -> None:
        self._report, self._draw, self._may_be_match = report, draw, may_be_match
        self.witness = Witness(draw, may_be_match)
        self._table_id = ""

    def see(self, view: TableView | Unreadable) -> list[Contribution]:
        """Check a view; return what to send."""
        if isinstance(view, Unreadable):  # nothing that it says can be trusted
            unreadable = f"what the server says about the deal cannot be read: {view.reason}"
            self._report(DealFinding(view.hand_number, Severity.PROBLEM, unreadable))
            return []
        if self._table_id not in ("", view.table_id):  # moved: another table has other deals
            self.witness = Witness(self._draw, self._may_be_match)
        self._table_id = view.table_id
        contributions, findings = self.witness.see(sight_of(view))
        for finding in findings:
            self._report(finding)
        return contributions

    def see_record(self, record: HandRecord | Unreadable) -> None:
        """Check a finished hand whose end was in no view."""
        if isinstance(record, Unreadable):
            unreadable = f"the record of the hand cannot be read: {record.reason}"
            self._report(DealFinding(record.hand_number, Severity.PROBLEM, unreadable))
            return
        deal = deal_of(record)
        for finding in self.witness.see_end(record.hand_number, deal, record.variant.deck) if deal else []:
            self._report(finding)


class FindingLog:
    """Writes findings to the log: problems as errors, each note once. With `strict` a problem raises DealFailed."""

    def __init__(self, name: str, strict: bool = False, also: Report | None = None) -> None:
        self._name, self._strict, self._also = name, strict, also
        self._noted: set[str] = set()

    def __call__(self, finding: DealFinding) -> None:
        """Take a finding."""
        is_problem = finding.level == Severity.PROBLEM
        is_new_note = finding.level == Severity.NOTE and finding.text not in self._noted
        if is_problem:
            log.error("deal_not_as_announced", bot=self._name, hand=finding.hand_number, problem=finding.text)
        else:
            note = log.info if is_new_note else log.debug
            note("deal_noted", bot=self._name, hand=finding.hand_number, note=finding.text)
        if is_new_note:
            self._noted.add(finding.text)
        if self._also:
            self._also(finding)
        if self._strict and is_problem:
            raise DealFailed(f"hand {finding.hand_number} was not dealt as announced: {finding.text}")
