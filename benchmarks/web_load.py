"""Spectators and players by socket against the page: python -m benchmarks.web_load ADDRESS --seconds 300.

The page must run with agents, as riverboat web does. Prints how long the page takes to answer an action with the next
picture, how late spectators see it after the first of them, and the memory of the process that serves the page.
"""

import argparse
import asyncio
import json
import time
import urllib.request
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
import websockets

from benchmarks.processes import resident_bytes

_SAMPLE_SECONDS = 15.0


@dataclass(slots=True)
class Browser:
    """One session, as a browser has it."""

    address: str
    cookie: str = ""
    csrf: str = ""

    def begin(self) -> None:
        """Get a session."""
        with urllib.request.urlopen(f"{self.address}/api/session") as answer:  # noqa: S310  # an address of ours
            self.cookie = answer.headers["set-cookie"].split(";")[0]
            self.csrf = json.loads(answer.read())["csrf"]

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Make a change."""
        headers = {"cookie": self.cookie, "x-riverboat-csrf": self.csrf, "origin": self.address}
        headers["content-type"] = "application/json"
        request = urllib.request.Request(  # noqa: S310  # an address of ours
            self.address + path, data=json.dumps(body).encode(), headers=headers
        )
        with urllib.request.urlopen(request) as answer:  # noqa: S310  # an address of ours
            return dict(json.loads(answer.read()))

    def socket(self, path: str) -> Any:
        """Open a socket."""
        headers = {"cookie": self.cookie}
        address = self.address.replace("http", "ws", 1) + path
        return websockets.connect(address, origin=self.address, additional_headers=headers)  # type: ignore[arg-type]


@dataclass(slots=True)
class Tally:
    """What was measured so far; times in milliseconds."""

    answers: list[float] = field(default_factory=list)
    lags: list[float] = field(default_factory=list)
    first_seen: dict[tuple[str, int, int], float] = field(default_factory=dict)
    memory: list[tuple[float, int]] = field(default_factory=list)
    lost: int = 0


async def play(browser: Browser, tally: Tally, end: float) -> None:
    """Check and call at a table of one's own until the end."""
    body = {"name": "load", "agents": ["always-call"], "seats": 2, "pause_ms": 500}
    table = (await asyncio.to_thread(browser.post, "/api/tables", body))["table"]
    async with browser.socket(f"/ws/tables/{table}") as socket:
        sent = 0.0
        while time.monotonic() < end:
            message = json.loads(await asyncio.wait_for(socket.recv(), 60))
            if message["type"] != "table":
                continue
            if sent:
                tally.answers.append(1000 * (time.monotonic() - sent))
                sent = 0.0
            if message["me"]["turn"]:
                await asyncio.sleep(1.0)  # a quick person
                sent = time.monotonic()
                order = {"do": "act", "hand": message["hand"], "action": message["action"], "move": "call"}
                await socket.send(json.dumps(order))


async def watch(browser: Browser, table: str, tally: Tally, end: float) -> None:
    """Follow a table until the end."""
    async with browser.socket(f"/ws/tables/{table}?watch") as socket:
        await socket.recv()  # the newest picture, which others saw long ago
        while (left := end - time.monotonic()) > 0:
            try:
                message = json.loads(await asyncio.wait_for(socket.recv(), left))
            except TimeoutError:
                return
            if message["type"] == "table":
                now = time.monotonic()
                key = (table, message["hand"], len(message["log"]))
                tally.lags.append(1000 * (now - tally.first_seen.setdefault(key, now)))


async def sample(pid: int, tally: Tally, end: float) -> None:
    """Note the memory of a process now and then."""
    while time.monotonic() < end:
        tally.memory.append((time.monotonic(), resident_bytes(pid)))
        await asyncio.sleep(_SAMPLE_SECONDS)


async def run(address: str, spectators: int, players: int, seconds: float, pid: int) -> Tally:
    """Let everybody play and watch; return what was measured."""
    tally, dealer = Tally(), Browser(address)
    dealer.begin()
    body = {"watch": True, "agents": ["always-call", "rollout"], "seats": 6, "pause_ms": 1000, "hands": 0}
    table = dealer.post("/api/tables", body)["table"]
    browsers = [Browser(address) for _ in range(players)]
    for browser in browsers:
        browser.begin()
        await asyncio.sleep(0.05)
    end = time.monotonic() + seconds
    watcher = Browser(address)
    tasks = [asyncio.create_task(sample(pid, tally, end))] if pid else []
    tasks += [asyncio.create_task(play(browser, tally, end)) for browser in browsers]
    for i in range(spectators):
        if i % 20 == 0:  # of one session
            watcher = Browser(address)
            watcher.begin()
        tasks.append(asyncio.create_task(watch(watcher, table, tally, end)))
        await asyncio.sleep(0.02)
    results = await asyncio.gather(*tasks, return_exceptions=True)
    tally.lost = sum(isinstance(result, Exception) for result in results)
    for result in results:
        if isinstance(result, Exception):
            print("lost:", repr(result)[:200])
    return tally


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("address")
    parser.add_argument("--spectators", type=int, default=200)
    parser.add_argument("--players", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--pid", type=int, default=0, help="process of the page, whose memory is noted")
    given = parser.parse_args()
    tally = asyncio.run(run(given.address.rstrip("/"), given.spectators, given.players, given.seconds, given.pid))
    for name, values in (("action to picture", tally.answers), ("spectators behind the first", tally.lags)):
        if values:
            shares = np.percentile(values, [50, 90, 99, 100]).round(1).tolist()
            print(f"{name}: {len(values):,} times, ms at 50/90/99/100 %: {shares}")
    print(f"sockets lost: {tally.lost}")
    if len(tally.memory) > 1:
        megabytes = [round(size / 1e6) for _, size in tally.memory]
        rises = [after - before for before, after in pairwise(megabytes)]
        print(f"memory of the page, MB: {megabytes}; largest step {max(rises)}")


if __name__ == "__main__":
    main()
