"""An adviser: says what the player holds and how often it wins, with an oracle started at the first question."""

import threading
from contextlib import ExitStack

import grpc

from riverboat.cards import format_cards
from riverboat.clients.analysis.counts import counted
from riverboat.clients.console.table.inbox import Advice, Inbox
from riverboat.clients.console.views.output import percent
from riverboat.clients.console.views.text import cards_words
from riverboat.clients.local.connections import oracle
from riverboat.clients.remote.oracle import OracleClient
from riverboat.clients.remote.refusals import Refused, reason_of
from riverboat.contracts.oracle import Equity, EquityText
from riverboat.holdings import class_label
from riverboat.tables.view import TableView


class Adviser:
    """Answers in the background, while the table goes on; used in a `with` block."""

    def __init__(self, inbox: Inbox) -> None:
        self._inbox = inbox
        self._stack = ExitStack()
        self._lock = threading.Lock()
        self._client: OracleClient | None = None

    def __enter__(self) -> "Adviser":
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def ask(self, view: TableView) -> None:
        """Ask about the holding of a view; the answer comes into the inbox."""
        threading.Thread(target=self._answer, args=(view,), daemon=True).start()

    def _answer(self, view: TableView) -> None:
        try:
            with self._lock:
                text = hint_of(self._oracle(), view)
        except Refused as refused:
            text = str(refused)
        except (grpc.RpcError, ValueError) as error:  # a ValueError is a closed channel: we are leaving
            text = f"the oracle does not answer: {reason_of(error) if isinstance(error, grpc.RpcError) else error}"
        self._inbox.put(Advice(view.hand_number, text))

    def _oracle(self) -> OracleClient:
        if self._client is None:
            self._client = self._stack.enter_context(oracle(None, {}))
        return self._client


def hint_of(client: OracleClient, view: TableView) -> str:
    """Return what the player of a view holds, and how often it wins against random cards."""
    public, holding = view.hand_view().public, format_cards(view.holding)
    deck, board = public.variant.deck, format_cards(public.board)
    opponents = public.folded.count(False) - (not public.folded[view.seat or 0])
    if deck.is_holdem and not board:
        hand = class_label(view.holding)
    else:
        hand = client.classify(deck.name, [holding + board])[0].words
    equity: Equity | None = None
    question = EquityText(deck=deck.name, board=board, hero=holding, opponents=["random"] * opponents)
    for step, _ in client.equity(question):
        equity = step.equity or equity
    wins = f"\n{percent(equity.equity, 1)} of the pot" if equity else ""
    against = counted(opponents, "opponent")
    return f"{cards_words(holding)} is {hand}{wins} against {against} with random cards"
