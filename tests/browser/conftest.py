"""One browser for the tests of a module and one page server for a worker; every test has a context of its own."""

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from tests.browser.installation import browser_path
from tests.browser.visitors import Visitor
from tests.launching.launch import start_module
from tests.processes import START_SECONDS, ServiceProcess

_ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--no-zygote", "--disable-dev-shm-usage"]
Visit = Callable[..., Visitor]


@pytest.fixture(scope="module")  # while playwright runs, no other test of this worker can run an event loop
def browser() -> Iterator[Browser]:
    """Yield a headless browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=_ARGUMENTS)
        yield browser
        browser.close()


@contextmanager
def web_server(folder: Path, *options: str, **environment: str) -> Iterator[str]:
    """Run riverboat web until the block ends; yield its address, without the last slash."""
    log = folder / "web.log"
    words = ("web", "--port", "0", "--no-open", "--folder", str(folder / "data"), *options)
    with log.open("wb") as errors:
        process = start_module(
            "riverboat.clients.console.app", *words, env={**os.environ, **environment}, stdout=subprocess.PIPE,
            stderr=errors,
        )  # fmt: skip
        try:
            assert process.stdout is not None
            address = process.stdout.readline().decode().strip()
            assert address.startswith("http"), log.read_text()
            yield address.rstrip("/")
        finally:
            process.terminate()
            process.wait(START_SECONDS)


@pytest.fixture(scope="session")
def page_address(
    agents_server: str,
    oracle_process: ServiceProcess,
    resolver_process: ServiceProcess,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[str]:
    """Yield the address of a page that many tests share."""
    asked = {
        "RIVERBOAT_ORACLE_SERVER": oracle_process.address,
        "RIVERBOAT_RESOLVER_SERVER": resolver_process.address,
        "RIVERBOAT_TRAINER_SERVER": "",
    }
    with web_server(tmp_path_factory.mktemp("web"), "--server", agents_server, **asked) as address:
        yield address


@pytest.fixture
def visit(browser: Browser, page_address: str) -> Iterator[Visit]:
    """Yield a function that opens the page for one more person; at the end nobody may have seen an error."""
    visitors: list[Visitor] = []

    def open_page(path: str = "/", address: str = page_address, **options: object) -> Visitor:
        context: BrowserContext = browser.new_context(**{"viewport": {"width": 1280, "height": 860}, **options})  # type: ignore[arg-type]
        visitor = Visitor(context, address)
        visitors.append(visitor)
        visitor.go(path)
        return visitor

    yield open_page
    problems = [problem for visitor in visitors for problem in visitor.problems]
    for visitor in visitors:
        visitor.close()
    assert not problems
