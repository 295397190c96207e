"""Classify, Showdown, Strengths and StrengthProfiles."""

import numpy as np

from riverboat.cards import DECKS, format_cards, parse_cards
from riverboat.clients.conformance.expectations import array, require, same, same_arrays
from riverboat.clients.conformance.oracle.census import check_census
from riverboat.clients.conformance.oracle.common import ORACLE, some_boards, stub, texts
from riverboat.clients.conformance.server import Server
from riverboat.protos.oracle.v1 import oracle_pb2 as pb
from riverboat.strength.hands import classify, showdown, strengths_on_boards
from riverboat.strength.profiles import strength_profile

_HANDS = 200
_BOARDS = 60
_BINS = 16
_KINDS = {
    "AhKhQhJhTh": ("ROYAL_FLUSH", 7462),
    "5h4h3h2hAh": ("STRAIGHT_FLUSH", 7453),
    "AcAdAhAsKc": ("FOUR_OF_A_KIND", 7452),
    "2c2d2h2s3c": ("FOUR_OF_A_KIND", 7297),
    "AcAdAhKsKc": ("FULL_HOUSE", 7296),
    "2c2d2h3s3c": ("FULL_HOUSE", 7141),
    "AhKhQhJh9h": ("FLUSH", 7140),
    "7h5h4h3h2h": ("FLUSH", 5864),
    "AcKhQhJhTh": ("STRAIGHT", 5863),
    "5c4h3h2hAh": ("STRAIGHT", 5854),
    "AcAdAhKsQc": ("THREE_OF_A_KIND", 5853),
    "2c2d2h4s3c": ("THREE_OF_A_KIND", 4996),
    "AcAdKhKsQc": ("TWO_PAIR", 4995),
    "3c3d2h2s4c": ("TWO_PAIR", 4138),
    "AcAdKhQsJc": ("PAIR", 4137),
    "2c2d5h4s3c": ("PAIR", 1278),
    "AcKdQhJs9c": ("HIGH_CARD", 1277),
    "7c5d4h3s2c": ("HIGH_CARD", 1),
}  # the best and the worst of each category; there are 7462 strengths


@ORACLE("Classify", "ranks the best and the worst hand of each category among 7462 strengths")
def kinds(server: Server) -> None:
    classified = stub(server).Classify(pb.ClassifyRequest(hands=list(_KINDS))).classifications
    same("Classify, number of answers", len(classified), len(_KINDS))
    for hand, answer in zip(_KINDS, classified, strict=True):
        got = pb.Category.Name(answer.category).removeprefix("CATEGORY_"), answer.strength
        same(f"Classify {hand}, category and strength", got, _KINDS[hand])


@ORACLE("Classify", "classifies hands of 5, 6 and 7 cards of every deck")
def many_hands(server: Server) -> None:
    rng = np.random.default_rng(1)
    for name, deck in DECKS.items():
        sizes = (5, 6, 7) if deck.is_holdem else range(1, deck.holding_size + deck.board_sizes[-1] + 1)
        for size in sizes:
            hands = [tuple(rng.choice(deck.cards, size, replace=False).tolist()) for _ in range(_HANDS)]
            request = pb.ClassifyRequest(deck=name, hands=[format_cards(hand) for hand in hands])
            classified = stub(server).Classify(request).classifications
            for hand, answer in zip(hands, classified, strict=True):
                wanted = classify(deck, hand)
                asked = f"Classify {format_cards(hand)} of the deck {name}"
                same(f"{asked}, its strength", answer.strength, wanted.strength)
                got = pb.Category.Name(answer.category).removeprefix("CATEGORY_")
                same(f"{asked}, its category", got, wanted.category.name)
                _check_best(asked, hand, answer, wanted.best)


def _check_best(asked: str, hand: tuple[int, ...], answer: pb.Classification, wanted: tuple[int, ...]) -> None:
    best = parse_cards(answer.best)
    same(f"{asked}, ranks of the best cards", [card >> 2 for card in best], [card >> 2 for card in wanted])
    require(set(best) <= set(hand), f"{asked}: the best cards {answer.best} are not all in the hand")
    require(bool(answer.words), f"{asked}: `words` is empty")
    if answer.category == pb.CATEGORY_FLUSH:
        same(f"{asked}, suits of the best cards", len({card & 3 for card in best}), 1)


