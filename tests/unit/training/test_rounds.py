"""Settings of runs in rounds: texts to values and back."""

import pytest

from riverboat.errors import InvalidInput
from riverboat.training.rounds import Setting, read_settings, settings_of, write_settings
from tests.reference.sums import SumsPlan


def test_settings_come_back_as_they_were_written() -> None:
    plan = SumsPlan(rounds=7, jobs=0, scale=0.25, mode="twice", is_odd=True)
    texts = write_settings(plan)
    assert texts == {"rounds": "7", "jobs": "0", "scale": "0.25", "fails": "-1", "mode": "twice", "is_odd": "yes"}
    assert read_settings(SumsPlan, texts) == plan


def test_missing_settings_have_their_defaults() -> None:
    assert read_settings(SumsPlan, {"rounds": "5"}) == SumsPlan(rounds=5)


def test_settings_are_listed_with_defaults_and_help() -> None:
    assert settings_of(SumsPlan)[:2] == (
        Setting("rounds", "3", "Number of rounds."),
        Setting("jobs", "4", "Jobs of a round."),
    )
    assert settings_of(SumsPlan)[-1].default == "no"


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("rounds", "0", "must be between 1 and 1,000, not 0"),
        ("rounds", "1001", "must be between 1 and 1,000, not 1001"),
        ("rounds", "many", "must be like 3, not 'many'"),
        ("rounds", "2.5", "must be like 3, not '2.5'"),
        ("scale", "nan", "must be at least 0.0, not nan"),
        ("scale", "", "must be like 1.0, not ''"),
        ("mode", "thrice", "must be one of plain, twice, not 'thrice'"),
        ("is_odd", "perhaps", "must be yes or no, not 'perhaps'"),
        ("round", "1", "unknown setting; the settings are rounds, jobs, scale, fails, mode, is_odd"),
    ],
)
def test_a_wrong_setting_is_named(name: str, text: str, reason: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        read_settings(SumsPlan, {name: text})
    assert (caught.value.field, caught.value.reason) == (f"settings.{name}", reason)
