"""One connection to the resolver for all bots of a process."""

from functools import cache

import grpc

from riverboat.clients.bots.settings import resolver_server, waits_for_resolver
from riverboat.clients.remote.channels import open_resolver_channel
from riverboat.clients.remote.resolver import ResolverClient

_WAIT_SECONDS = 120  # for a resolver that the environment names: it may still be compiling kernels
_LOOK_SECONDS = 2


@cache
def shared_resolver() -> ResolverClient:
    """Return the client of the resolver that the environment names."""
    server = resolver_server()
    return ResolverClient(open_resolver_channel(server), server)


def resolver_answers() -> bool:
    """Return whether a resolver answers; wait for one that the environment names."""
    try:
        return shared_resolver().answers(_WAIT_SECONDS if waits_for_resolver() else _LOOK_SECONDS)
    except grpc.RpcError:
        return False
