"""riverboat hands import and riverboat players, without processes."""

import json
import lzma
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from riverboat.clients.console.commands import hands as hands_command
from riverboat.clients.console.commands import players as players_command
from riverboat.clients.console.hands import importing
from riverboat.clients.console.hands.store import HandStore
from riverboat.clients.remote.refusals import EXIT_REFUSED
from tests.commands import run_command

REAL = Path(__file__).resolve().parents[4] / "golden" / "real-hands-60.phhs"


def riverboat(*words: str | Path) -> tuple[int, str]:
    return run_command([hands_command, players_command], *words)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Return a store with the real hands in several parts."""
    folder = tmp_path / "store"
    assert riverboat("hands", "import", REAL, "--store", folder) == (0, "real-hands-60.phhs: 60 hands\n")
    return folder


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "PART_BYTES", 5000)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_an_import_can_be_repeated(store: Path, tmp_path: Path) -> None:
    before = contents(store)
    assert len(before) > 6
    code, text = riverboat("hands", "import", REAL, "--store", store)
    assert (code, text) == (0, "real-hands-60.phhs: 60 hands (already in the store)\n")
    packed = tmp_path / "packed.phhs.xz"
    packed.write_bytes(lzma.compress(REAL.read_bytes()))
    code, text = riverboat("hands", "import", packed, "--store", store)
    assert text == "packed.phhs.xz has the same text as real-hands-60.phhs, which is already in the store\n"
    assert contents(store) == before


def test_an_import_that_was_stopped_goes_on(store: Path, tmp_path: Path) -> None:
    half = tmp_path / "half"
    steps = []

    def stop(share: float, text: str) -> None:
        steps.append((share, text))
        if len(steps) == 3:
            raise KeyboardInterrupt

    target = HandStore(half)
    target.create()
    with pytest.raises(KeyboardInterrupt):
        list(importing.import_files(target, [REAL], stop))
    kept = {path: path.stat().st_mtime_ns for path in target.part_paths()}
    assert 3 <= len(kept) < len(HandStore(store).part_paths())
    (half / "lost.safetensors.new").write_bytes(b"half a part")
    assert riverboat("hands", "import", REAL, "--store", half) == (0, "real-hands-60.phhs: 60 hands\n")
    assert contents(half) == contents(store)
    assert all(path.stat().st_mtime_ns == time for path, time in kept.items())
    assert 0 < steps[0][0] <= steps[-1][0] <= 1


def test_a_damaged_part_is_named_and_rebuilt(store: Path) -> None:
    before = contents(store)
    first, second, *_ = HandStore(store).part_paths()
    data = bytearray(first.read_bytes())
    data[-5] ^= 1
    first.write_bytes(data)
    code, text = riverboat("players", store)
    assert code == EXIT_REFUSED
    assert text.startswith(f"{first}: damaged: its checksum is wrong; import its file again")
    second.unlink()
    code, text = riverboat("players", store)
    assert (code, text) == (EXIT_REFUSED, f"{second} is missing; import real-hands-60.phhs again to rebuild it")
    code, text = riverboat("hands", "import", REAL, "--store", store)
    assert (code, text) == (0, f"rebuilt {first}: its checksum is wrong\nreal-hands-60.phhs: 60 hands\n")
    assert contents(store) == before


def test_hands_that_are_left_out_are_named(tmp_path: Path) -> None:
    text = REAL.read_text().replace("'p2 cc'", "'p2 cbr 9999999'", 1)
    damaged = tmp_path / "damaged.phhs"
    damaged.write_text(text)
    text = riverboat("hands", "import", damaged, "--store", tmp_path / "store")[1]
    left_out, summary = text.splitlines()
    assert left_out.startswith("damaged.phhs: line ")
    assert "left out: event" in left_out
    assert summary == "damaged.phhs: 59 hands, 1 left out"
    (entry,) = json.loads(riverboat("hands", "import", damaged, "--store", tmp_path / "store", "--json")[1])
    assert (entry["hands"], entry["was_there"], len(entry["left_out"])) == (59, True, 1)


def test_bad_input_is_refused_by_name(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "letter.txt").write_text("Dear Ann")
    cases = {
        ("hands", "import", str(tmp_path / "no.phhs"), "--store", str(tmp_path / "s")): "no.phhs: No such file",
        ("hands", "import", str(REAL), "--store", str(other)): "is not a store of hands",
        ("players", str(tmp_path)): "not a store of hands; riverboat hands import FILE",
    }
    cut = tmp_path / "cut.phhs.xz"
    cut.write_bytes(lzma.compress(REAL.read_bytes())[:-30])
    cases["hands", "import", str(cut), "--store", str(tmp_path / "s")] = "not a complete xz file"
    for words, message in cases.items():
        code, text = riverboat(*words)
        assert code == EXIT_REFUSED
        assert message in text


def test_players_are_listed(store: Path) -> None:
    code, text = riverboat("players", store, "--min-hands", "2", "--top", "3")
    head, *rows, more, about = text.splitlines()
    assert code == 0
    assert head.split()[:4] == ["player", "hands", "VPIP", "PFR"]
    assert len(rows) == 3
    assert more.endswith("--html and --json all")
    assert "of 60 hands in store" in about
    listed = json.loads(riverboat("players", store, "--min-hands", "1", "--json")[1])
    assert sum(player["hands"] for player in listed) == 20 * (2 + 6 + 9)
    headsup = json.loads(riverboat("players", store, "--min-hands", "1", "--json", "--seats", "2")[1])
    assert sum(player["hands"] for player in headsup) == 40
    by_vpip = json.loads(riverboat("players", store, "--min-hands", "1", "--json", "--sort", "vpip")[1])
    shares = [player["vpip"] for player in by_vpip if player["vpip"] is not None]
    assert shares == sorted(shares, reverse=True)


def test_one_player_and_pages(store: Path, tmp_path: Path) -> None:
    page, picture, report = tmp_path / "all.html", tmp_path / "all.svg", tmp_path / "one.html"
    code, _ = riverboat("players", store, "--min-hands", "1", "--html", page, "--picture", picture)
    assert code == 0
    dots = ET.fromstring(picture.read_text()).findall(".//{http://www.w3.org/2000/svg}circle")  # noqa: S314
    listed = json.loads(riverboat("players", store, "--min-hands", "1", "--json")[1])
    assert len(dots) == sum(player["vpip"] is not None for player in listed)
    assert page.read_text().count("<tr>") == len(listed) + 1
    name = listed[0]["player"]
    code, text = riverboat("players", store, "--player", name, "--html", report)
    assert code == 0
    assert text.startswith(f"{name}\nplayers")
    assert "preflop, a bet to call" in text
    assert "preflop, a bet to call" in report.read_text()
    code, text = riverboat("players", store, "--player", "nobody")
    assert code == EXIT_REFUSED
    assert text.startswith("--player: nobody is called 'nobody'")


def test_models_are_scored(store: Path) -> None:
    code, text = riverboat("players", store, "--score", "--json")
    assert code == 0
    result = next(each for each in json.loads(text) if each["players"] == 2)
    scores = result["everyone"]["all"]
    assert set(scores["accuracy"]) == {"everybody", "styles", "boosted"}
    assert scores["moves"] == result["everyone"]["first_hundred_hands"]["moves"]  # nobody plays a hundred of 60 hands
    code, text = riverboat("players", store, "--score")
    assert code == 0
    assert "boosted: loss" in text


def test_a_number_of_players_without_models_is_refused(store: Path) -> None:
    code, text = riverboat("players", store, "--score", "--seats", "10")
    assert code == EXIT_REFUSED
    assert "there are models for 2" in text
