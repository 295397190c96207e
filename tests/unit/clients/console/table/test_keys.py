"""Whole hands by keys, screen by screen; python -m tests.unit.clients.console.table.test_keys rewrites them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from riverboat.clients.console.table.inbox import Ended, Typed
from riverboat.rules.variant import fixed_limit
from tests.unit.clients.console.table.sitting import AWAY, BACK, CLOSE, DEAL, TIME_UP, look_on, sit, story, updates
from tests.unit.clients.console.table.tables import table_of

FOLDER = Path(__file__).resolve().parents[4] / "golden" / "console" / "keys"


def heads_up() -> list[str]:
    """Play a hand to its showdown: a typed raise, a hint, the keys, an explanation, and most typing errors."""
    keys = [
        "r",
        "5",
        "\n",
        "r",
        "\n",
        "y",
        "\n",
        "r",
        "30",
        "\x7f",
        "00",
        "\n",
        "f",
        "r",
        "\x1b",
        "h",
        "k",
        "?",
        "v",
        "rhalf\n",
        "q",
    ]
    return sit(table_of("Anna", "rollout"), 0, [0, 0, 0, 0, 0, 0, 0], [*keys, "c", "c"])


def side_pots() -> list[str]:
    """Play with six players, three of them all-in for less; then leave the next hand at once."""
    table = table_of("Anna", "rollout", "random", "carl", "dora", "emil")
    for player, stack in zip(table.players, (10_000, 500, 2_000, 10_000, 7_000, 10_000), strict=True):
        assert player
        player.stack = stack
    return sit(table, 3, [7_000, -1, -1, 0, 0, *[-1] * 9], ["r300\n", "r", "\n", "c", DEAL, "q", "q"])


def out_of_chips() -> list[str]:
    """Lose an all-in, buy chips again, and leave."""
    table = table_of("Anna", "rollout", buy_in=1_000)
    return sit(table, 0, [0, 300], ["b", "all-in\n", "?", "v", "c", "b", DEAL, "v", "q", "f"])


def fixed() -> list[str]:
    """Play where only one amount is legal."""
    table = table_of("Anna", "rollout", variant=fixed_limit(100))
    return sit(table, 0, [0, 0, 0], ["r", "\n", "r300\n", "q", "q"])


def low_screen() -> list[str]:
    """Play with ten players on a screen of 24 lines: the oldest actions are cut."""
    table = table_of(*(f"a player with a long name {n}" for n in range(10)), buy_in=1_000_000)
    raises = [200, 300, 400, 500, 600, 700, -1, 900, 1100, *[0] * 12]
    return sit(table, 2, raises, ["r2000\n", "k", "?", "q", "q"])


def out_of_time() -> list[str]:
    """Lose the chair by not buying chips."""
    return sit(table_of("Anna", "rollout", buy_in=1_000), 0, [0], ["rmax\n", TIME_UP])


def closed() -> list[str]:
    """Close the table while the player sits at it."""
    return sit(table_of("Anna", "rollout"), 0, [], ["f", CLOSE])


def server_away() -> list[str]:
    """Type keys during an outage: they take effect when the server is back, leaving included."""
    keys = [AWAY, "r300\n", "c", BACK, AWAY, "q", BACK, "c", "c", "c"]
    return sit(table_of("Anna", "rollout"), 0, [0, 0, 0, 0], keys)


def dealers_eye() -> list[str]:
    """Watch agents play each other with all cards shown; paused, then step by step."""
    table = table_of("rollout", "random", "always-call", agents_only=True)
    start, *later = updates(table, 300, -1, 0, 600, -1)
    return look_on(table, [start, Typed(" "), *later, Ended()], ["n", "n", "n", " ", "q"])[0]


STORIES = (heads_up, side_pots, out_of_chips, fixed, low_screen, out_of_time, closed, server_away, dealers_eye)


@pytest.mark.parametrize("tale", STORIES)
def test_golden(tale: Callable[[], list[str]]) -> None:
    assert story(tale()) == (FOLDER / f"{tale.__name__}.txt").read_text()


def test_every_golden_has_a_test() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == {tale.__name__ for tale in STORIES}


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for tale in STORIES:
        (FOLDER / f"{tale.__name__}.txt").write_text(story(tale()))
