"""The results of an experiment, without names: win rates with intervals, bet sizes, answers."""

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, factorial, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from riverboat.clients.web.experiment.archive import Archive, Participant, ParticipantHand
from riverboat.clients.web.experiment.plan import SMALL_BLIND
from riverboat.clients.web.experiment.questions import NOVICES, OPEN_QUESTIONS, QUESTIONS
from riverboat.opponents.moves import FIRST_BET, FIRST_RAISE, SIZE_COUNT

F64 = NDArray[np.float64]
_WITHIN = 1.96  # standard errors of a 95 % interval
_POINTS = 200  # of a curve
_CHECKED_FROM = 20  # hands: a participant with fewer is never left out
_MOST_ALL_IN, _MOST_FOLDS = 0.5, 0.95  # shares of hands; above them a participant does not play in earnest
SIZES = ("Smallest", "1/4 pot", "1/2 pot", "3/4 pot", "Pot", "3/2 pot", "2+ pot")
# Counts in 2-player hands of the data that opponent models learn from: python -m benchmarks.bet_sizes STORE 2.
TRAINING_BETS = (75_905, 42_612, 116_116, 159_324, 69_930, 15_972, 13_201)
TRAINING_RAISES = (123_160, 3_636, 27_061, 27_530, 413_056, 68_032, 34_182)


@dataclass(frozen=True, slots=True, eq=False)
class Record:
    """One participant with all hands and answers."""

    participant: Participant
    hands: Sequence[ParticipantHand]
    answers: dict[str, str]

    @property
    def reason(self) -> str:
        """Why the participant does not count as playing in earnest; empty if they do."""
        count = len(self.hands)
        if count < _CHECKED_FROM:
            return ""
        if sum(hand.all_in for hand in self.hands) > _MOST_ALL_IN * count:
            return "all-in before the flop in most hands"
        folds = sum(hand.moves[:1] == (0,) for hand in self.hands)
        return "folds nearly every hand at once" if folds > _MOST_FOLDS * count else ""


def records_of(archive: Archive) -> list[Record]:
    """Return all participants with their hands and answers."""
    return [Record(one, archive.hands(one.id), archive.answers(one.id)) for one in archive.participants()]


def results_document(records: Sequence[Record], agents: Sequence[str], with_all: bool) -> dict[str, Any]:
    """Return the results for the page, of each agent and of all; `with_all` counts those who do not play in earnest."""
    counted = [record for record in records if with_all or not record.reason]
    groups = {"all agents": counted}
    groups |= {agent: [record for record in counted if record.participant.agent == agent] for agent in agents}
    return {
        "participants": [_participant(record) for record in records],
        "groups": [{"name": name, **_group(group)} for name, group in groups.items() if group or name == "all agents"],
        "questions": [
            {"key": question.key, "words": question.words, "answers": list(question.answers)} for question in QUESTIONS
        ],
        "open": [
            {"words": words, "answers": [record.answers[key] for record in counted if record.answers.get(key)]}
            for key, words in OPEN_QUESTIONS
        ],
    }


def _participant(record: Record) -> dict[str, Any]:
    own = record.participant
    rate = _rate(record.hands)
    return {
        "number": own.number,
        "agent": own.agent,
        "experience": own.experience,
        "hands": len(record.hands),
        "answered": bool(record.answers),
        "left_out": record.reason,
        "rate": rate,
    }


def _group(records: Sequence[Record]) -> dict[str, Any]:
    """Return rates and curves from the agent's side, in small blinds a hand."""
    novices = [record for record in records if record.participant.experience in NOVICES]
    experienced = [record for record in records if record.participant.experience not in NOVICES]
    moves = [move for record in records for hand in record.hands for move in hand.moves]
    return {
        "participants": len(records),
        "rates": {
            "all": _rate(_hands(records)), "novices": _rate(_hands(novices)), "experienced": _rate(_hands(experienced)),
        },
        "curves": {
            "all": _curve(_hands(records)),
            "novices": _curve(_hands(novices)),
            "experienced": _curve(_hands(experienced)),
        },
        "by_first_hands": _by_first_hands(records),
        "sizes": [
            _sizes("Bet", moves, FIRST_BET, TRAINING_BETS), _sizes("Raise", moves, FIRST_RAISE, TRAINING_RAISES),
        ],
        "answers": {question.key: _answers(records, question.key) for question in QUESTIONS},
    }  # fmt: skip


def _hands(records: Iterable[Record]) -> list[ParticipantHand]:
    """Return all hands in the order in which they ended."""
    return sorted((hand for record in records for hand in record.hands), key=lambda hand: hand.ended)


def _winnings(hands: Sequence[ParticipantHand], adjusted: bool) -> F64:
    """Return what the agent won in each hand, in small blinds."""
    chips = [hand.adjusted if adjusted else hand.payoff for hand in hands]
    return -np.array(chips, np.float64) / SMALL_BLIND


