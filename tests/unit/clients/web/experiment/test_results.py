import csv
import io
from collections.abc import Sequence

import pytest

from riverboat.clients.web.experiment.archive import Participant, ParticipantHand
from riverboat.clients.web.experiment.results import (
    Record,
    answers_csv,
    chi_square,
    hands_csv,
    results_document,
)


def record(
    number: int,
    payoffs: Sequence[int],
    *,
    agent: str = "rollout",
    experience: str = "none",
    all_in: bool = False,
    moves: tuple[int, ...] = (2, 6),
    answers: dict[str, str] | None = None,
) -> Record:
    participant = Participant(
        id=f"p{number}", number=number, agent=agent, experience=experience, began=0, table_id="", token="secret",
        collected=0, hand_count=len(payoffs),
    )  # fmt: skip
    hands = [
        ParticipantHand(
            number=i + 1,
            payoff=payoff,
            adjusted=payoff / 2,
            moves=moves,
            all_in=all_in,
            phh="",
            ended=10.0 * i + number,
        )
        for i, payoff in enumerate(payoffs)
    ]
    return Record(participant, hands, answers or {})


def test_rates_are_the_agents_in_small_blinds() -> None:
    records = [record(1, [100, -200, -200]), record(2, [50], experience="expert")]
    groups = {group["name"]: group for group in results_document(records, ["rollout"], False)["groups"]}
    rates = groups["rollout"]["rates"]
    assert rates["all"]["raw"] == pytest.approx((-100 + 200 + 200 - 50) / 50 / 4)
    assert rates["all"]["adjusted"] == pytest.approx(rates["all"]["raw"] / 2)
    assert rates["novices"]["hands"] == 3
    assert rates["experienced"] == {
        "hands": 1,
        "raw": -1.0,
        "raw_margin": None,
        "adjusted": -0.5,
        "adjusted_margin": None,
    }


def test_the_curve_ends_at_the_rate() -> None:
    records = [record(1, [100, -200, 300, 0]), record(2, [50, 50])]
    group = results_document(records, ["rollout"], False)["groups"][0]
    assert group["curves"]["all"]["raw"][-1] == pytest.approx(group["rates"]["all"]["raw"], abs=1e-4)
    assert group["curves"]["all"]["raw_margin"][-1] == pytest.approx(group["rates"]["all"]["raw_margin"], abs=1e-3)
    assert group["curves"]["all"]["n"] == [1, 2, 3, 4, 5, 6]


def test_the_first_hands_of_each_participant() -> None:
    group = results_document([record(1, [100, 100, 100]), record(2, [-50])], ["rollout"], False)["groups"][0]
    assert group["by_first_hands"]["n"] == [1, 2, 3]
    assert group["by_first_hands"]["hands"] == [2, 3, 4]
    assert group["by_first_hands"]["raw"] == [-0.5, pytest.approx(-1.0), pytest.approx(-1.25)]


def test_players_who_are_not_in_earnest_are_left_out_unless_asked_for() -> None:
    records = [record(1, [0] * 30), record(2, [0] * 30, all_in=True), record(3, [0] * 30, moves=(0,))]
    document = results_document(records, ["rollout"], False)
    assert document["groups"][0]["participants"] == 1
    assert [bool(one["left_out"]) for one in document["participants"]] == [False, True, True]
    assert results_document(records, ["rollout"], True)["groups"][0]["participants"] == 3
    assert not record(4, [0] * 5, all_in=True).reason  # too few hands to say


def test_sizes_are_compared_with_the_training_data() -> None:
    bets = results_document([record(1, [0] * 10)], ["rollout"], False)["groups"][0]["sizes"][0]
    assert bets["observed"] == [0, 0, 0, 10, 0, 0, 0]
    assert sum(bets["expected"]) == pytest.approx(10, abs=0.05)
    assert bets["chi2"] > 0


def test_pearsons_test_against_tables() -> None:
    assert chi_square([10] * 7, [10.0] * 7) == (0.0, 1.0)
    _, p = chi_square([16, 4, 10, 10, 10, 10, 10], [10.0] * 7)  # chi2 7.2 with 6 degrees of freedom
    assert p == pytest.approx(0.3027, abs=1e-4)
    assert chi_square([1] * 7, [0.0] + [1.0] * 6) == (None, None)


def test_csv_has_no_names_and_no_formulas() -> None:
    records = [record(1, [100, -50], answers={"strength": "4", "mistakes": "=cmd()"})]
    hands = list(csv.DictReader(io.StringIO(hands_csv(records))))
    assert [row["payoff_chips"] for row in hands] == ["100", "-50"]
    assert hands[0]["move_classes"] == "2 6"
    (answers,) = csv.DictReader(io.StringIO(answers_csv(records)))
    assert (answers["strength"], answers["mistakes"]) == ("4", "'=cmd()")
    assert "secret" not in hands_csv(records) + answers_csv(records)
    assert "p1" not in hands_csv(records) + answers_csv(records)