@ORACLE("Classify", "describes a hand in words, as in the contract")
def words(server: Server) -> None:
    (classified,) = stub(server).Classify(pb.ClassifyRequest(hands=["KhKdKs4c4d2c7h"])).classifications
    same("Classify KhKdKs4c4d2c7h, its words", classified.words, "full house, kings over fours")


@ORACLE("Classify", "accepts spaces and commas between cards")
def spaces(server: Server) -> None:
    hands = ["AhKhQhJhTh", "Ah Kh Qh Jh Th", "Ah,Kh, Qh,Jh,Th"]
    classified = stub(server).Classify(pb.ClassifyRequest(hands=hands)).classifications
    same(f"Classify {hands}, the strengths", [each.strength for each in classified], [7462] * 3)


@ORACLE("Classify", "returns no answers for no hands")
def no_hands(server: Server) -> None:
    same("Classify without hands", len(stub(server).Classify(pb.ClassifyRequest()).classifications), 0)


@ORACLE("Showdown", "returns winners and places, with ties")
def showdowns(server: Server) -> None:
    for deck, board, holdings in (
        ("52", "Td9d2c5h3s", ["AhKh", "Ts9s", "AsKs"]),
        ("52", "AhKhQhJhTh", ["2c3c", "4c5c", "6c7c"]),
        ("52", "Td9d2c", ["TsTh", "QdJd"]),
        ("36", "9h8h7h6s6c", ["Ah6h", "8s8d", "AsAd"]),
        ("24", "AcKdQhJs", ["Th9h", "AdAh"]),
        ("leduc", "Kh", ["Ks", "Qh", "Qs"]),
        ("kuhn", "", ["Js", "Ks"]),
    ):
        request = pb.ShowdownRequest(deck=deck, board=board, holdings=holdings)
        compared = stub(server).Showdown(request)
        wanted = showdown(DECKS[deck], parse_cards(board), [parse_cards(text) for text in holdings])
        same(request, list(compared.winners), list(wanted.winners))
        same(request, list(compared.places), list(wanted.places))
        same(request, [hand.strength for hand in compared.hands], [hand.strength for hand in wanted.hands])


@ORACLE("Strengths", "returns all holdings on many boards of every deck and street")
def strengths(server: Server) -> None:
    for name, deck in DECKS.items():
        for size in deck.board_sizes[1:] if deck.is_holdem else deck.board_sizes:
            boards = some_boards(deck, size, _BOARDS)
            request = pb.StrengthsRequest(deck=name, boards=texts(boards))
            answer = stub(server).Strengths(request)
            wanted = strengths_on_boards(deck, boards)
            same(request, (answer.board_count, answer.holding_count), wanted.shape)
            same_arrays(request, array(request, answer.strengths, "<u2", *wanted.shape), wanted)


@ORACLE("Strengths", "all 2,598,960 hands of five cards fall into the right categories", 300)
def census_of_52(server: Server) -> None:
    check_census(stub(server), "52", 5)


@ORACLE("Strengths", "all 376,992 hands of five of 36 cards fall into the right categories", 120)
def census_of_36(server: Server) -> None:
    check_census(stub(server), "36", 5)


@ORACLE("Strengths", "all 346,104 hands of seven of 24 cards fall into the right categories", 120)
def census_of_24(server: Server) -> None:
    check_census(stub(server), "24", 7)


@ORACLE("StrengthProfiles", "returns the distribution of final strengths, on every street", 180)
def profiles(server: Server) -> None:
    for name, boards in (
        ("52", ["2s3h4d5c9s", "AsKsQsJs2d"]),
        ("52", ["QsJh2h8d"]),
        ("36", ["9s8h7d"]),
        ("24", ["9sTsJd", "AsAhKd"]),
        ("24", [""]),
    ):
        deck = DECKS[name]
        request = pb.StrengthProfilesRequest(deck=name, boards=boards, bin_count=_BINS)
        answer = stub(server).StrengthProfiles(request)
        same(request, answer.board_count, len(boards))
        shape = (len(boards), answer.holding_count)
        bins = array(request, answer.profiles, "<f4", *shape, _BINS)
        means = array(request, answer.means, "<f4", *shape)
        for place, board in enumerate(boards):
            profile, mean = strength_profile(deck, parse_cards(board), _BINS)
            same_arrays(f"means of {name} {board}", means[place], mean, 1e-5)
            same_arrays(f"profiles of {name} {board}", bins[place], profile, 1e-4)
