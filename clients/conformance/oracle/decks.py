"""ListDecks, GetDeck and Deal."""

from collections import Counter

from riverboat.cards import DECKS, format_card, parse_cards
from riverboat.clients.conformance.expectations import require, same
from riverboat.clients.conformance.oracle.common import ORACLE, stub
from riverboat.clients.conformance.server import Server
from riverboat.holdings import holdings_of
from riverboat.protos.oracle.v1 import oracle_pb2 as pb

_DEALS = 600  # of a deck with six orders, which come 100 times each on average
_FEWEST, _MOST = 40, 170  # more than six standard deviations from the mean


@ORACLE("ListDecks", "lists the five decks with their cards, holdings and streets")
def decks(server: Server) -> None:
    listed = {deck.name: deck for deck in stub(server).ListDecks(pb.ListDecksRequest()).decks}
    same("ListDecks, the names", sorted(listed), sorted(DECKS))
    for name, deck in DECKS.items():
        same(f"ListDecks, the cards of {name}", list(listed[name].cards), [format_card(card) for card in deck.cards])
        same(f"ListDecks, holding_size of {name}", listed[name].holding_size, deck.holding_size)
        same(f"ListDecks, holding_count of {name}", listed[name].holding_count, holdings_of(deck).count)
        same(f"ListDecks, board_sizes of {name}", list(listed[name].board_sizes), list(deck.board_sizes))
        require(bool(listed[name].about), f"ListDecks: {name} has an empty `about`")


@ORACLE("ListDecks", "lists categories weakest first; with 36 cards a flush beats a full house")
def categories(server: Server) -> None:
    listed = {deck.name: list(deck.categories) for deck in stub(server).ListDecks(pb.ListDecksRequest()).decks}
    usual = list(range(pb.CATEGORY_HIGH_CARD, pb.CATEGORY_ROYAL_FLUSH + 1))
    short = [c for c in usual if c != pb.CATEGORY_FLUSH]
    short.insert(short.index(pb.CATEGORY_FULL_HOUSE) + 1, pb.CATEGORY_FLUSH)
    pair = [pb.CATEGORY_HIGH_CARD, pb.CATEGORY_PAIR]
    wanted = {"52": usual, "36": short, "24": usual, "leduc": pair, "kuhn": pair[:1]}
    for name, each in wanted.items():
        same(f"ListDecks, the categories of {name}", listed.get(name), each)


@ORACLE("GetDeck", "holdings are in the order of axis H, higher card first")
def holdings(server: Server) -> None:
    for name, deck in DECKS.items():
        described = stub(server).GetDeck(pb.GetDeckRequest(deck=name))
        every = holdings_of(deck)
        same(f"GetDeck of {name}, number of holdings", len(described.holdings), every.count)
        for place, text in enumerate(described.holdings):
            same(f"GetDeck of {name}, holding {place}", text, every.label(place))
        same(f"GetDeck of {name}, the deck's name", described.deck.name, name)


@ORACLE("GetDeck", "returns the full deck by default")
def no_name(server: Server) -> None:
    same("GetDeck without a name", stub(server).GetDeck(pb.GetDeckRequest()).deck.name, "52")


@ORACLE("Deal", "every card of the deck is dealt or left exactly once")
def all_cards(server: Server) -> None:
    for name, deck in DECKS.items():
        count, size = (3, 5) if deck.is_holdem else (2, deck.board_sizes[-1])
        request = pb.DealRequest(deck=name, holding_count=count, board_size=size, seed=11)
        dealt = stub(server).Deal(request)
        same(request, [len(parse_cards(text)) for text in dealt.holdings], [deck.holding_size] * count)
        same(request, len(parse_cards(dealt.board)), size)
        cards = parse_cards("".join(dealt.holdings) + dealt.board + dealt.stub)
        same(f"{request.deck}: all cards of a deal, sorted", sorted(cards), list(deck.cards))


@ORACLE("Deal", "the same seed deals the same cards, another seed different ones")
def seeds(server: Server) -> None:
    request = pb.DealRequest(holding_count=9, board_size=5, seed=2**64 - 1)
    first = stub(server).Deal(request)
    same("Deal with a seed, the seed in the answer", first.seed, request.seed)
    require(first == stub(server).Deal(request), "Deal twice with the same seed: the cards differ")
    other = stub(server).Deal(pb.DealRequest(holding_count=9, board_size=5, seed=1))
    require(other.stub != first.stub, "Deal with two different seeds: the cards are the same")


@ORACLE("Deal", "deals without a seed differ, and the seed in the answer repeats them")
def no_seed(server: Server) -> None:
    first, second = (stub(server).Deal(pb.DealRequest(holding_count=2)) for _ in range(2))
    require(first.stub != second.stub, "Deal twice without a seed: the cards are the same")
    again = stub(server).Deal(pb.DealRequest(holding_count=2, seed=first.seed))
    require(again == first, f"Deal with seed {first.seed}, taken from an answer: the cards differ from that answer")


@ORACLE("Deal", "all orders are equally likely")
def fair(server: Server) -> None:
    ask = stub(server)
    counts = Counter(ask.Deal(pb.DealRequest(deck="kuhn", seed=seed)).stub for seed in range(_DEALS))
    same(f"{_DEALS} deals of kuhn, number of different orders", len(counts), 6)
    low, high = min(counts.values()), max(counts.values())
    said = f"{_DEALS} deals of kuhn: the rarest of six orders came {low} times, the most frequent one {high} times"
    require(low > _FEWEST and high < _MOST, f"{said}, expected equal frequencies")
