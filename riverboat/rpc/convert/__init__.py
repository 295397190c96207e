"""From protobuf messages to Riverboat's values and back, one module per contract; no message passes beyond."""
