"""Pages that look inside agents: preflop charts, and the decision trees of agents that play by them."""

from functools import lru_cache
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from riverboat.arena.preflop_chart import PreflopChart, preflop_view
from riverboat.clients.bots.agents.names import needs_resolver
from riverboat.clients.bots.agents.registry import find_agent
from riverboat.clients.bots.policies.shelf import policy_named, policy_of, shelf
from riverboat.clients.console.games import STACK_BLINDS
from riverboat.clients.console.study.measurements import measured_agent
from riverboat.clients.console.study.tree_page import TreeToShow
from riverboat.clients.console.table.preflop_lines import read_line
from riverboat.clients.console.views.chart import chart_title, summary_words, trust_words
from riverboat.clients.web.failures import ApiError
from riverboat.clients.web.gateway import Gateway
from riverboat.policies.trees import DecisionTree
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.variant import no_limit
from riverboat.streets import STREETS
from riverboat.tables.agent_names import split_agent_name

_BLINDS = (50, 100)
_ANSWERS, _SEED = 40, 1  # for each holding of an agent that does not report its strategy
_DEEPEST, _LEAST_SHARE = 9, 5e-4  # of the part of a tree that the page gets
_TREES = ("oct", "cart")


class AgentPages:
    """Requests about single agents."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/api/agents/{agent}/chart", self.chart),
            Route("/api/agents/{agent}/tree/{street}", self.tree),
        ]

    async def chart(self, request: Request) -> JSONResponse:
        """Answer with what an agent does with each starting hand."""
        self._gateway.admitted(request)
        agent, line = request.path_params["agent"][:91], request.query_params.get("line", "")[:60]
        return JSONResponse(await self._gateway.calls.long(chart_document, agent, line))

    async def tree(self, request: Request) -> JSONResponse:
        """Answer with the tree by which an agent plays a street."""
        self._gateway.admitted(request)
        agent, street = request.path_params["agent"][:91], request.path_params["street"]
        if street not in STREETS:
            raise ApiError(404, f"streets are {', '.join(STREETS)}")
        return JSONResponse(await self._gateway.calls.long(tree_document, agent, street))


@lru_cache(maxsize=64)
def chart_document(agent: str, line: str) -> dict[str, Any]:
    """Return an agent's chart of 100 big blinds for two; `line` is what happened before, like "r300"."""
    if needs_resolver(agent):
        raise ApiError(409, f"a chart of {agent} takes minutes: riverboat chart {agent} draws it")
    make_bot = find_agent(agent)
    variant = no_limit(*_BLINDS)
    stack = STACK_BLINDS * variant.big_blind
    view = preflop_view(variant, stack, read_line(line, variant, stack))
    measured = measured_agent(agent, make_bot, view, _ANSWERS, _SEED)
    chart = PreflopChart(view.public, view.actions, measured.ask()(view))
    shares = {name: chart.by_class(actions) for name, actions in (("raise", chart.raises), ("call", (CALL,)))}
    folds = chart.by_class((FOLD,)) if view.public.to_call else {}
    return {
        "title": chart_title(agent, chart),
        "summary": summary_words(chart),
        "trust": trust_words(chart, measured.answer_count),
        "calls": "call" if view.public.to_call else "check",
        "shares": {
            name: {label: round(float(share), 3) for label, share in by_class.items()}
            for name, by_class in {**shares, "fold": folds}.items()
        },
    }


@lru_cache(maxsize=16)
def tree_document(agent: str, street: str) -> dict[str, Any]:
    """Return an agent's tree, without the branches that hardly any state reaches."""
    word, parameter = split_agent_name(agent)
    if word not in _TREES:
        raise ApiError(404, f"{agent} does not play by trees that people can read")
    shelved = policy_named(word, parameter) if parameter else next(iter(reversed(shelf(word))), None)
    if shelved is None:
        raise ApiError(404, f"there is no {word} policy here; riverboat train policy model={word} makes one")
    policy, number = policy_of(shelved), STREETS.index(street)
    model = policy.models[number]
    if not isinstance(model, DecisionTree):
        raise ApiError(404, f"{shelved.name} has no tree for the {street}")
    shown = TreeToShow(model, policy.menus[number], number, f"{shelved.name}: {street}")
    return {
        "title": shown.title,
        "leaves": int(model.leaf_count),
        "depth": int(model.depth),
        "choices": shown.choices(),
        "root": _node(shown, 0, 0),
    }


def _node(shown: TreeToShow, node: int, depth: int) -> dict[str, Any]:
    """Return a node with those below it."""
    own: dict[str, Any] = {
        "mix": [round(float(chance), 3) for chance in shown.tree.values[node]],
        "words": shown.mix(node),
        "share": round(shown.share(node), 5),
    }
    if shown.is_leaf(node):
        return own
    own["question"] = shown.question(node)
    if depth < _DEEPEST and shown.share(node) >= _LEAST_SHARE:
        yes, no = shown.children(node)
        own["yes"], own["no"] = _node(shown, yes, depth + 1), _node(shown, no, depth + 1)
    return own
