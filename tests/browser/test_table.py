"""Playing in a real browser: by mouse, by keys, on a phone, with others, through trouble."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import Visit, web_server
from tests.browser.visitors import Visitor
from tests.processes import agent_host, running

pytestmark = pytest.mark.slow
_COLLECT_SOCKETS = """
window.sockets = [];
window.WebSocket = class extends WebSocket { constructor(...given) { super(...given); window.sockets.push(this); } };
"""
_DECISIONS = 30  # more than a hand against an agent that never raises can have


def finish_hand(person: Visitor) -> None:
    """Check and call to the end of the hand."""
    for _ in range(_DECISIONS):
        person.page.locator(".act-call, .log .end").first.wait_for()
        if person.page.locator(".log .end").count():
            return
        person.call()
    raise AssertionError("the hand does not end")


def test_a_whole_hand_by_mouse_and_its_replay(visit: Visit) -> None:
    person = visit()
    person.sit_down("Ann")
    person.wait_for_turn()
    person.page.get_by_role("button", name="Pot", exact=True).click()
    person.page.locator(".act-raise").click()
    expect(person.page.locator(".log")).to_contain_text(re.compile("Ann (bets|raises to)"))
    finish_hand(person)
    expect(person.page.locator(".said")).to_contain_text("wins")
    person.page.get_by_role("tab", name="Players").click()
    expect(person.page.get_by_role("cell", name="always-call")).to_be_visible()
    person.page.get_by_role("tab", name="Hands").click()
    replay = person.page.locator(".side").get_by_role("link", name="Replay").first.get_attribute("href")
    person.go(str(replay))
    expect(person.page.locator(".moments li").last).to_contain_text("wins")


def test_a_hand_by_keys(visit: Visit) -> None:
    person = visit()
    person.sit_down("Ben")
    person.wait_for_turn()
    keys = person.page.keyboard
    keys.press("r")
    keys.type("3bb")
    keys.press("Enter")
    expect(person.page.locator(".log")).to_contain_text("Ben raises to 300")
    person.wait_for_turn()
    keys.press("h")
    expect(person.page.get_by_text(re.compile("of the pot against 1 opponent"))).to_be_visible()
    keys.press("c")
    expect(person.page.locator(".log")).to_contain_text("Ben checks")


def test_a_phone(visit: Visit) -> None:
    person = visit(viewport={"width": 375, "height": 740}, has_touch=True, is_mobile=True)
    person.sit_down("Cleo", seats=6)
    person.wait_for_turn()
    width = person.page.evaluate("document.documentElement.scrollWidth")
    assert width <= 375
    boxes = [seat.bounding_box() for seat in person.page.locator(".plate").all()]
    assert all(box and box["x"] >= 0 and box["x"] + box["width"] <= 375 for box in boxes)
    person.page.locator(".act-raise").tap()
    person.page.get_by_role("button", name="Min", exact=True).tap()
    person.page.locator(".act-raise").tap()
    expect(person.page.locator(".log")).to_contain_text("Cleo raises to")


def test_sitting_back_down_after_a_crash(visit: Visit) -> None:
    person = visit()
    table = person.sit_down("Dora")
    person.wait_for_turn()
    cards = person.tables()[-1]["chairs"][-1]["cards"]
    person.crash()
    person.go("/")
    person.page.get_by_role("link", name="Sit back down as Dora").click()
    person.wait_for_turn()
    assert person.page.url.endswith(table)
    assert person.tables()[-1]["chairs"][-1]["cards"] == cards


def test_a_lost_connection_comes_back(visit: Visit) -> None:
    person = visit()
    person.context.add_init_script(_COLLECT_SOCKETS)
    person.go("/")
    person.sit_down("Emil")
    person.wait_for_turn()
    before = len(person.tables())
    person.page.evaluate("window.sockets.forEach((socket) => socket.close())")
    expect(person.page.locator(".badge").first).to_contain_text("reconnecting")
    expect(person.page.locator(".badge").first).to_contain_text("hand 1")
    person.page.locator(".act-call").click()
    expect(person.page.locator(".log")).to_contain_text(re.compile("Emil (calls|checks)"))
    assert len(person.tables()) > before


def test_two_people_and_a_spectator_see_no_hidden_card(visit: Visit) -> None:
    first = visit()
    table = first.sit_down("Fay <b>", seats=2, free=1)
    second, third = visit(), visit(f"/watch/{table}")
    second.page.get_by_label("Your name").first.fill("Gus")
    second.page.get_by_role("button", name="Join").first.wait_for()
    second.page.locator(f".item:has(a[href='/watch/{table}'])").get_by_role("button", name="Join").click()
    second.page.wait_for_url("**/table/*")
    expect(first.page.locator(".seats")).to_contain_text("Gus")
    _play_together(first, second)
    expect(third.page.locator(".log")).to_contain_text("Fay <b>")  # a name is text, never markup
    held = [_cards_of(first, "Fay <b>"), _cards_of(second, "Gus")]
    assert all(len(cards) == 2 for cards in held)
    _check_frames(first, held[1])
    _check_frames(second, held[0])
    _check_frames(third, [*held[0], *held[1]])
    for person in (first, second, third):
        kept = person.page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie, location.href])")
        # A seat's token begins with its table's id; scripts cannot read the cookie.
        assert not re.findall(rf"{table}[.:_-]?[0-9A-Za-z_-]{{16,}}", kept + "".join(person.frames))
        assert "riverboat=" not in kept


def _play_together(first: Visitor, second: Visitor) -> None:
    """Check and call to the end of the hand, each on a page of their own."""
    waiting = first.page.get_by_text("Gus is to act")
    for _ in range(_DECISIONS):
        first.page.locator(".act-call, .log .end").or_(waiting).first.wait_for()
        if first.page.locator(".log .end").count():
            return
        if first.page.locator(".act-call").count():
            first.call()
        else:
            number = first.page.locator(".log li").count()
            second.call()
            expect(first.page.locator(".log li")).not_to_have_count(number)
    raise AssertionError("the hand does not end")


def _cards_of(person: Visitor, name: str) -> list[str]:
    """Return the cards that a player held in the first hand."""
    for document in person.tables():
        for chair in document["chairs"]:
            if chair["name"] == name and document["hand"] == 1 and chair["cards"] and chair["cards"] != ["?", "?"]:
                return list(chair["cards"])
    return []


def _check_frames(person: Visitor, hidden: list[str]) -> None:
    """Fail if a card of somebody else is in any byte of the first hand before cards are shown."""
    seen = 0
    for frame in person.frames:
        if '"hand":1,' in frame and "shows" not in frame:
            seen += 1
            assert not [card for card in hidden if card in frame], frame
    assert seen > 3


def test_watching_agents_with_open_cards(visit: Visit) -> None:
    person = visit()
    person.page.get_by_role("tab", name="Watch agents").click()
    person.page.get_by_label("Hands", exact=True).fill("3")
    person.page.get_by_role("button", name="Open the table").click()
    person.page.wait_for_url("**/watch/*")
    expect(person.page.locator(".seats .card:not(.back)").first).to_be_visible()
    with_cards = [c["cards"] for document in person.tables() for c in document["chairs"] if c["seat"] >= 0]
    assert with_cards
    assert all("?" not in cards for cards in with_cards)
    table = person.page.url.split("/")[-1].split("?")[0]
    other = visit(f"/watch/{table}?cards")  # somebody else asks for the same, and is not the dealer
    other.page.wait_for_selector(".log li")
    assert all(c["cards"] == ["?", "?"] for document in other.tables() if not document["is_over"]
               and "shows" not in str(document["log"]) for c in document["chairs"] if c["seat"] >= 0)  # fmt: skip


def test_wrong_input_is_refused_in_words(visit: Visit) -> None:
    person = visit("/nowhere")
    person.expect_problems("404")
    person.go("/table/0123456789ab")
    expect(person.page.get_by_role("alert")).to_contain_text("there is no table")
    person.go("/")
    person.page.get_by_label("Your name").first.fill("x" * 30)
    person.page.get_by_text("More: people, stakes, clock").click()
    person.page.get_by_label("Small blind").first.fill("500")
    person.page.get_by_role("button", name="Sit down").click()
    expect(person.page.get_by_role("alert").filter(has_text="blind")).to_be_visible()
    person.expect_problems("400")
    person.go("/")
    person.sit_down("<script>alert(1)</script>")
    person.wait_for_turn()
    expect(person.page.locator(".seat.me .name")).to_have_text("<script>alert(1)</script>")
    person.page.get_by_label("Amount").fill("a fortune")
    person.page.locator(".act-raise").click()
    expect(person.page.locator("#toasts")).to_contain_text("not understood")


def test_a_game_manager_that_is_restarted(browser: Browser, tmp_path: Path) -> None:
    journal = str(tmp_path / "journal.jsonl")
    with running("gamemanager", tmp_path, journal=journal) as first:
        first.wait_until_healthy()
        address = first.address
        with agent_host(address), web_server(tmp_path, "--server", address) as page:
            person = Visitor(browser.new_context(), page)
            person.go("/")
            person.sit_down("Ida")
            person.wait_for_turn()
            cards = person.tables()[-1]["chairs"][-1]["cards"]
            first.terminate()
            expect(person.page.locator(".badge").first).to_contain_text("away")
            with running("gamemanager", tmp_path, address=address, journal=journal) as second:
                second.wait_until_healthy()
                expect(person.page.locator(".badge").first).to_contain_text("hand 1")
                person.page.locator(".act-call").click()
                expect(person.page.locator(".log")).to_contain_text(re.compile("Ida (calls|checks)"))
                assert person.tables()[-1]["chairs"][-1]["cards"] == cards
                assert not person.problems
                person.close()
