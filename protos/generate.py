"""Regenerate the Python code beside each .proto file (`make protos`).

Usage: python protos/generate.py [OUTPUT], with grpcio-tools and mypy-protobuf installed. OUTPUT is
the folder that gets a `protos/` tree; the repository itself if it is not given.
"""

import sys
from pathlib import Path

from grpc_tools import protoc

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """Run the compiler on every contract and return its exit code."""
    output = sys.argv[1] if len(sys.argv) > 1 else str(ROOT)
    sources = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "protos").rglob("*.proto"))
    plugins = [f"--{kind}_out={output}" for kind in ("python", "grpc_python", "mypy", "mypy_grpc")]
    return int(protoc.main(["protoc", f"--proto_path={ROOT}", *plugins, *sources]))


if __name__ == "__main__":
    sys.exit(main())
