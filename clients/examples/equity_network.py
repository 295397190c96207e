"""An untrained value network for the 24-card river: python clients/examples/equity_network.py FOLDER."""

import hashlib
import json
import sys
from pathlib import Path

import numpy as np
import onnx

# Holdings are sorted into 32 bins by their strength; each wins half a pot from every holding in a weaker bin.
model = onnx.parser.parse_model("""
    <ir_version: 10, opset_import: ["": 18]>
    equity (float[K, L, 2, 276] ranges, float[K, L, 1] pot, float[K, 276, 64] board) => (float[K, L, 2, 276] values) {
        bins, average = Split <axis = 2, num_outputs = 2> (board)
        one = Constant <value_ints = [1]> ()
        place = Unsqueeze (bins, one)
        strengths = MatMul (ranges, place)
        swapped = Constant <value_ints = [1, 0]> ()
        others = Gather <axis = 2> (strengths, swapped)
        worth = MatMul (others, wins)
        turned = Transpose <perm = [0, 1, 3, 2]> (place)
        values = MatMul (worth, turned)
    }
""")
wins = np.sign(np.arange(32)[None, :] - np.arange(32)[:, None]).astype(np.float32) / 2
model.graph.initializer.append(onnx.numpy_helper.from_array(wins, "wins"))
about = {"layout": "1", "deck": "24", "street": "river", "data": "none", "code": "equity_network.py"}
losses = {"samples": "0", "train_loss": "1", "held_out_loss": "1"}  # not measured; the resolver scores it itself
onnx.helper.set_model_props(model, about | losses)

folder, data = Path(sys.argv[1]), model.SerializeToString()
folder.mkdir(parents=True, exist_ok=True)
(folder / "equity.json").write_text(json.dumps({"hash": hashlib.sha256(data).hexdigest()}))
(folder / "equity.onnx").write_bytes(data)
