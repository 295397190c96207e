"""Tables, hands and variants as the contract's JSON, for programs that read what commands print."""

from typing import Any

from google.protobuf.json_format import MessageToDict, ParseDict, ParseError

from riverboat.errors import InvalidInput
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.rpc.convert.state_manager import encode_variant
from riverboat.rpc.convert.tables import encode_info, encode_record
from riverboat.rpc.convert.tables_client import decode_record
from riverboat.rules.variant import Variant
from riverboat.tables.records import HandRecord
from riverboat.tables.view import TableInfo


def table_document(info: TableInfo) -> dict[str, Any]:
    """Return a table as the contract's JSON."""
    return _document(encode_info(info))


def hand_document(record: HandRecord) -> dict[str, Any]:
    """Return a hand as the contract's JSON."""
    return _document(encode_record(record))


def variant_document(variant: Variant) -> dict[str, Any]:
    """Return a variant as the contract's JSON."""
    return _document(encode_variant(variant))


def _document(message: Any) -> dict[str, Any]:
    document: dict[str, Any] = MessageToDict(message, preserving_proto_field_name=True)
    return document


def read_hand_document(document: dict[str, Any]) -> HandRecord:
    """Return a hand from the contract's JSON; InvalidInput says what is wrong with it."""
    try:
        message = ParseDict(document, pb.HandRecord(), ignore_unknown_fields=True)
    except (ParseError, TypeError, AttributeError) as error:
        raise InvalidInput("", str(error).splitlines()[0]) from None
    return decode_record(message)
