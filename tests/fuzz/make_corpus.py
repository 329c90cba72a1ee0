"""Small files of every kind to begin from: make_corpus.py FOLDER writes FOLDER/csv/..., one folder a target."""

import gzip
import io
import json
import pathlib
import struct
import sys
import zipfile


def npy(type_name, shape, data, fortran=False):
    header = f"{{'descr': '{type_name}', 'fortran_order': {fortran}, 'shape': {shape}, }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data


def npz(compression, **arrays):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        for name, array in arrays.items():
            archive.writestr(name + ".npy", array)
    return buffer.getvalue()


def idx(kind, shape, data):
    return struct.pack(">HBB", 0, kind, len(shape)) + struct.pack(f">{len(shape)}I", *shape) + data


TABLES = [
    b"a,t,y\n1,u,0\n2,v,1\n3,u,0\n", b"1.5;-2;1\r\n3;4e-3;0\r\n", b"\xef\xbb\xbf\"x, 1\"\ty\n1\t0\n2\t1\n",
    b"  1  2 0 \n 3   4 1\n", b"a,b,y\n1,?,0\n,2,1\n3,4,NA\n5,6,1\n", b"18.0  8\t\"a \"\"b\"\" c\"\n15 8\t\"d\"\n",
    b"x,x,o,win\no,x,o,lose\n", b"t,a\nu,1\nv,2\n",
    b"0.1234567890123456,-1234567.12345678,1\n9007199254740993,1e-7,0\n",
]
X = struct.pack("<4d", 1, 2, 3, 4)
MODEL = {
    "format": "conelu-model", "version": 1, "task": "classification", "classes": ["no", "yes"],
    "features": ["a", "t=u", "t=v"],
    "preprocessing": {"center": [0, 0, 0], "scale": [1, 2, 1],
                      "encodings": [{"column": "t", "first": 1, "levels": ["u", "v"]}],
                      "missing": {"tokens": ["?"], "fill": [1, 0.5, 0.5]}},
    "hidden": [[1, -1, 0.5], [0, 2, 1]], "hidden_bias": [0.1, 0], "output": [1, -1], "output_bias": 0,
    "training": {"loss": "hinge", "beta": 1e-4, "n": 3, "d": 3},
}
PART = {key: MODEL[key] for key in ("hidden", "hidden_bias", "output", "output_bias", "training")}
MANY = {key: value for key, value in MODEL.items() if key not in PART or key == "training"}
MANY |= {"classes": ["a", "b", "c"], "networks": [{"class": c} | PART for c in "abc"]}
LINE = {key: value for key, value in MODEL.items()} | {"task": "regression", "classes": None}
LINE["preprocessing"] = {"center": None, "scale": None, "encodings": [], "target": {"center": 3, "scale": 2}}

CORPUS = {
    "csv": [bytes([choice]) + table for table in TABLES for choice in (0, 5, 64, 43)],
    "svmlight": [b"-1 1:0.5 4:2 \n+1 2:-1e-3 # x\n", b"0 0:1 2:3\n1 1:2\n", b"# c\n2.5 1:1\n-3 1:2\n",
                 b"2 qid:7 1:0.1234567890123456 3:1\n0 qid:7 2:2\n"],
    "npy": [npy("<f8", (2, 2), X), npy(">f8", (2, 2), X, True), npy("<i2", (2, 4), bytes(range(16))),
            npy("|b1", (2, 1), b"\x00\x01"), npy("<f2", (4, 2), bytes(range(16))),
            npy("<U2", (2,), "ab".encode("utf-32-le") * 2)],
    "npz": [npz(kind, X=npy("<f8", (2, 2), X), y=npy("<i4", (2,), struct.pack("<2i", 0, 1)),
                weights=npy("<f4", (2,), struct.pack("<2f", 1, 2)))
            for kind in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)],
    "idx": [idx(8, (2, 2, 3), bytes(range(12))), idx(0x0D, (1, 2), struct.pack(">2f", 1, 2)),
            idx(0x0E, (1, 1, 2, 2), struct.pack(">4d", 1, 2, 3, 4)), idx(8, (2,), b"\x03\x08")],
    "cifar10": [bytes([1]) + bytes(3072) + bytes([7]) + bytes([9]) * 3072],
    "model": [json.dumps(model).encode() for model in (MODEL, MANY, LINE)],
}
CORPUS["any"] = [TABLES[0], gzip.compress(TABLES[1]), CORPUS["svmlight"][0], CORPUS["npy"][0], CORPUS["npz"][1],
                 CORPUS["idx"][0], gzip.compress(CORPUS["idx"][1]), CORPUS["cifar10"][0]]

for target, files in CORPUS.items():
    folder = pathlib.Path(sys.argv[1]) / target
    folder.mkdir(parents=True, exist_ok=True)
    for number, content in enumerate(files):
        (folder / str(number)).write_bytes(content)
