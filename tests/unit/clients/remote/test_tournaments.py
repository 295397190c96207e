"""The client of tournaments: an older server has none."""

from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest

from riverboat.clients.remote.tournaments import TournamentsClient


def test_a_server_without_tournaments_lists_none() -> None:
    server = grpc.server(ThreadPoolExecutor(1))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
            client = TournamentsClient(channel, "here")
            assert client.list_tournaments() == ()
            with pytest.raises(grpc.RpcError):
                client.info("t1")
    finally:
        server.stop(None)
