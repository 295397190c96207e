"""The experiment in a real browser, from sign-up to CSV and deletion."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit, web_server
from tests.browser.visitors import Visitor

pytestmark = pytest.mark.slow
_HANDS, _QUESTIONS_AFTER = 3, 2


@pytest.fixture
def experiment(agents_server: str, tmp_path: Path) -> Iterator[str]:
    """Yield the address of an experiment."""
    options = ("--experiment", "trial", "--agents", "always-call", "--hands", str(_HANDS))
    after = ("--questions-after", str(_QUESTIONS_AFTER), "--server", agents_server)
    with web_server(tmp_path, *options, *after) as address:
        yield address


def key_of(tmp_path: Path) -> str:
    """Return the key of the results."""
    return (tmp_path / "data/experiments/trial/results.key").read_text()


def sign_up(person: Visitor) -> str:
    """Take part; return the code to come back with."""
    person.page.get_by_role("button", name="Begin").wait_for()
    for box in person.page.locator("form input[type=checkbox]").all():
        box.check()
    person.page.get_by_role("button", name="Begin").click()
    code = person.page.locator(".code").inner_text()
    person.page.get_by_role("button", name="I have it").click()
    return code


def play(person: Visitor, until: str) -> None:
    """Check and call until a text appears."""
    page = person.page
    wanted = page.get_by_text(until)
    while True:
        page.locator(".act-call").or_(wanted).first.wait_for()
        if wanted.count():
            return
        number = page.locator(".log li").count()
        page.locator(".act-call").click()
        # Either the table goes on, or the page has left it.
        expect(page.locator(".log li")).not_to_have_count(number)


def test_from_sign_up_to_csv_and_deletion(visit: Visit, experiment: str, tmp_path: Path) -> None:
    person = visit("/", experiment)
    page = person.page
    page.wait_for_url("**/experiment")
    code = sign_up(person)
    page.get_by_role("button", name="Sit down").click()
    play(person, "Some questions")
    page.get_by_role("button", name="Answer now").click()
    page.get_by_role("button", name="Send").wait_for()
    for question in page.locator("fieldset.question").all():
        question.locator("input[type=radio]").nth(3).check()
    page.get_by_label("And what did it do well?").fill("=1+1")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("You have answered the questions")).to_be_visible()
    assert person.frames
    assert not [frame for frame in person.frames if "always-call" in frame]

    returning = visit("/experiment", experiment)
    returning.page.get_by_label("Your code").fill("WRONG-CODE")
    returning.page.get_by_role("button", name="Go on where I stopped").click()
    expect(returning.page.get_by_role("alert")).to_contain_text("nobody has this code")
    returning.expect_problems("404")
    returning.page.get_by_label("Your code").fill(code.lower())
    returning.page.get_by_role("button", name="Go on where I stopped").click()
    returning.page.get_by_role("button", name="Go on playing").click()
    play(returning, "Thank you")
    expect(returning.page.get_by_text(f"{_HANDS} of {_HANDS} hands")).to_be_visible()

    researcher = visit("/experiment/results", experiment)
    researcher.page.get_by_label("Key").fill("not the key")
    researcher.page.get_by_role("button", name="Show the results").click()
    expect(researcher.page.get_by_role("alert")).to_contain_text("this is not the key")
    researcher.expect_problems("403")
    researcher.page.get_by_label("Key").fill(key_of(tmp_path))
    researcher.page.get_by_role("button", name="Show the results").click()
    expect(researcher.page.get_by_text("Participants (1)")).to_be_visible()
    rows = [downloaded(researcher, name) for name in ("Hands as CSV", "Answers as CSV")]
    assert [row["hand"] for row in rows[0]] == ["1", "2", "3"]
    assert (rows[1][0]["strength"], rows[1][0]["strengths"]) == ("4", "'=1+1")

    returning.page.get_by_role("button", name="Delete everything about me").click()
    returning.page.get_by_role("button", name="Delete", exact=True).click()
    expect(returning.page.get_by_role("heading", name="Take part")).to_be_visible()
    researcher.page.reload()
    expect(researcher.page.get_by_text("Participants (0)")).to_be_visible()


def downloaded(person: Visitor, link: str) -> list[dict[str, str]]:
    """Return the rows of a CSV file behind a link."""
    with person.page.expect_download() as download:
        person.page.get_by_role("link", name=link).click()
    return list(csv.DictReader(io.StringIO(Path(download.value.path()).read_text())))
