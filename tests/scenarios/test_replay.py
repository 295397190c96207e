"""riverboat replay as people and programs run it."""

import json
import lzma
import re
from pathlib import Path

import pytest

from riverboat.clients.console.commands import replay as replay_command
from riverboat.clients.remote.refusals import EXIT_REFUSED
from tests.commands import run_command

GOLDEN = Path(__file__).resolve().parent.parent / "golden" / "pluribus-5000.phhs"
REAL = GOLDEN.with_name("real-hands-60.phhs")
# A house that takes 5 %; in the second hand a stack is not known, and in the third one more dollar is missing.
RAKED = "\n".join(
    f"""\
[{number}]
variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [0.50, 1, 0]
min_bet = 1
starting_stacks = {stacks}
actions = ['p3 cbr 3', 'p1 f', 'p2 cc', 'd db 2c3d9h', 'p2 cc', 'p3 cbr 2.50', 'p2 f']
finishing_stacks = {ends}
"""
    for number, stacks, ends in (
        (1, "[10, 10, 20]", "[9.50, 7, 23.175]"),
        (2, "[10, inf, 20]", "[9.50, inf, 23.175]"),
        (3, "[2.6, 10, 20]", "[1.10, 7, 23.50]"),
    )
)
LOG = """\
# match of alice and bob
STATE:0:cr300c/cr900c/cc/r2000f:AhKd|QsQc/2c3d9h/5s/6d:900|-900:alice|bob
STATE:1:r20000c///:QsQc|AhKd/2c3d9h/5s/6d:20000|-20000:bob|alice
SCORE:-19100|19100:alice|bob
"""


def riverboat(*words: str | Path) -> tuple[int, str]:
    return run_command([replay_command], *words)


@pytest.fixture
def hands(tmp_path: Path) -> Path:
    """Return the first hundred golden hands."""
    path = tmp_path / "hands.phhs"
    path.write_text("".join(GOLDEN.read_text().splitlines(keepends=True)[:1200]))
    return path


def change(path: Path, old: str, new: str) -> Path:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    return path


def test_a_hand_is_shown_street_by_street() -> None:
    code, text = riverboat("replay", "--hand", "4", GOLDEN)
    assert code == 0
    lines = [line.rstrip() for line in text.splitlines()]
    assert lines[0] == "hand 7: no-limit hold'em, blinds 50/100"
    assert any(line.split() == ["p2", "Budd", "Jd", "9h", "10,000", "11,275", "+1,275"] for line in lines)
    assert any(line.split() == ["p6", "MrWhite", "(button)", "3h", "Ts", "10,000", "10,000", "0"] for line in lines)
    flop = lines.index("flop  3s Jh 2h  pot 500")
    assert lines[flop + 1 : flop + 4] == ["  Budd checks", "  Bill bets 250", "  Budd calls 250"]
    assert lines[-4:-1] == ["  Budd shows Jd9h", "  Bill mucks", ""]
    assert lines[-1] == "Budd wins 2,500 with a pair of jacks, king-ten-nine kickers"


def test_the_first_hand_is_shown_and_chips_nobody_called_go_back() -> None:
    code, text = riverboat("replay", GOLDEN)
    assert code == 0
    assert "Gogo raises to 300" in text
    assert text.endswith(
        "an uncalled 200 goes back to Gogo\nGogo wins 200\nhand 1 of 5,000 in this file; --hand chooses another\n"
    )


def test_half_chips_and_all_in() -> None:
    code, text = riverboat("replay", "--hand", "81", GOLDEN)
    assert code == 0
    assert "  Gogo calls 7,100 (all-in)\n" in text
    assert "Bill wins 10,387.5 with two pair, kings and fives" in text


def test_restrictions_are_shown_and_checked(tmp_path: Path) -> None:
    path = tmp_path / "capped.phh"
    first = GOLDEN.read_text().partition("\n[")[0].removeprefix("[1]\n")
    assert "cbr 300" in first
    path.write_text(f"{first}\n_raises_per_street = 1\n_pot_cap = 400.00\n")
    code, text = riverboat("replay", path)
    assert code == 0
    assert text.splitlines()[1] == "rules: 1 raise a street, no bet may take the pot above 400"
    assert json.loads(riverboat("replay", path, "--json")[1])["restrictions"] == [
        "1 raise a street",
        "no bet may take the pot above 400",
    ]
    assert riverboat("replay", "--check", path) == (0, "1 hand, 0 differences\n")
    change(path, "_pot_cap = 400", "_pot_cap = 399")
    code, text = riverboat("replay", "--check", path)
    assert code == 1
    assert "cannot raise" in text


def test_json_is_json() -> None:
    code, text = riverboat("replay", "--hand", "4", "--json", GOLDEN)
    shown = json.loads(text)
    assert (code, shown["hand"], shown["line"], shown["pot"]) == (0, 7, 37, 2500)
    assert [seat["finishes"] for seat in shown["seats"]] == [9950, 11275, 10000, 8775, 10000, 10000]
    assert [street["board"] for street in shown["streets"]] == ["", "3sJh2h", "3sJh2hTc", "3sJh2hTcKs"]
    assert shown["streets"][1]["actions"][1] == {"seat": 3, "words": "bets 250"}


def test_all_golden_hands_check() -> None:
    assert riverboat("replay", "--check", GOLDEN) == (0, "5,000 hands, 0 differences\n")


