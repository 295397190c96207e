"""One connection to the resolver for all bots of a process."""

from functools import cache

from clients.bots.settings import resolver_server
from clients.resolving.link import ResolverLink, open_resolver_channel


@cache
def shared_resolver() -> ResolverLink:
    """The resolver that the environment names."""
    server = resolver_server()
    return ResolverLink(open_resolver_channel(server), server)
