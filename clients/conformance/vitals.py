"""Checks for every server: health, reflection, request ids, and refusal of garbage."""

from typing import Any

import grpc
from google.protobuf import descriptor_pb2
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2 as mirror_pb
from grpc_reflection.v1alpha import reflection_pb2_grpc

from riverboat.clients.conformance.check import Checks, Wrong
from riverboat.clients.conformance.expectations import refused, require, same
from riverboat.clients.conformance.server import Server

_PROBE_SECONDS = 3
_REQUEST_ID = "x-request-id"
_GARBAGE = (b"\xff" * 100, b"\x0a\x05ab", bytes(range(256)))


def add_vitals(checks: Checks, contract: ServiceDescriptor, request: Message, plain: str) -> None:
    """Add the checks for every server; `plain` is a unary method that answers `request`, or "" for none."""
    name = contract.full_name
    checks.add("", "health reports SERVING for the server and the service", lambda server: _healthy(server, name))
    checks.add("", "health answers NOT_FOUND for an unknown service", _no_stranger)
    checks.add("", "reflection lists the service", lambda server: _listed(server, name))
    checks.add("", "reflection describes the contract field by field", lambda server: _described(server, contract))
    if plain:
        path = f"/{name}/{plain}"
        checks.add(
            "", "the trailing metadata returns the request id", lambda server: _request_id(server, path, request)
        )
    for method in contract.methods:
        checks.add(method.name, "refuses bytes that are not a request with INVALID_ARGUMENT", _garbage(method))


def is_starting(channel: grpc.Channel) -> bool:
    """Return whether a server reports that it is not ready yet; without health checks it counts as ready."""
    stub: Any = health_pb2_grpc.HealthStub(channel)
    try:
        status = stub.Check(health_pb2.HealthCheckRequest(), timeout=_PROBE_SECONDS).status
    except grpc.RpcError:
        return False
    return bool(status == health_pb2.HealthCheckResponse.NOT_SERVING)


def _healthy(server: Server, service: str) -> None:
    stub: Any = health_pb2_grpc.HealthStub(server.channel)
    for name in ("", service):
        status = stub.Check(health_pb2.HealthCheckRequest(service=name)).status
        got = health_pb2.HealthCheckResponse.ServingStatus.Name(status)
        same(f"Health.Check of {name or 'the whole server'}", got, "SERVING")


def _no_stranger(server: Server) -> None:
    stub: Any = health_pb2_grpc.HealthStub(server.channel)
    refused(stub.Check, health_pb2.HealthCheckRequest(service="nobody.v1.Nothing"), "NOT_FOUND")


def _ask_mirror(server: Server, request: mirror_pb.ServerReflectionRequest) -> mirror_pb.ServerReflectionResponse:
    stub: Any = reflection_pb2_grpc.ServerReflectionStub(server.channel)
    answers: list[mirror_pb.ServerReflectionResponse] = list(stub.ServerReflectionInfo(iter([request])))
    same("reflection, number of answers to one request", len(answers), 1)
    return answers[0]


def _listed(server: Server, service: str) -> None:
    answer = _ask_mirror(server, mirror_pb.ServerReflectionRequest(list_services=""))
    names = [entry.name for entry in answer.list_services_response.service]
    require(service in names, f"reflection lists {', '.join(names) or 'nothing'}, but not {service}")


def _described(server: Server, contract: ServiceDescriptor) -> None:
    request = mirror_pb.ServerReflectionRequest(file_containing_symbol=contract.full_name)
    data = _ask_mirror(server, request).file_descriptor_response.file_descriptor_proto
    files = [descriptor_pb2.FileDescriptorProto.FromString(each) for each in data]
    here = [file for file in files if file.package == contract.file.package]
    services = {service.name: service for file in here for service in file.service}
    if contract.name not in services:
        raise Wrong(f"reflection: the answer for {contract.full_name} does not contain that service")
    got = sorted(method.name for method in services[contract.name].method)
    same(f"reflection, the methods of {contract.name}", got, sorted(method.name for method in contract.methods))
    messages = {message.name: message for file in here for message in file.message_type}
    for name, wanted in contract.file.message_types_by_name.items():
        if name not in messages:
            raise Wrong(f"reflection: the message {name} is missing")
        fields = {field.name: field.number for field in messages[name].field}
        same(f"reflection, the fields of {name}", fields, {field.name: field.number for field in wanted.fields})


def _request_id(server: Server, path: str, request: Message) -> None:
    method: Any = server.channel.unary_unary(path, request_serializer=type(request).SerializeToString)
    _, call = method.with_call(request, metadata=((_REQUEST_ID, "conformance.7"),))
    got = dict(call.trailing_metadata() or ()).get(_REQUEST_ID)
    same(f"{path} with {_REQUEST_ID} conformance.7, the id in the trailing metadata", got, "conformance.7")


def _garbage(method: MethodDescriptor) -> Any:
    path = f"/{method.containing_service.full_name}/{method.name}"
    incoming, outgoing = method.client_streaming, method.server_streaming
    kind = f"{'stream' if incoming else 'unary'}_{'stream' if outgoing else 'unary'}"
    empty = not GetMessageClass(method.input_type).DESCRIPTOR.fields

    def run(server: Server) -> None:
        call: Any = getattr(server.channel, kind)(path)
        for data in _GARBAGE[:1] if empty else _GARBAGE:  # an empty message may skip unknown fields
            try:
                answer = call(iter([data]) if incoming else data)
                if outgoing:
                    list(answer)
            except grpc.RpcError as error:
                if error.code() is grpc.StatusCode.UNIMPLEMENTED:
                    raise
                said = f"{method.name} with {len(data)} bytes that are not a request, the code of the refusal"
                same(said, error.code().name, "INVALID_ARGUMENT")
            else:
                raise Wrong(f"{method.name} answers {len(data)} bytes that are not a request; expected a refusal")

    return run
