"""Pages from nodes that come in one call, in any order."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from riverboat.cards import parse_cards
from riverboat.clients.console.study.page_nodes import collect
from riverboat.contracts.resolver import NodeAnswer, NumberedNode, Step
from riverboat.spots.spot import street_start

NOTHING = np.zeros((2, 1326))


def numbered(index: int, parent: int, step: Step | None, *actions: int, deals: tuple[str, ...] = ()) -> NumberedNode:
    answer = NodeAnswer(
        player=0 if actions else -1,
        actions=actions,
        strategy=np.zeros((len(actions), 1326)),
        evs=NOTHING,
        action_evs=np.zeros((len(actions), 1326)),
        reach=NOTHING,
        equity=NOTHING,
        pot=100,
        board="Td9d6hQc",
        deals=deals,
    )
    return NumberedNode(index=index, parent=parent, step=step, node_count=5, answer=answer)


def test_choices_lead_to_the_nodes_that_came() -> None:
    nodes = [
        numbered(0, -1, None, 0, 100),
        numbered(4, 3, "2s", 0, 100),
        numbered(3, 1, 0, deals=("2c", "2s")),
        numbered(1, 0, 0, 0, 100),
        numbered(2, 0, 100, -1, 0, 300),
    ]
    shares: list[float] = []
    link: Any = SimpleNamespace(nodes=lambda handle, most: iter(nodes))
    pages = collect(link, "a", street_start(parse_cards("Td9d6hQc"), 100, 300), 5, shares.append)
    assert shares == [0.2, 0.4, 0.6, 0.8, 1.0]
    assert [page.children for page in pages] == [(1, 2), (3, None), (None, None, None), (None, 4), (None, None)]
    assert [page.words for page in pages] == ["", "checks", "bets 100", "checks", "river 2s"]
    assert pages[3].choices == ("2c", "2s")
    assert pages[2].choices[0] == "folds"
