"""Studying in a real browser: solve, walk, lock, save and load; replay and review files."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.visitors import Visitor
from tests.processes import ROOT

pytestmark = pytest.mark.slow
# Decided before the flop, which is solved in seconds.
_SHORT_HAND = """
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [10000, 10000]
players = ["Anna", "Bob"]
actions = ["d dh p1 9s8s", "d dh p2 KhTh", "p2 cbr 250", "p1 f"]
"""


def solve(person: Visitor) -> None:
    """Solve the spot of the form, and wait for its root."""
    person.page.get_by_role("button", name="Solve", exact=True).click()
    person.page.get_by_text("The player who acts first decides").first.wait_for()


def test_solve_walk_lock_save_and_load(visit: Visit, tmp_path: Path) -> None:
    person = visit("/study")
    page = person.page
    solve(person)
    page.locator(".compare [data-class=AKs]").click()
    expect(page.locator(".holding").first).to_contain_text(re.compile("A.K."))
    page.get_by_role("button", name="check", exact=True).click()
    expect(page.get_by_text("The player who acts last decides")).to_be_visible()
    page.get_by_text("Lock this decision").click()
    page.get_by_role("button", name="Lock it").click()
    expect(page.locator(".item").filter(has_text="check: check 100 %")).to_be_visible()
    solve(person)
    expect(page.get_by_text("1 locked")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="Save").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    page.reload()
    page.locator("input[accept='.solution']").set_input_files(file)
    page.get_by_text("The player who acts first decides").wait_for()
    assert re.fullmatch(r"Td9d6hQc2s\.solution", file.name)


def test_a_spot_by_clicks_and_wrong_ones(visit: Visit) -> None:
    person = visit("/study")
    page = person.page
    picks = page.get_by_role("group", name="Cards of the board")
    for card in ("queen of clubs", "nine of diamonds", "six of hearts"):
        picks.get_by_role("button", name=card).click()
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("three to five cards")
    for card in ("queen of clubs", "nine of diamonds", "six of hearts"):
        picks.get_by_role("button", name=card).click()
    page.get_by_label("Bet sizes").fill("a lot")
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("sizes")
    page.get_by_label("Bet sizes").fill("100%")
    page.get_by_role("button", name="None", exact=True).first.click()
    page.locator(".grid13").first.locator("[data-class=AA]").click()
    page.locator(".grid13").first.locator("[data-class='72o']").click()
    expect(page.get_by_label("Range of the player who acts first as text")).to_have_value("AA,72o")
    solve(person)


def test_a_dropped_file_is_replayed_and_reviewed(visit: Visit, tmp_path: Path) -> None:
    person = visit("/replay")
    page = person.page
    broken = tmp_path / "broken.phh"
    broken.write_text("this is no hand")
    page.locator("input[type=file]").set_input_files(broken)
    expect(page.get_by_role("alert")).to_contain_text("no hand can be replayed")
    person.expect_problems("400")
    page.locator("input[type=file]").set_input_files(ROOT / "clients/examples/heads_up.phh")
    page.get_by_label("Last", exact=True).click()
    expect(page.locator(".moments [aria-current=true]")).to_contain_text("Anna wins")
    short = tmp_path / "short.phh"
    short.write_text(_SHORT_HAND)
    page.locator("input[type=file]").set_input_files(short)
    page.get_by_label("Player").select_option(label="Bob")
    page.get_by_role("button", name="Review").click()
    expect(page.locator(".grade")).to_have_count(1)
    expect(page.get_by_text("Solving each street…")).to_have_count(0)
