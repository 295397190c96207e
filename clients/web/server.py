"""The web server: where it listens, what it refuses to do, and how it ends."""

import socket

import uvicorn
from starlette.types import ASGIApp

from riverboat.clients.remote.refusals import Refused
from riverboat.clients.web.gateway import WebOptions
from riverboat.rpc.exposure import is_local

_LARGEST_MESSAGE = 256 * 1024  # bytes from a browser
_MOST_CONNECTIONS = 2_000
_GRACE_SECONDS = 3
_SHORTEST_PASSWORD = 8


def check_exposure(options: WebOptions) -> None:
    """Refuse to serve others without a password and TLS, unless forced."""
    if options.password and len(options.password) < _SHORTEST_PASSWORD:
        raise Refused(f"--password: at least {_SHORTEST_PASSWORD} characters")
    if bool(options.certificate) != bool(options.key):
        raise Refused("--certificate and --key belong together")
    if is_local(f"{options.host}:{options.port}") or options.force:
        return
    if not options.password and not options.is_encrypted:
        raise Refused(
            f"--host: others can reach {options.host}; set a password (RIVERBOAT_WEB_PASSWORD) or a certificate with "
            "--certificate and --key, or --force if the network is private"
        )


def listen(options: WebOptions) -> socket.socket:
    """Return a socket that listens; refuse a port that is taken."""
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((options.host, options.port))
    except OSError as error:
        listening.close()
        raise Refused(f"--port: {options.host}:{options.port}: {error.strerror or error}") from None
    listening.listen(_MOST_CONNECTIONS)
    return listening


def address_of(listening: socket.socket, options: WebOptions) -> str:
    """Return the address to open."""
    host, port = listening.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    return f"{'https' if options.is_encrypted else 'http'}://{shown}:{port}/"


def serve(app: ASGIApp, listening: socket.socket, options: WebOptions) -> None:
    """Serve until SIGINT or SIGTERM."""
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="websockets-sansio",
        ws_max_size=_LARGEST_MESSAGE,
        limit_concurrency=_MOST_CONNECTIONS,
        timeout_graceful_shutdown=_GRACE_SECONDS,
        ssl_certfile=options.certificate,
        ssl_keyfile=options.key,
    )
    uvicorn.Server(config).run(sockets=[listening])
