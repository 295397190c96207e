"""One connection to the resolver for all bots of a process."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, lru_cache

import grpc

from riverboat.clients.bots.settings import resolver_server, waits_for_resolver
from riverboat.clients.remote.channels import open_resolver_channel
from riverboat.clients.remote.remembering_resolver import RememberingResolver
from riverboat.clients.remote.resolver import ResolverClient

_WAIT_SECONDS = 120  # for a resolver that the environment names: it may still be compiling kernels
_LOOK_SECONDS = 2


_lent: list[ResolverClient] = []  # the last one is asked


def shared_resolver() -> ResolverClient:
    """Return the client that `lend_resolver` has lent, or that of the resolver that the environment names."""
    return _lent[-1] if _lent else resolver_in_environment()


@contextmanager
def lend_resolver(client: ResolverClient) -> Iterator[None]:
    """Let the bots of this process ask a given resolver while the block runs."""
    _lent.append(client)
    try:
        yield
    finally:
        _lent.remove(client)


@contextmanager
def remember_answers() -> Iterator[None]:
    """Let the bots of this process ask no question twice, and without a deadline, while the block runs."""
    with lend_resolver(_remembering(shared_resolver().address)):
        yield


def keep_answers() -> None:
    """Do the same for as long as the process lasts: for processes that only play."""
    _lent.append(_remembering(shared_resolver().address))


@lru_cache(1)
def _remembering(address: str) -> RememberingResolver:
    """Return a client that remembers; the same one if the next block asks the same resolver."""
    return RememberingResolver(open_resolver_channel(address), address)


@cache
def resolver_in_environment() -> ResolverClient:
    """Return the client of the resolver that the environment names."""
    server = resolver_server()
    return ResolverClient(open_resolver_channel(server), server)


def resolver_answers() -> bool:
    """Return whether a resolver answers; wait for one that the environment names."""
    try:
        return shared_resolver().answers(_WAIT_SECONDS if waits_for_resolver() else _LOOK_SECONDS)
    except grpc.RpcError:
        return False
