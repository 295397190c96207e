"""Watch: public events, and nothing else."""

from riverboat.clients.conformance.expectations import refused, require, same
from riverboat.clients.conformance.gamemanager.common import FOLD, TABLES
from riverboat.clients.conformance.gamemanager.hands import table
from riverboat.clients.conformance.server import Server
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb


@TABLES("Watch", "sends public events without gaps, and no private card")
def public(server: Server) -> None:
    with table(server, "ann", "bob") as game:
        token, _ = game.turn()
        holdings = [game.view(each).holding for each in game.tokens]
        seen: list[pb.TableEvent] = []
        has_acted = False
        for update in game.tables.Watch(pb.WatchRequest(table_id=game.table_id)):
            seen += update.events
            same("Watch without a dealer token: holdings", list(update.holdings), [])
            if not has_acted and any(event.HasField("hand_started") for event in seen):
                has_acted = bool(game.act(FOLD).hand_number)
            if seen and seen[-1].HasField("hand_ended"):
                break
        same("Watch, the numbers of events", [event.number for event in seen], list(range(len(seen))))
        kinds = [event.WhichOneof("kind") for event in seen]
        wanted = ["joined", "joined", "hand_started", "moved", "hand_ended"]
        same("Watch, two players join and one folds: events", kinds, wanted)
        texts = [str(event) for event in seen]
        shown = [cards for cards in holdings if any(cards in text for text in texts)]
        require(not shown, f"Watch shows {', '.join(shown)}, which only the owner may see")
        require(bool(token), "nobody was to act")


@TABLES("Watch", "can start at any event")
def from_number(server: Server) -> None:
    with table(server, "ann", "bob") as game:
        game.turn()
        stream = game.tables.Watch(pb.WatchRequest(table_id=game.table_id, from_number=2))
        first = next(iter(stream))
        stream.cancel()
        same("Watch from event 2 on, the first event", first.events[0].number, 2)
        same("Watch from event 2 on, the kind of the first event", first.events[0].WhichOneof("kind"), "hand_started")


@TABLES("Watch", "refuses to show cards for a dealer token at a table of people")
def dealer(server: Server) -> None:
    with table(server, "ann", "bob") as game:
        request = pb.WatchRequest(table_id=game.table_id, dealer_token=game.dealer_token)
        refused(game.tables.Watch, request, "PERMISSION_DENIED")
