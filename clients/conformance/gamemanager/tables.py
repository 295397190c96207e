"""Tables by unary calls: creating, joining, acting, leaving, and finished hands."""

from dataclasses import replace

from riverboat.cards import DECKS
from riverboat.clients.conformance.check import Wrong
from riverboat.clients.conformance.expectations import refused, require, same
from riverboat.clients.conformance.gamemanager.common import CALL, FOLD, TABLES
from riverboat.clients.conformance.gamemanager.hands import BUY_IN, CheckTable, config, decision, open_table
from riverboat.clients.conformance.server import Server
from riverboat.dealing.record import DealRecord, problems
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.protos.gamemanager.v1.state_manager_pb2 import Action
from riverboat.rpc.convert.state_manager import encode_variant
from riverboat.rpc.convert.tables_client import decode_sight
from riverboat.rules.bet_sizes import parse_bet_sizes
from riverboat.rules.variant import no_limit


def _info(table: CheckTable) -> pb.TableInfo:
    (info,) = table.tables.ListTables(pb.ListTablesRequest(table_id=table.table_id)).tables
    return info


@TABLES("CreateTable", "a new table waits for players, with the settings it was given")
def created(server: Server) -> None:
    with open_table(server) as table:
        info = _info(table)
        for name in ("name", "variant", "chair_count", "buy_in", "clock_ms", "pause_ms", "hand_limit"):
            same(f"a new table, {name}", getattr(info.config, name), getattr(config(), name))
        same("a new table, its status", pb.TableStatus.Name(info.status), "TABLE_STATUS_WAITING")
        require(bool(table.dealer_token), "a new table: the answer has no dealer_token")


@TABLES("CreateTable", "by default a table gives 30 seconds for an action, and two players start it")
def defaults(server: Server) -> None:
    with open_table(server, clock_ms=0, players_to_start=0) as table:
        info = _info(table)
        require(
            info.config.clock_ms in (0, 30_000),
            f"a table without clock_ms: got {info.config.clock_ms}, expected 0 or 30000",
        )


@TABLES("ListTables", "lists open tables newest first, and closed ones on request")
def listed(server: Server) -> None:
    with open_table(server) as first, open_table(server) as second:
        names = [info.table_id for info in first.tables.ListTables(pb.ListTablesRequest()).tables]
        there = [names.index(table.table_id) if table.table_id in names else -1 for table in (second, first)]
        require(
            0 <= there[0] < there[1],
            f"ListTables: two new tables are at places {there} of the list; expected the newer one first",
        )
        close = pb.CloseTableRequest(table_id=first.table_id, dealer_token=first.dealer_token)
        first.tables.CloseTable(close)
        for closed, wanted in ((False, False), (True, True)):
            infos = first.tables.ListTables(pb.ListTablesRequest(include_closed=closed)).tables
            is_there = first.table_id in [info.table_id for info in infos]
            same(f"ListTables, include_closed={closed}: lists a closed table", is_there, wanted)


@TABLES("JoinTable", "players get the chairs they ask for, with the buy-in")
def joined(server: Server) -> None:
    with open_table(server, "ann") as table:
        request = pb.JoinTableRequest(table_id=table.table_id, name="bob", chair=2)
        same("JoinTable, chair 2", table.tables.JoinTable(request).chair, 2)
        chairs = [(chair.chair, chair.name, chair.stack) for chair in _info(table).chairs]
        same("after ann and bob have joined: chairs, names, stacks", chairs, [(0, "ann", BUY_IN), (2, "bob", BUY_IN)])
        refused(table.tables.JoinTable, request, "FAILED_PRECONDITION")


@TABLES("JoinTable", "joining again with the same request id gives the same chair and token")
def joined_twice(server: Server) -> None:
    with open_table(server) as table:
        request = pb.JoinTableRequest(table_id=table.table_id, name="eve", request_id="0123456789abcdef")
        first, again = table.tables.JoinTable(request), table.tables.JoinTable(request)
        require(first == again, "JoinTable twice with one request_id: another chair or token")


