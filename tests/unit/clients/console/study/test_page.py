import json
import re
import zlib
from base64 import b64decode
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from riverboat.cards import DECKS, Deck, parse_cards
from riverboat.clients.console.study.page import Page, PageNode, html_page
from riverboat.contracts.resolver import NodeAnswer
from riverboat.holdings import class_label, holdings_of, live_holdings

F64 = NDArray[np.float64]

BOARD = "Td9d6hQc2s"
HOSTILE = """</script><img src=x onerror=alert(1)> <!-- data --> <!-- " ' & {{ $ \u2028"""


@dataclass(frozen=True, slots=True)
class Unpacked:
    """A node's numbers in the browser; NaN and weight 0 for impossible holdings."""

    weights: F64  # [2, H]
    evs: F64  # [2, H]
    equity: F64  # [2, H]
    action_evs: F64  # [A, H]
    strategy: F64  # [A, H]


class Reader(HTMLParser):
    """The elements of a page, and the text of its scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.title = ""
        self.open = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self.open = tag

    def handle_endtag(self, tag: str) -> None:
        self.open = ""

    def handle_data(self, data: str) -> None:
        if self.open == "script":
            self.scripts.append(data)
        if self.open == "title":
            self.title += data


def answer(
    deck: Deck, board: str, player: int, actions: tuple[int, ...], seed: int, deals: tuple[str, ...] = ()
) -> NodeAnswer:
    """Return made-up numbers for every possible holding."""
    rng = np.random.default_rng(seed)
    live = live_holdings(deck, parse_cards(board))
    count = len(live)
    strategy = rng.dirichlet(np.full(max(len(actions), 1), 0.5), count).T[: len(actions)] * live
    reach = rng.random((2, count)) * live
    evs = np.where(live, rng.normal(50, 60, (2, count)), np.nan)
    return NodeAnswer(
        player=player,
        actions=actions,
        strategy=strategy,
        evs=evs,
        action_evs=np.where(live, rng.normal(50, 60, (len(actions), count)), np.nan),
        reach=reach,
        equity=np.where(live, rng.random((2, count)), np.nan),
        pot=100,
        board=board,
        deals=deals,
    )


def page_of(*nodes: PageNode, deck: Deck = DECKS["52"], title: str = "a spot") -> Page:
    return Page(title, deck, ("out of position", "in position"), (("iterations", "300"),), nodes)


def end(deck: Deck = DECKS["52"], board: str = BOARD) -> PageNode:
    return PageNode("checks", answer(deck, board, -1, (), 1), (), ())


def two_nodes() -> Page:
    """Return a decision node, and the end of the line after its first action."""
    root = PageNode(
        "", answer(DECKS["52"], BOARD, 1, (0, 50, 100, 400), 0), ("checks", "a", "b", "c"), (1, *[None] * 3)
    )
    return page_of(root, end())


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    reader.close()
    return reader


def document(text: str) -> dict[str, Any]:
    """Return the data in a page."""
    script = re.search(r'<script id="data" type="application/json">(.*?)</script>', text, re.DOTALL)
    assert script
    loaded: dict[str, Any] = json.loads(script[1])
    return loaded


def unpack(node: dict[str, Any], holding_count: int) -> Unpacked:
    """Unpack a node like unpack() in page_data.js."""
    data = zlib.decompress(b64decode(node["packed"]))
    size = -(-holding_count // 8)
    bits = np.frombuffer(data, np.uint8, 2 * size).reshape(2, size)
    live = np.unpackbits(bits, axis=1, bitorder="little")[:, :holding_count].astype(bool)
    at = 2 * size

    def spread(places: NDArray[np.bool_], values: F64) -> F64:
        row = np.full(holding_count, np.nan)
        row[places] = values
        return row

    def numbers(player: int, low: float, step: float) -> F64:
        nonlocal at
        count = int(live[player].sum())
        low_bytes, high_bytes = np.frombuffer(data, np.uint8, 2 * count, at).reshape(2, count).astype(np.int64)
        at += 2 * count
        counts = low_bytes + 256 * high_bytes
        return spread(live[player], np.where(counts == 65535, np.nan, low + step * counts))

    kept = [
        [
            np.nan_to_num(numbers(player, 0, node["weight_steps"][player])),
            numbers(player, node["ev_low"], node["ev_step"]),
            numbers(player, 0, node["equity_step"]),
        ]
        for player in (0, 1)
    ]
    actor = node["player"]
    action_evs = [numbers(actor, node["ev_low"], node["ev_step"]) for _ in node["actions"]]
    action_count, actors = len(action_evs), int(live[actor].sum())
    assert len(data) == at + action_count * actors
    parts = np.frombuffer(data, np.uint8)[at:].reshape(action_count, -1 if action_count else 0)
    strategy = [spread(live[actor], row / 255) for row in parts]
    weights, evs, equity = (np.array([kept[player][i] for player in (0, 1)]) for i in range(3))
    return Unpacked(weights, evs, equity, np.array(action_evs), np.array(strategy))


# Numbers


def test_numbers_come_back() -> None:
    page = two_nodes()
    for node, given in zip(document(html_page(page))["nodes"], page.nodes, strict=True):
        shown, asked = unpack(node, 1326), given.answer
        live = shown.weights > 0
        assert live.sum() > 2 * 1000
        np.testing.assert_allclose(shown.weights, asked.reach, atol=asked.reach.max() * 0.51e-4)
        for name, step in (("evs", 100e-4), ("equity", 1e-4)):
            kept, wanted = getattr(shown, name), getattr(asked, name)
            np.testing.assert_allclose(kept[live], wanted[live], atol=0.51 * step)
            assert np.isnan(kept[~live]).all()
        assert (node["pot"], node["board"], node["player"]) == (asked.pot, asked.board, asked.player)


def test_actions_come_back() -> None:
    page = two_nodes()
    asked = page.nodes[0].answer
    shown = unpack(document(html_page(page))["nodes"][0], 1326)
    live = shown.weights[1] > 0
    np.testing.assert_allclose(shown.action_evs[:, live], asked.action_evs[:, live], atol=0.51 * 100e-4)
    np.testing.assert_allclose(shown.strategy[:, live], asked.strategy[:, live], atol=1 / 255)
    assert np.isnan(shown.strategy[:, ~live]).all()


def test_frequencies_add_up_to_one() -> None:
    shown = unpack(document(html_page(two_nodes()))["nodes"][0], 1326)
    parts = shown.strategy[:, shown.weights[1] > 0] * 255
    assert (np.rint(parts).sum(axis=0) == 255).all()
    assert (parts >= 0).all()


def test_thirds_and_certainties_add_up_to_one() -> None:
    asked = answer(DECKS["kuhn"], "", 0, (-1, 0, 2), 0)
    asked.strategy[:] = np.array([[1 / 3] * 3, [0.0, 1.0, 0.0], [0.001, 0.0005, 0.9985]]).T
    page = page_of(PageNode("", asked, ("folds", "calls", "raises"), (None,) * 3), deck=DECKS["kuhn"])
    parts = np.rint(unpack(document(html_page(page))["nodes"][0], 3).strategy * 255)
    assert parts.T.tolist() == [[85, 85, 85], [0, 255, 0], [0, 0, 255]]


def test_what_is_not_known_stays_unknown() -> None:
    asked = answer(DECKS["52"], BOARD, 0, (0, 100), 0)
    holding = int(np.flatnonzero(asked.reach[0])[7])
    asked.evs[0, holding] = asked.equity[0, holding] = np.nan
    asked.action_evs[1, holding] = np.nan
    page = page_of(PageNode("", asked, ("checks", "bets 100"), (None, None)))
    shown = unpack(document(html_page(page))["nodes"][0], 1326)
    assert np.isnan([shown.evs[0, holding], shown.equity[0, holding], shown.action_evs[1, holding]]).all()
    assert shown.weights[0, holding] > 0
    assert np.isfinite(shown.action_evs[0, holding])


def test_a_rare_line_keeps_its_weights() -> None:
    asked = answer(DECKS["52"], BOARD, 0, (0, 100), 0)
    asked.reach[0] *= 1e-9
    page = page_of(PageNode("", asked, ("checks", "bets 100"), (None, None)))
    shown = unpack(document(html_page(page))["nodes"][0], 1326)
    np.testing.assert_allclose(shown.weights[0], asked.reach[0], atol=1e-13)


def test_a_line_that_nobody_takes_has_no_numbers() -> None:
    asked = answer(DECKS["52"], BOARD, 0, (0, 100), 0)
    asked.reach[:] = 0
    page = page_of(PageNode("", asked, ("checks", "bets 100"), (None, None)))
    node = document(html_page(page))["nodes"][0]
    assert not unpack(node, 1326).weights.any()
    assert node["means"]["frequencies"] == [None, None]
    assert node["means"]["evs"] == [None, None]


def test_evs_far_beyond_the_pot_fit() -> None:
    asked = answer(DECKS["52"], BOARD, 0, (0, 100), 0)
    asked.evs[1] *= 1000
    page = page_of(PageNode("", asked, ("checks", "bets 100"), (None, None)))
    shown = unpack(document(html_page(page))["nodes"][0], 1326)
    live = shown.weights > 0
    spread = np.nanmax(asked.evs) - np.nanmin(asked.evs)
    np.testing.assert_allclose(shown.evs[live], asked.evs[live], atol=spread / 65534)


# Averages


def test_averages_count_pairs_of_holdings() -> None:
    page = two_nodes()
    asked = page.nodes[0].answer
    masks = holdings_of(DECKS["52"]).masks
    apart = (masks[:, None] & masks[None, :]) == 0
    pairs = asked.reach[0][:, None] * asked.reach[1][None, :] * apart  # [H, H]
    means = document(html_page(page))["nodes"][0]["means"]
    for player in (0, 1):
        weights = pairs.sum(axis=1 - player)
        live = weights > 0
        for name, values in (("evs", asked.evs), ("equities", asked.equity)):
            wanted = np.average(values[player][live], weights=weights[live])
            assert means[name][player] == pytest.approx(wanted, rel=1e-5)
        assert means["holding_counts"][player] == pytest.approx(asked.reach[player].sum(), rel=1e-5)
    weights = pairs.sum(axis=0)
    live = weights > 0
    for i, row in enumerate(asked.strategy):
        assert means["frequencies"][i] == pytest.approx(row @ weights / weights.sum(), rel=1e-5)
        evs = np.average(asked.action_evs[i][live], weights=(row * weights)[live])
        assert means["action_evs"][i] == pytest.approx(evs, rel=1e-5)
        assert means["action_counts"][i] == pytest.approx(row @ asked.reach[1], rel=1e-5)
    assert sum(means["frequencies"]) == pytest.approx(1, abs=1e-5)


# Decks


@pytest.mark.parametrize(("name", "side"), [("52", 13), ("36", 9), ("24", 6)])
def test_classes_of_a_deck(name: str, side: int) -> None:
    deck = DECKS[name]
    shown = document(html_page(page_of(end(deck, "AsKdTh"), deck=deck)))
    holdings = holdings_of(deck)
    assert [len(row) for row in shown["classes"]] == [side] * side
    assert shown["holdings"] == [holdings.label(i) for i in range(holdings.count)]
    assert shown["classes"][0][1]["label"] == "AKs"
    for row in shown["classes"]:
        for one in row:
            cards = [parse_cards(shown["holdings"][holding]) for holding in one["holdings"]]
            assert {class_label(holding) for holding in cards} == {one["label"]}
    assert sorted(i for row in shown["classes"] for one in row for i in one["holdings"]) == list(range(holdings.count))


@pytest.mark.parametrize("name", ["leduc", "kuhn"])
def test_decks_without_classes(name: str) -> None:
    deck = DECKS[name]
    shown = document(html_page(page_of(end(deck, ""), deck=deck)))
    assert shown["classes"] == []
    assert len(shown["holdings"]) == holdings_of(deck).count
    unpack(shown["nodes"][0], holdings_of(deck).count)


def test_deals_and_what_the_page_lacks() -> None:
    deal = answer(DECKS["52"], BOARD[:8], -1, (), 0, deals=("2s", "2h"))
    root = PageNode("", deal, ("river 2s", "river 2h"), (1, None))
    nodes = document(html_page(page_of(root, end())))["nodes"]
    assert nodes[0]["deals"] == ["2s", "2h"]
    assert nodes[0]["children"] == [1, None]
    assert nodes[1]["children"] == []


# The page


def test_nothing_is_loaded() -> None:
    text = html_page(two_nodes())
    reader = read(text)
    assert not {tag for tag, _ in reader.tags} & {"link", "img", "iframe", "object", "embed", "base", "form"}
    assert not [settings for _, settings in reader.tags if {"src", "href", "srcset", "data", "action"} & set(settings)]
    around = text.replace(json.dumps(document(text), separators=(",", ":")), "")
    assert len(around) < 100_000
    assert not re.search(r"https?:|@import|url\(|\bfetch\(|XMLHttpRequest|WebSocket|import\(", around)
    policy = [settings["content"] for _, settings in reader.tags if settings.get("http-equiv")]
    assert len(policy) == 1
    assert str(policy[0]).startswith("default-src 'none';")


def test_hostile_words_are_harmless() -> None:
    asked = answer(DECKS["52"], BOARD, 0, (0,), 0)
    page = Page(
        HOSTILE, DECKS["52"], (HOSTILE, "b"), ((HOSTILE, HOSTILE),), (PageNode(HOSTILE, asked, (HOSTILE,), (None,)),)
    )
    text = html_page(page)
    reader, plain = read(text), read(html_page(two_nodes()))
    assert [tag for tag, _ in reader.tags] == [tag for tag, _ in plain.tags]
    assert reader.title == f"{HOSTILE} · Riverboat"
    shown = document(text)
    assert shown["title"] == shown["players"][0] == shown["nodes"][0]["choices"][0] == HOSTILE
    assert shown["facts"] == [[HOSTILE, HOSTILE]]
    assert not set("<>&") & set(reader.scripts[0])


def test_scripts_never_write_words_as_html() -> None:
    program = read(html_page(two_nodes())).scripts[1]
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", program)


def test_every_element_that_is_looked_for_is_there_once() -> None:
    reader = read(html_page(two_nodes()))
    names = [settings["id"] for _, settings in reader.tags if "id" in settings]
    wanted = set(re.findall(r'(?:byId|getElementById)\("(\w+)"\)', reader.scripts[1]))
    assert wanted == set(names)
    assert len(names) == len(set(names))


def test_colours_that_are_used_are_there() -> None:
    text = html_page(two_nodes())
    used = set(re.findall(r"var\((--[a-z0-9-]+)", text)) - {"--bet-"}
    given = set(re.findall(r"(--[a-z0-9-]+)(?:\"?:|\",)", text))
    assert used <= given
    assert {f"--bet-{i}" for i in range(1, 6)} <= given


def test_elements_are_closed() -> None:
    text = html_page(two_nodes())
    for tag in ("html", "head", "body", "script", "style", "main", "header", "footer", "section", "nav", "noscript"):
        assert len(re.findall(rf"<{tag}[ >]", text)) == text.count(f"</{tag}>") > 0, tag


def test_the_same_page_is_the_same_text() -> None:
    assert html_page(two_nodes()) == html_page(two_nodes())


def test_numbers_are_packed() -> None:
    """Even incompressible noise takes at most 24 bytes per holding for four actions, before base64."""
    text = html_page(two_nodes())
    sizes = [len(node["packed"]) for node in document(text)["nodes"]]
    assert sizes[0] < 1081 * 24 * 4 / 3
    assert sizes[1] < 1081 * 12 * 4 / 3
    assert len(text) - sum(sizes) < 100_000