def _rate(hands: Sequence[ParticipantHand]) -> dict[str, Any]:
    """Return the agent's win rate with half of its 95 % interval, raw and with all-ins by equity."""
    rates: dict[str, Any] = {"hands": len(hands)}
    for name, adjusted in (("raw", False), ("adjusted", True)):
        won = _winnings(hands, adjusted)
        rates[name] = round(float(won.mean()), 4) if len(won) else None
        rates[f"{name}_margin"] = round(_WITHIN * float(won.std(ddof=1)) / sqrt(len(won)), 4) if len(won) > 1 else None
    return rates


def _places(count: int) -> NDArray[np.int64]:
    """Return the places of a curve's points, from 1 to `count`."""
    return np.unique(np.linspace(1, count, min(count, _POINTS)).round().astype(np.int64)) if count else np.zeros(0, int)


def _curve(hands: Sequence[ParticipantHand]) -> dict[str, Any]:
    """Return the running win rate by number of hands, with its interval."""
    places = _places(len(hands))
    curve: dict[str, Any] = {"n": places.tolist()}
    for name, adjusted in (("raw", False), ("adjusted", True)):
        won = _winnings(hands, adjusted)
        sums, squares = np.cumsum(won), np.cumsum(won * won)
        mean = sums[places - 1] / places
        variance = np.maximum(0, squares[places - 1] - places * mean * mean) / np.maximum(1, places - 1)
        margin = _WITHIN * np.sqrt(variance / places)
        curve[name] = mean.round(4).tolist()
        curve[f"{name}_margin"] = [round(float(m), 4) if n > 1 else None for m, n in zip(margin, places, strict=True)]
    return curve


def _by_first_hands(records: Sequence[Record]) -> dict[str, Any]:
    """Return the win rate over the first n hands of each participant, against n, and how many hands these are."""
    most = max((len(record.hands) for record in records), default=0)
    rows = []
    for n in _places(most).tolist():
        hands = [hand for record in records for hand in record.hands[:n]]
        rows.append((n, len(hands), _rate(hands)))
    return {
        "n": [n for n, _, _ in rows],
        "hands": [count for _, count, _ in rows],
        **{key: [rate[key] for _, _, rate in rows] for key in ("raw", "adjusted", "adjusted_margin")},
    }


def _sizes(name: str, moves: Sequence[int], first: int, training: Sequence[int]) -> dict[str, Any]:
    """Return how often each size was used, against what the training data would lead to expect."""
    counts = [sum(move == first + size for move in moves) for size in range(SIZE_COUNT)]
    total, whole = sum(counts), sum(training)
    expected = [total * share / whole for share in training] if whole else [0.0] * SIZE_COUNT
    chi2, p = chi_square(counts, expected)
    return {
        "name": name,
        "sizes": list(SIZES),
        "observed": counts,
        "expected": [round(number, 2) for number in expected],
        "chi2": chi2,
        "p": p,
    }


def chi_square(observed: Sequence[int], expected: Sequence[float]) -> tuple[float | None, float | None]:
    """Return Pearson's statistic and its p-value, with six degrees of freedom; None where a size is never expected."""
    if len(observed) != SIZE_COUNT or not all(number > 0 for number in expected):
        return None, None
    chi2 = sum((seen - number) ** 2 / number for seen, number in zip(observed, expected, strict=True))
    half = chi2 / 2  # with an even number of degrees of freedom the tail is a finite sum
    tail = sum(half**k / factorial(k) for k in range((SIZE_COUNT - 1) // 2)) * exp(-min(half, 700.0))
    return round(chi2, 2), min(1.0, tail)


def _answers(records: Sequence[Record], key: str) -> list[int]:
    """Return the answers 1 to 5 to a question."""
    return [int(record.answers[key]) for record in records if record.answers.get(key, "").isdecimal()]


def hands_csv(records: Sequence[Record]) -> str:
    """Return every hand as a row."""
    rows = [
        (record.participant.number, record.participant.agent, record.participant.experience, hand.number,
         hand.payoff, round(hand.adjusted, 2), int(hand.all_in), " ".join(map(str, hand.moves)), record.reason)
        for record in records
        for hand in record.hands
    ]  # fmt: skip
    head = "participant agent experience hand payoff_chips adjusted_chips all_in_preflop move_classes left_out"
    return _csv(head, rows)


def answers_csv(records: Sequence[Record]) -> str:
    """Return every participant as a row, with the answers."""
    keys = [*(question.key for question in QUESTIONS), *(key for key, _ in OPEN_QUESTIONS)]
    rows = [
        (record.participant.number, record.participant.agent, record.participant.experience, len(record.hands),
         record.reason, *(_safe(record.answers.get(key, "")) for key in keys))
        for record in records
    ]  # fmt: skip
    return _csv(f"participant agent experience hands left_out {' '.join(keys)}", rows)


def _safe(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in "=+-@\t\r" and text else text


def _csv(head: str, rows: Iterable[Sequence[object]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(head.split())
    writer.writerows(rows)
    return out.getvalue()