@TABLES("GetView", "shows players their own cards and legal actions, and no other player's cards")
def views(server: Server) -> None:
    with open_table(server, "ann", "bob") as table:
        _, view = table.turn()
        legal = view.legal.to_call, view.legal.min_raise_to, view.legal.max_raise_to
        same("the first to act heads-up, blinds 50 and 100: to call, least and most raise", legal, (50, 200, BUY_IN))
        seen = [table.view(token) for token in table.tokens]
        same("length of each player's holding", [len(each.holding) for each in seen], [4, 4])
        require(seen[0].holding != seen[1].holding, "two players have the same holding")
        same("is_your_turn in both views", sorted(each.is_your_turn for each in seen), [False, True])
        require(view.time_left_ms > 0, "the acting player has no time left")
        same("the first event of a hand", view.events[0].WhichOneof("kind"), "hand_started")


@TABLES("TakeAction", "a table with bet sizes lists the legal raises, and refuses others")
def restricted(server: Server) -> None:
    variant = encode_variant(replace(no_limit(50, 100), bet_sizes=parse_bet_sizes("1b 4b"), all_in=False))
    with open_table(server, "ann", "bob", variant=variant) as table:
        same("the variant of a table with restrictions", _info(table).config.variant, variant)
        token, view = table.turn()
        same("blinds 50 and 100, bet sizes 1b 4b: raises_to", list(view.legal.raises_to), [200, 500])
        chosen = pb.TakeActionRequest(token=token, decision=decision(view, Action(raise_to=300)))
        refused(table.tables.TakeAction, chosen, "FAILED_PRECONDITION")
        table.act(Action(raise_to=500))
        _, view = table.turn()
        same("after a raise to 500: raises_to", list(view.legal.raises_to), [900])


@TABLES("TakeAction", "plays a hand to the showdown, with a proof of every card", 120)
def whole_hand(server: Server) -> None:
    with open_table(server, "ann", "bob") as table:
        table.act(Action(raise_to=300))
        ended = table.call_down()
        kinds = [event.WhichOneof("kind") for event in ended.events]
        same(
            "a hand to the showdown: board_dealt and shown events",
            (kinds.count("board_dealt"), kinds.count("shown")),
            (3, 2),
        )
        same("a hand to the showdown: sum of stacks", sum(chair.stack for chair in ended.chairs), 2 * BUY_IN)
        payoffs = list(ended.events[-1].hand_ended.payoffs)
        same("a hand to the showdown: sum of payoffs", sum(payoffs), 0)
        deal = decode_sight(ended).deal
        if not isinstance(deal, DealRecord):
            raise Wrong("a hand to the showdown: HandStarted.attempt is 0, as in a deal v1")
        wrong = next(problems(deal, DECKS["52"]), "")
        require(not wrong, f"a hand to the showdown, the proof of its cards: {wrong}")
        same(
            "a hand to the showdown: number of cards proved to a player",
            sum(len(opened.cards) for opened in deal.opened),
            11,
        )


@TABLES("TakeAction", "a repeated request id is one action")
def retried(server: Server) -> None:
    with open_table(server, "ann", "bob") as table:
        token, view = table.turn()
        chosen = decision(view, CALL)
        first, again = table.take(token, chosen), table.take(token, chosen)
        same(
            "one decision sent twice, the action number after each", (first.action_number, again.action_number), (1, 1)
        )


@TABLES("TakeAction", "refuses actions out of turn, illegal and stale actions, and wrong tokens")
def refusals(server: Server) -> None:
    with open_table(server, "ann", "bob") as table:
        token, view = table.turn()
        (other,) = (each for each in table.tokens if each != token)
        stale = decision(view, CALL)
        stale.action_number += 1
        for who, chosen, code in (
            (other, decision(view, CALL), "FAILED_PRECONDITION"),
            (token, decision(view, Action(raise_to=101)), "FAILED_PRECONDITION"),
            (token, decision(view, Action()), "INVALID_ARGUMENT"),
            (token, stale, "ABORTED"),
            ("nonsense", decision(view, CALL), "NOT_FOUND"),
            (table.dealer_token, decision(view, CALL), "PERMISSION_DENIED"),
        ):
            refused(table.tables.TakeAction, pb.TakeActionRequest(token=who, decision=chosen), code)
        same("the action number after refusals only", table.view(token).action_number, 0)


