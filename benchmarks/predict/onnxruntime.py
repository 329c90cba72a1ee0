"""ONNX Runtime with the weights in single precision, as exported models have them."""
# packages: onnxruntime onnx numpy

import numpy as np
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from benchmarks.harness.clock import best_of
from benchmarks.predict.network import RUNS, judged, load


def run(problem, clock, folder):
    hidden, bias, output, X = load(problem)
    session = onnxruntime.InferenceSession(model(hidden, bias, output), options(), ["CPUExecutionProvider"])
    rows = X.astype(np.float32)
    seconds, outputs = best_of(RUNS, clock, lambda: session.run(None, {"x": rows})[0])
    return {"seconds": seconds} | judged(problem, outputs)


def options():
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = settings.inter_op_num_threads = 1
    return settings


def model(hidden, bias, output):
    arrays = {"W": hidden, "b": bias, "a": output[:, None], "c": np.zeros(1)}
    weights = [numpy_helper.from_array(array.astype(np.float32), name) for name, array in arrays.items()]
    nodes = [
        helper.make_node("Gemm", ["x", "W", "b"], ["z"]),
        helper.make_node("Relu", ["z"], ["r"]),
        helper.make_node("Gemm", ["r", "a", "c"], ["f"]),
    ]
    ends = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, [None, size])
        for name, size in (("x", len(hidden)), ("f", 1))
    ]
    graph = helper.make_graph(nodes, "network", ends[:1], ends[1:], weights)
    return helper.make_model(graph, ir_version=7, opset_imports=[helper.make_opsetid("", 13)]).SerializeToString()
