"""A resolver's errors as one line."""

import grpc

from riverboat.clients.remote.refusals import Names, Refused, refusal_of, with_id
from riverboat.rpc.dialling.problems import tls_problem


def resolver_refusal(error: grpc.RpcError, address: str, names: Names) -> Refused:
    """A resolver's error as one line."""
    code, details = error.code(), error.details() or ""
    if code is grpc.StatusCode.UNAVAILABLE:
        # Either it is gone, or something that it needs is, and then it says so.
        said = details if "does not answer" in details else f"the resolver at {address} does not answer any more"
        return Refused(with_id(error, tls_problem(error, address) or said))
    if code is grpc.StatusCode.UNIMPLEMENTED:
        return Refused(f"what answers at {address} is not a resolver of this version ({details})")
    return refusal_of(error, address, names)
