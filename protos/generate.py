"""Regenerate the Python code beside each .proto file (`make protos`).

Usage: python protos/generate.py [OUTPUT], with grpcio-tools and mypy-protobuf installed. OUTPUT is
the folder that gets a `protos/` tree; the repository itself if it is not given.
"""

import re
import sys
from pathlib import Path

from grpc_tools import protoc

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """Run the compiler on every contract and return its exit code."""
    output = sys.argv[1] if len(sys.argv) > 1 else str(ROOT)
    sources = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "protos").rglob("*.proto"))
    plugins = [f"--{kind}_out={output}" for kind in ("python", "grpc_python", "mypy", "mypy_grpc")]
    code = int(protoc.main(["protoc", f"--proto_path={ROOT}", *plugins, *sources]))
    for source in sources:
        _move_into_package(Path(output, source))
    return code


def _move_into_package(source: Path) -> None:
    """Make generated code import riverboat.protos: the compiler names a module by the path of its .proto."""
    for path in source.parent.glob(f"{source.stem}_pb2*.py*"):
        text = re.sub(r"^(from|import) protos\b", r"\1 riverboat.protos", path.read_text(), flags=re.MULTILINE)
        path.write_text(re.sub(r"'protos\.(\w+)\.v1", r"'riverboat.protos.\1.v1", text))


if __name__ == "__main__":
    sys.exit(main())
