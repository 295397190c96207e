"""What an agent does at a decision, and why if it plays by a tree: for `riverboat explain --agent`."""

import numpy as np

from riverboat.arena.bot import Bot, Strategy
from riverboat.arena.preflop_chart import PreflopChart, preflop_view
from riverboat.cards import format_cards, parse_cards
from riverboat.clients.analysis.actions import Amount, action_words, chips_words
from riverboat.clients.analysis.notation import notation_of
from riverboat.clients.analysis.tree_words import path_sentences
from riverboat.clients.bots.agents.policy import PolicyAgent
from riverboat.clients.console.agents import agent_maker, resolver_for
from riverboat.clients.console.hands.decisions import DecisionToExplain
from riverboat.clients.console.table.preflop_lines import read_line
from riverboat.clients.console.views.chart import print_chart
from riverboat.clients.console.views.output import out, percent, print_json
from riverboat.clients.console.views.text import cards_words
from riverboat.clients.remote.refusals import Refused
from riverboat.errors import InvalidInput
from riverboat.holdings import check_holding, holding_index
from riverboat.rules.state import View
from riverboat.rules.variant import no_limit

DEFAULT_STACK = 200  # big blinds: the game of the blueprint that ships
_BLINDS = (50, 100)
_SEED = 18
_LEAST = 0.0005  # of the time: rarer actions are not shown


def explain_by_agent(agent: str, question: DecisionToExplain, server: str | None, as_json: bool) -> None:
    """Print what an agent does at a decision of a hand."""
    actions = tuple(action for _, action in question.earlier)
    view = View(question.public.actor or 0, question.public, question.holding, actions)
    if question.title and not as_json:
        out.print(question.title, style="bold", highlight=False, markup=False)
    _explain(agent, view, server, as_json, question.names.amount)


def explain_before_the_flop(
    agent: str, holding: str | None, stack: int, line: str, server: str | None, as_json: bool
) -> None:
    """Print what an agent does with a holding before the flop, and its chart."""
    if holding is None:
        raise Refused("--holding: type the cards held, like AhQd; or name a FILE or a live --table")
    variant = no_limit(*_BLINDS)
    chips = stack * variant.big_blind
    asked = preflop_view(variant, chips, read_line(line, variant, chips))
    try:
        cards = tuple(parse_cards(holding))
        check_holding(variant.deck, cards)
    except InvalidInput as error:
        raise Refused(f"--holding: {error.reason}") from None
    strategy = _explain(agent, View(asked.seat, asked.public, cards, asked.actions), server, as_json, chips_words)
    if not as_json:
        out.print()
        print_chart(agent, PreflopChart(asked.public, asked.actions, strategy), chips, 0)


def _explain(agent: str, view: View, server: str | None, as_json: bool, amount: Amount) -> Strategy:
    """Print an agent's mix for the holding of a view, with its reasons; return the whole strategy."""
    with resolver_for([agent], server):
        bot = agent_maker(agent)(np.random.default_rng(_SEED))
        strategy = bot.strategy(view) if isinstance(bot, Bot) else None
    if strategy is None:
        raise Refused(f"--agent: {agent} cannot say what it does with a holding")
    place = holding_index(view.public.variant.deck, view.holding)
    chances = dict(zip(strategy.actions, strategy.chances[:, place].tolist(), strict=True))
    reasons = reasons_of(bot, view, amount)
    if as_json:
        print_json(
            {
                "agent": agent,
                "holding": format_cards(view.holding),
                "chances": {notation_of(view.public, action): chance for action, chance in chances.items()},
                "reasons": reasons,
            }
        )
        return strategy
    out.print(f"{agent} with {cards_words(format_cards(view.holding))}:", highlight=False, markup=False)
    for action, chance in sorted(chances.items(), key=lambda pair: -pair[1]):
        if chance >= _LEAST:
            words = action_words(view.public, action, amount)
            out.print(f"  {percent(chance, 1):>7}  {words}", highlight=False, markup=False)
    for reason in reasons:
        out.print(reason, highlight=False, markup=False)
    return strategy


def reasons_of(bot: Bot, view: View, amount: Amount = chips_words) -> list[str]:
    """Return the path through an agent's tree in sentences; nothing if it does not play by one."""
    policy = bot.policy(view) if isinstance(bot, PolicyAgent) else None
    return path_sentences(policy, view, amount) if policy else []