def test_a_changed_finishing_stack_is_found(hands: Path) -> None:
    change(hands, "finishing_stacks = [9950, 10250,", "finishing_stacks = [9950, 10251,")
    code, text = riverboat("replay", "--check", hands, GOLDEN)
    said = f"{hands}: line 13: hand 2: Eddie ends with 10,251 in the file, with 10,250 by the rules"
    assert code == 1
    assert text == f"{said}\n5,100 hands, 1 difference\n"
    code, text = riverboat("replay", "--check", "--json", hands)
    checked = json.loads(text)
    assert (code, checked["hands"], checked["differences"][0]["line"]) == (1, 100, 13)


def test_a_hand_against_the_rules_is_a_difference(hands: Path) -> None:
    change(hands, "'p1 cbr 300'", "'p1 cbr 150'")
    code, text = riverboat("replay", "--check", hands)
    assert code == 1
    assert "line 1: hand 1: event 5 (seat 0: raise to 150): seat 0 cannot raise to 150" in text
    assert text.endswith("100 hands, 1 difference\n")
    code, text = riverboat("replay", hands)
    assert code == EXIT_REFUSED
    assert text.startswith(f"{hands}: line 8: event 5")


def test_hands_without_stacks_are_counted(hands: Path) -> None:
    change(hands, "finishing_stacks = [10100, 9900, 10000, 10000, 10000, 10000]\n", "")
    code, text = riverboat("replay", "--check", hands)
    assert code == 0
    assert text.startswith("1 not compared")
    assert text.endswith("100 hands, 0 differences\n")


def test_a_malformed_file_is_named_by_line(hands: Path) -> None:
    change(hands, "finishing_stacks = [10100, 9900,", "finishing_stacks = [10101, 9900,")
    change(hands, "'p6 cbr 200'", "'p6 cbr many'")
    code, text = riverboat("replay", "--check", hands)
    difference, skipped, summary = text.splitlines()
    assert code == 1
    assert difference == f"{hands}: line 1: hand 1: Gogo ends with 10,101 in the file, with 10,100 by the rules"
    assert skipped == f"{hands}: line 13: hand 2: skipped: line 20: actions[9]: 'many' is not a number of chips"
    assert summary == "100 hands, 1 difference, 1 skipped"
    checked = json.loads(riverboat("replay", "--check", "--json", hands)[1])
    assert [(each["line"], each["hand"]) for each in checked["skipped"]] == [(13, "2")]
    assert riverboat("replay", "--hand", "3", hands)[0] == 0
    assert riverboat("replay", "--hand", "2", hands) == (EXIT_REFUSED, f"{hands}: {skipped.partition('skipped: ')[2]}")


def test_real_hands_with_posts_unknown_stacks_and_rake(tmp_path: Path) -> None:
    code, text = riverboat("replay", "--check", REAL)
    *notes, summary = text.splitlines()
    assert (code, summary) == (0, "60 hands, 0 differences")
    assert notes[1:] == ["6 with a newcomer's post"]
    raked = tmp_path / "raked.phhs.xz"
    raked.write_bytes(lzma.compress(RAKED.encode()))
    code, text = riverboat("replay", "--check", raked)
    assert code == 1
    difference, *notes, summary = text.splitlines()
    assert difference == f"{raked}: line 19: hand 3: p1 ends with 1.10 in the file, with 2.10 by the rules"
    assert notes == ["1 with an unknown stack", "2 with rake: 0.65 in all, 5.0 % of their pots"]
    assert summary == "3 hands, 1 difference"


def test_a_cut_archive_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cut.phhs.xz"
    path.write_bytes(lzma.compress(RAKED.encode())[:-20])
    code, text = riverboat("replay", "--check", path)
    assert code == EXIT_REFUSED
    assert text.startswith(f"{path}: not a complete xz file")


def test_logs(tmp_path: Path) -> None:
    log = tmp_path / "match.log"
    log.write_text(LOG)
    game = ("--blinds", "50,100", "--stack", "20000", "--limit", "no")
    assert riverboat("replay", "--check", log, *game) == (0, "2 hands, 0 differences\n")
    code, text = riverboat("replay", "--hand", "2", log)
    assert code == 0
    assert "alice (button)" in text
    assert "bob calls 19,900 (all-in)" in text
    assert text.endswith("bob wins 40,000 with a pair of queens, nine-six-five kickers\n")
    other = log.rename(tmp_path / "match.txt")
    assert riverboat("replay", "--check", "--format", "acpc", other)[0] == 0
    code, text = riverboat("replay", "--check", "--limit", "fixed", "--format", "acpc", other)
    assert code == EXIT_REFUSED
    assert text.startswith(f"{other}: line 2: actions: 'r300'")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("nothing.phh",), "nothing.phh: No such file or directory"),
        (("--check", "nothing.phh"), "nothing.phh: No such file or directory"),
        (("README.md",), "README.md: unknown format"),
        (("--hand", "5001", str(GOLDEN)), "--hand: .* has fewer than 5001 hands"),
        ((str(GOLDEN), str(GOLDEN)), "only one file can be shown at a time"),
        (("--blinds", "50", "x.log"), "--blinds: '50' must be two numbers"),
        (("--blinds", "100,50", "x.log"), "--blinds: "),
    ],
)
def test_refusals(words: tuple[str, ...], message: str) -> None:
    code, text = riverboat("replay", *words)
    assert code == EXIT_REFUSED
    assert re.match(message, text)


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "bad.phh"
    path.write_bytes(b"variant = 'NT'\nhand = '\xff'\n")
    assert riverboat("replay", path) == (EXIT_REFUSED, f"{path}: line 2: not UTF-8 text")