@TABLES("TakeAction", "the clock acts for a silent player")
def clock(server: Server) -> None:
    with open_table(server, "ann", "bob", clock_ms=200) as table:
        updates = table.tables.Watch(pb.WatchRequest(table_id=table.table_id))
        events: list[pb.TableEvent] = []
        for update in updates:
            events += update.events
            if events and events[-1].HasField("hand_ended"):
                break
        timed_out = [event.moved.timed_out for event in events if event.HasField("moved")]
        same("a hand in which nobody acts, heads-up: timed_out of each move", timed_out, [True])


@TABLES("LeaveTable", "a leaving player gets up after the hand, or at once between hands")
def left(server: Server) -> None:
    with open_table(server, "ann", "bob") as table:
        token, _ = table.turn()
        answer = table.tables.LeaveTable(pb.LeaveTableRequest(token=token))
        same("LeaveTable in a hand, at_once", answer.at_once, False)
        table.act(FOLD)
        same("number of players after the hand", len(_info(table).chairs), 1)
        refused(table.tables.GetView, pb.GetViewRequest(token=token), "PERMISSION_DENIED")
        (other,) = (each for each in table.tokens if each != token)
        answer = table.tables.LeaveTable(pb.LeaveTableRequest(token=other))
        same("LeaveTable between hands, at_once", answer.at_once, True)


@TABLES("Rebuy", "sells chips between hands, up to the buy-in")
def rebought(server: Server) -> None:
    with open_table(server, "ann", "bob") as table:
        token, _ = table.turn()
        refused(table.tables.Rebuy, pb.RebuyRequest(token=token, chips=5), "FAILED_PRECONDITION")
        table.act(FOLD)
        stack = table.tables.Rebuy(pb.RebuyRequest(token=token, chips=50)).stack
        same("a player who folded a small blind of 50 buys 50: stack", stack, BUY_IN)
        refused(table.tables.Rebuy, pb.RebuyRequest(token=token, chips=1), "INVALID_ARGUMENT")


@TABLES("ListHands", "lists finished hands, with events and as PHH")
def hands(server: Server) -> None:
    with open_table(server, "ann", "bob", pause_ms=0, hand_limit=2) as table:
        for _ in range(2):
            table.act(FOLD)
        records = table.tables.ListHands(pb.ListHandsRequest(table_id=table.table_id)).hands
        same("ListHands after two hands, their numbers", [record.hand_number for record in records], [1, 2])
        for record in records:
            kinds = [event.WhichOneof("kind") for event in record.events]
            same("the events of a hand with a fold", kinds, ["hand_started", "moved", "hand_ended"])
            same("the names in a hand", sorted(record.names), ["ann", "bob"])
            require("starting_stacks" in record.phh, "ListHands: a hand of no-limit hold'em has no PHH text")
        later = pb.ListHandsRequest(table_id=table.table_id, first_hand=2, hand_count=1)
        same("ListHands from hand 2 on", [record.hand_number for record in table.tables.ListHands(later).hands], [2])


@TABLES("CloseTable", "closes a table, and only for the client that created it")
def closed(server: Server) -> None:
    with open_table(server, "ann") as table:
        wrong = pb.CloseTableRequest(table_id=table.table_id, dealer_token="x")  # noqa: S106  # no secret
        refused(table.tables.CloseTable, wrong, "PERMISSION_DENIED")
        right = pb.CloseTableRequest(table_id=table.table_id, dealer_token=table.dealer_token)
        same("CloseTable between hands, at_once", table.tables.CloseTable(right).at_once, True)
        same("the status after CloseTable", pb.TableStatus.Name(_info(table).status), "TABLE_STATUS_CLOSED")
        late = pb.JoinTableRequest(table_id=table.table_id, name="bob")
        refused(table.tables.JoinTable, late, "FAILED_PRECONDITION")
