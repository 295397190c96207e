"""SaveSolution, LoadSolution, ReleaseSolution and ListNetworks."""

from collections.abc import Iterator

from riverboat.clients.conformance.expectations import close, refused, require, same
from riverboat.clients.conformance.resolver.common import RESOLVER, asked, node, request_of, solved, stub, turn
from riverboat.clients.conformance.server import Server
from riverboat.protos.resolver.v1 import resolver_pb2 as pb

_CHUNK = 300_000


def _saved(server: Server, handle: str) -> bytes:
    parts = list(stub(server).SaveSolution(pb.SaveSolutionRequest(handle=handle)))
    data = b"".join(part.chunk for part in parts)
    require(bool(data), "SaveSolution: got no bytes")
    same("SaveSolution, total_bytes", {part.total_bytes for part in parts}, {len(data)})
    require(max(len(part.chunk) for part in parts) <= 2**20, "SaveSolution: a chunk is longer than a megabyte")
    return data


def _chunks(data: bytes) -> Iterator[pb.LoadSolutionRequest]:
    for begin in range(0, len(data), _CHUNK):
        yield pb.LoadSolutionRequest(chunk=data[begin : begin + _CHUNK])


@RESOLVER("SaveSolution", "refuses an unknown handle with NOT_FOUND")
def no_handle(server: Server) -> None:
    refused(stub(server).SaveSolution, pb.SaveSolutionRequest(handle="nothing"), "NOT_FOUND")


@RESOLVER("SaveSolution", "returns a solution as bytes in chunks", 120)
def saved(server: Server) -> None:
    with solved(server, request_of(turn(), 5)) as last:
        _saved(server, last.handle)


@RESOLVER("LoadSolution", "restores a saved solution unchanged", 120)
def loaded(server: Server) -> None:
    with solved(server, request_of(turn(), 30)) as last:
        answer = stub(server).LoadSolution(_chunks(_saved(server, last.handle)))
        handle = answer.solved.handle
        try:
            same("LoadSolution, iterations", answer.solved.cost.iterations, 30)
            same("LoadSolution, the spot", answer.request.spot, asked(turn()))
            close("LoadSolution, EV", answer.solved.evs[0], last.evs[0], 1e-3)
            is_same = node(server, handle).strategy == node(server, last.handle).strategy
            require(is_same, "LoadSolution: the strategy at the root differs from the saved one")
        finally:
            stub(server).ReleaseSolution(pb.ReleaseSolutionRequest(handle=handle))


@RESOLVER("LoadSolution", "refuses damaged, truncated and empty bytes", 120)
def damaged(server: Server) -> None:
    with solved(server, request_of(turn(), 5)) as last:
        data = _saved(server, last.handle)
    middle = len(data) // 2
    for hurt in (data[:-1], b"", data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]):
        refused(stub(server).LoadSolution, list(_chunks(hurt)), "INVALID_ARGUMENT")


@RESOLVER("ReleaseSolution", "releases a solution once", 120)
def released(server: Server) -> None:
    with solved(server, request_of(turn(), 5)) as last:
        request = pb.ReleaseSolutionRequest(handle=last.handle)
        same("ReleaseSolution, was_there", stub(server).ReleaseSolution(request).was_there, True)
        same("ReleaseSolution again, was_there", stub(server).ReleaseSolution(request).was_there, False)
        refused(stub(server).GetNode, pb.GetNodeRequest(handle=last.handle), "NOT_FOUND")


@RESOLVER("ListNetworks", "networks have a deck, a street and a hash")
def networks(server: Server) -> None:
    answer = stub(server).ListNetworks(pb.ListNetworksRequest())
    for network in (*answer.networks, *answer.by_name):
        require(bool(network.deck and network.street), f"ListNetworks: {network.name} lacks a deck or a street")
        same(f"ListNetworks, {network.name}: number of digits in the hash", len(network.hash), 64)


@RESOLVER("ListNetworks", "at most one network is used for each deck and street, and the others give a reason")
def used_networks(server: Server) -> None:
    answer = stub(server).ListNetworks(pb.ListNetworksRequest())
    places = [(network.deck, network.street) for network in answer.networks]
    same("ListNetworks: number of different decks and streets of the networks in use", len(set(places)), len(places))
    for network in answer.by_name:
        require(bool(network.reason), f"ListNetworks: {network.name} is used by name only but gives no reason")
    for network in (*answer.networks, *answer.by_name):
        scores = [network.HasField("huber"), network.HasField("error")]
        same(f"ListNetworks, {network.name}: scores on the yardstick", scores, [bool(network.yardstick)] * 2)
