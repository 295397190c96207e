"""Watch: public events, and nothing else."""

from riverboat.clients.conformance.expectations import refused, require, same
from riverboat.clients.conformance.gamemanager.common import FOLD, TABLES
from riverboat.clients.conformance.gamemanager.hands import open_table
from riverboat.clients.conformance.server import Server
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb


@TABLES("Watch", "sends public events without gaps, and no private card")
def public(server: Server) -> None:
    with open_table(server, "ann", "bob") as table:
        token, _ = table.turn()
        holdings = [table.view(owner).holding for owner in table.tokens]
        events: list[pb.TableEvent] = []
        has_acted = False
        for update in table.tables.Watch(pb.WatchRequest(table_id=table.table_id)):
            events += update.events
            same("Watch without a dealer token: holdings", list(update.holdings), [])
            if not has_acted and any(event.HasField("hand_started") for event in events):
                table.act(FOLD)
                has_acted = True
            if events and events[-1].HasField("hand_ended"):
                break
        same("Watch, the numbers of events", [event.number for event in events], list(range(len(events))))
        kinds = [event.WhichOneof("kind") for event in events]
        wanted = ["joined", "joined", "hand_started", "moved", "hand_ended"]
        same("Watch, two players join and one folds: events", kinds, wanted)
        texts = [str(event) for event in events]
        shown = [cards for cards in holdings if any(cards in text for text in texts)]
        require(not shown, f"Watch shows {', '.join(shown)}, which only the owner may see")
        require(bool(token), "two players sit at a table, but neither was to act")


@TABLES("Watch", "can start at any event")
def from_number(server: Server) -> None:
    with open_table(server, "ann", "bob") as table:
        table.turn()
        stream = table.tables.Watch(pb.WatchRequest(table_id=table.table_id, from_number=2))
        first = next(iter(stream))
        stream.cancel()
        same("Watch from event 2 on, the first event", first.events[0].number, 2)
        same("Watch from event 2 on, the kind of the first event", first.events[0].WhichOneof("kind"), "hand_started")


@TABLES("Watch", "refuses to show cards for a dealer token at a table of people")
def dealer(server: Server) -> None:
    with open_table(server, "ann", "bob") as table:
        request = pb.WatchRequest(table_id=table.table_id, dealer_token=table.dealer_token)
        refused(table.tables.Watch, request, "PERMISSION_DENIED")
